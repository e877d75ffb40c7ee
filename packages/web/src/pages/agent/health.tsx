import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Answer, post } from "../../api/call.ts";
import { api, live } from "../../api/queries.ts";
import { unturned } from "../../safe-text.ts";
import { duration } from "../../time.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { Facts } from "../../ui/facts.tsx";
import { Notice, ProblemNotice, sentence } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { When } from "../../ui/when.tsx";
import { StatusWord } from "../../ui/word.tsx";
import type { Profile } from "./profile.ts";

type HealthAnswer = Answer<"/api/agents/{agent_id}/health">;
const HOUR_MS = 3_600_000;
const DAYS = 7;

/** Whether an edgearena-v1 agent is well: a week of pings, and to its owner why it is what it is. */
export function Health({ agent, isOwn }: { agent: Profile; isOwn: boolean }) {
  const path = { agent_id: agent.id };
  const { data, error, refetch } = useQuery(live(api("/api/agents/{agent_id}/health", { path }), 20_000));
  return (
    <Section title="Health" aside="pings of seven days, by the hour (UTC)">
      {error && <ProblemNotice error={error} retry={refetch} />}
      {data === undefined && !error && <SkeletonText lines={7} />}
      {data && (
        <div className="grid gap-6">
          <Strip hours={data.hours} />
          {isOwn && <Switches health={data} />}
          <Past health={data} />
        </div>
      )}
    </Section>
  );
}

/** One row a day, one cell an hour: full where all pings were answered, low where some or all were not. */
function Strip({ hours }: { hours: HealthAnswer["hours"] }) {
  const known = new Map(hours.map((each) => [Date.parse(each.hour), each]));
  const lastDay = Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS;
  const days = Array.from({ length: DAYS }, (_, index) => lastDay - (DAYS - 1 - index) * 24 * HOUR_MS);
  const checks = hours.reduce((sum, each) => sum + each.checks, 0);
  const failed = hours.reduce((sum, each) => sum + each.failed, 0);
  const words =
    checks === 0
      ? "No ping in seven days yet."
      : `${checks - failed} of ${checks} pings answered${failed === 0 ? "" : `, ${failed} not`}.`;
  return (
    <figure>
      <div role="img" aria-label={words} className="grid gap-1">
        {days.map((day) => (
          <div key={day} className="grid grid-cols-[3.5rem_minmax(0,1fr)] items-center gap-2">
            <span className="label font-mono">{new Date(day).toISOString().slice(5, 10)}</span>
            <span className="grid grid-cols-[repeat(24,minmax(0,1fr))] gap-px">
              {Array.from({ length: 24 }, (_, hour) => {
                const at = day + hour * HOUR_MS;
                const each = known.get(at);
                return (
                  <span
                    key={at}
                    title={
                      each &&
                      `${new Date(at).toISOString().slice(0, 13)} h: ${each.checks - each.failed} of ${each.checks} answered`
                    }
                    className={cx("h-5 flex items-end", each === undefined || each.failed > 0 ? "bg-sunk" : "bg-good")}
                  >
                    {each !== undefined && each.failed > 0 && (
                      <span className={cx("w-full h-2", each.failed === each.checks ? "bg-bad" : "bg-warn")} />
                    )}
                  </span>
                );
              })}
            </span>
          </div>
        ))}
      </div>
      <figcaption className="text-14 text-ink-2 mt-2">{words}</figcaption>
    </figure>
  );
}

function Switches({ health }: { health: HealthAnswer }) {
  const queries = useQueryClient();
  const path = { agent_id: health.agent_id };
  const again = () => queries.invalidateQueries();
  const status = health.status?.toUpperCase();
  const isPaused = status === "PAUSED";
  const pause = useMutation({
    mutationFn: () =>
      isPaused ? post("/api/agents/{agent_id}/resume", { path }) : post("/api/agents/{agent_id}/pause", { path }),
    onSettled: again,
  });
  const verify = useMutation({ mutationFn: () => post("/api/agents/{agent_id}/verify", { path }), onSettled: again });
  const error = pause.error ?? verify.error;
  const facts = [
    ["failed pings in a row", String(health.failures_in_row ?? 0)],
    health.next_ping_at && ["next ping", <When key="next" at={health.next_ping_at} />],
    health.cooldown_until && ["no work until", <When key="cool" at={health.cooldown_until} />],
    health.cooldown_cause && ["because of", health.cooldown_cause],
  ].filter(Boolean) as [string, string][];
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap gap-2">
        {status === "PENDING" && (
          <ButtonLink to="/agents/$id/activate" params={{ id: String(health.agent_id) }} look="main">
            Activate it
          </ButtonLink>
        )}
        {status !== "PENDING" && (
          <Button onClick={() => pause.mutate()} busy={pause.isPending && "Changing…"}>
            {isPaused ? "Resume" : "Pause"}
          </Button>
        )}
        <Button onClick={() => verify.mutate()} busy={verify.isPending && "Asking it…"}>
          Verify now
        </Button>
        {status !== "PENDING" && (
          <ButtonLink to="/agents/$id/activate" params={{ id: String(health.agent_id) }} look="quiet">
            Its activation
          </ButtonLink>
        )}
      </div>
      {error && <ProblemNotice error={error} />}
      {verify.data && (
        <Notice tone={verify.data.ok ? "good" : "bad"} word={verify.data.ok ? "It answered" : "It did not answer"}>
          {verify.data.latency_ms !== null && `After ${duration(verify.data.latency_ms)}. `}
          {sentence(unturned(verify.data.detail))} {verify.data.advice}
        </Notice>
      )}
      <Facts items={facts} />
    </div>
  );
}

const SHOWN = 6;
function Past({ health }: { health: HealthAnswer }) {
  const { transitions } = health;
  if (transitions.length === 0) return null;
  const list = (items: HealthAnswer["transitions"]) => (
    <ol>
      {items.map((each) => (
        <li key={`${each.at} ${each.to}`} className="border-b border-line py-2 text-14 grid gap-0.5">
          <span className="flex flex-wrap gap-x-2 items-center">
            {each.from !== null && (
              <>
                <span className="text-ink-3">{each.from.toLowerCase()}</span>
                <span aria-hidden="true" className="text-ink-3">
                  →
                </span>
                <span className="sr-only">became</span>
              </>
            )}
            <StatusWord status={each.to} />
            <span className="label ml-auto">
              <When at={each.at} />
            </span>
          </span>
          {each.detail && (
            <span className="text-ink-2 [overflow-wrap:anywhere]">
              {sentence(unturned(each.detail))} <span className="label font-mono">{each.cause}</span>
            </span>
          )}
        </li>
      ))}
    </ol>
  );
  return (
    <div>
      <h3 className="text-14 border-b border-line pb-1">What it was</h3>
      {list(transitions.slice(0, SHOWN))}
      {transitions.length > SHOWN && (
        <details className="text-14 mt-1">
          <summary className="label">{transitions.length - SHOWN} earlier</summary>
          {list(transitions.slice(SHOWN))}
        </details>
      )}
    </div>
  );
}
