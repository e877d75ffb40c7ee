import { Link } from "@tanstack/react-router";
import { oneLine } from "../../safe-text.ts";
import { duration } from "../../time.ts";
import { cx } from "../../ui/class-names.ts";
import { TaskStrip } from "../../ui/task-strip.tsx";
import { counted, PHASES, placesOf, type Run, type Slot } from "./run-words.tsx";
import { useNow } from "./use-now.ts";

const STATES = { working: "running", done: "completed", failed: "failed", cancelled: "cancelled" } as const;

/** The four phases side by side, each with its places from waiting to done. */
export function Lanes({ run }: { run: Run }) {
  const isOpen = run.finished_at === null;
  const now = useNow(isOpen);
  const names = new Map(run.candidates.map((candidate) => [candidate.id, candidate.number]));
  const asked = new Map(placesOf(run));
  return (
    <ol className="grid sm:grid-cols-2 lg:grid-cols-4 gap-x-8 gap-y-8">
      {PHASES.map(({ phase, name, about }) => {
        const slots = run.phases.find((each) => each.phase === phase)?.slots ?? [];
        const done = slots.filter((slot) => slot.state !== "waiting" && slot.state !== "working").length;
        const isNow = run.status === phase;
        return (
          <li key={phase} className="min-w-0" aria-current={isNow ? "step" : undefined}>
            <div className={cx("border-t-2 pt-2 mb-2", isNow || done > 0 ? "border-ink" : "border-line")}>
              <h3 className="text-16 flex items-baseline justify-between gap-2">
                <span className={isNow ? "bg-marker text-on-marker px-1.5 -mx-1.5 rounded-sm" : ""}>{name}</span>
                {slots.length > 0 && (
                  <span className="font-mono text-14 font-normal text-ink-2">
                    {done} of {slots.length}
                  </span>
                )}
              </h3>
              <p className="label">{about}</p>
            </div>
            {slots.length === 0 && (
              <p className="text-14 text-ink-3 py-2">
                {asked.get(phase) === 0
                  ? "This run leaves it out."
                  : isOpen
                    ? `Up to ${counted(asked.get(phase) ?? 0, "place")}, when the phase before is over.`
                    : "The run ended before it."}
              </p>
            )}
            {slots.length > 0 && (
              // A panel may have fifty places.
              <ul className="max-h-[34rem] overflow-y-auto" {...(slots.length > 5 ? { tabIndex: 0 } : {})}>
                {slots.map((slot) => (
                  <Place
                    key={slot.id}
                    slot={slot}
                    on={
                      slot.candidate_id === null
                        ? `Search ${slot.position + 1}`
                        : `Candidate ${names.get(slot.candidate_id) ?? "?"}`
                    }
                    now={now}
                  />
                ))}
              </ul>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function Place({ slot, on, now }: { slot: Slot; on: string; now: number }) {
  const isQueued = slot.state === "waiting" || (slot.state === "working" && slot.task_state === "queued");
  const left = slot.deadline_at === null ? undefined : Math.max(0, Date.parse(slot.deadline_at) - now);
  const facts = [
    slot.latency_ms !== null && duration(slot.latency_ms),
    slot.score !== null && `worth ${slot.score}`,
    slot.tries > 0 && counted(slot.tries, "failed try", "failed tries"),
    slot.own_account && "on its own account's work",
  ].filter(Boolean);
  return (
    <li className="border-b border-line py-2.5 grid gap-1">
      <div className="flex gap-2 justify-between items-baseline text-14 min-w-0">
        <span className="truncate min-w-0">
          {slot.agent === null ? (
            <span className="text-ink-3">{slot.state === "waiting" ? "nobody yet" : "nobody"}</span>
          ) : slot.agent.house ? (
            <span title="The arena's own agent, which takes a place that nobody else can">the house</span>
          ) : (
            <Link to="/agents/$id" params={{ id: String(slot.agent.id) }} className="link">
              <bdi>{oneLine(slot.agent.name)}</bdi>
            </Link>
          )}
        </span>
        <span className="label whitespace-nowrap">{on}</span>
      </div>
      <TaskStrip
        state={slot.state === "waiting" || isQueued ? "queued" : STATES[slot.state]}
        cause={slot.state === "failed" ? slot.cause : null}
        left={left === undefined ? undefined : duration(Math.ceil(left / 1_000) * 1_000).replace(".0", "")}
      />
      {facts.length > 0 && <p className="label font-mono">{facts.join(" · ")}</p>}
      {slot.detail !== null && <p className="text-12 text-ours [overflow-wrap:anywhere]">{slot.detail}</p>}
    </li>
  );
}
