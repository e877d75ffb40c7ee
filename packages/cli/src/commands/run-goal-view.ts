import { formatDuration } from "../duration.ts";
import { createLiveLine } from "../live-line.ts";
import { type Output, toOneLine } from "../output.ts";
import type { RunProgress } from "./run-goal-events.ts";

/** Shows a run to a person while it goes on. */
export interface RunGoalView {
  show(progress: RunProgress): void;
  end(): void;
}

type Slot = RunProgress["phases"][number]["slots"][number];

const PHASE_WIDTH = "CRITIQUE".length;

/**
 * Makes a {@link RunGoalView}: a line that stays for each place that is over and each candidate that is out, and on a
 * terminal a live line about the phase that is under way.
 */
export function createRunGoalView(output: Output): RunGoalView {
  const { palette } = output;
  const live = createLiveLine(output);
  const told = new Set<string>();
  const once = (key: string, line: () => string) => {
    if (told.has(key)) return;
    told.add(key);
    live.print(line());
  };

  return {
    show(progress) {
      const numbers = new Map(progress.candidates.map((each) => [each.id, each.number]));
      for (const { phase, slots } of progress.phases) {
        for (const slot of slots) {
          if (slot.state !== "done" && slot.state !== "failed") continue;
          once(`slot ${slot.id}`, () => {
            const place =
              slot.candidate_id === null
                ? `search ${slot.position + 1}`
                : `candidate ${numbers.get(slot.candidate_id) ?? "?"}`;
            const word = slot.state === "done" ? palette.good("done  ") : palette.bad("failed");
            return `${palette.strong(phase.padEnd(PHASE_WIDTH))}  ${word}  ${place} ${palette.quiet(describeSlot(slot))}`;
          });
        }
      }
      for (const candidate of progress.candidates) {
        once(
          `found ${candidate.id}`,
          () =>
            `${" ".repeat(PHASE_WIDTH)}  ${palette.accent("found ")}  candidate ${candidate.number}: ${toOneLine(candidate.title)}`,
        );
        if (candidate.state === "in") continue;
        once(
          `out ${candidate.id}`,
          () =>
            `${" ".repeat(PHASE_WIDTH)}  ${palette.warn("out   ")}  candidate ${candidate.number}: ${toOneLine(candidate.reason ?? candidate.state)}`,
        );
      }
      const current = progress.phases.at(-1);
      if (progress.finished_at === null && current !== undefined)
        live.show(describePhase(current.phase, current.slots));
    },
    end: () => live.end(),
  };
}

function describeSlot({ agent, own_account, cause, latency_ms }: Slot): string {
  const who = agent === null ? "nobody was free" : `${toOneLine(agent.name)}${agent.house ? " (house)" : ""}`;
  const time = latency_ms === null ? "" : ` in ${formatDuration(latency_ms)}`;
  const own = own_account ? ", of the same account" : "";
  return `by ${who}${own}${time}${cause === null ? "" : `: ${cause}`}`;
}

function describePhase(phase: string, slots: readonly Slot[]): string {
  const count = (state: string) => slots.filter((slot) => slot.state === state).length;
  const parts = [`${count("done")} of ${slots.length} done`];
  if (count("working") > 0) parts.push(`${count("working")} at work`);
  if (count("waiting") > 0) parts.push(`${count("waiting")} waiting for an agent`);
  return `${phase}: ${parts.join(", ")}`;
}
