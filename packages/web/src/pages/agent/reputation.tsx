import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, live } from "../../api/queries.ts";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import type { Profile } from "./profile.ts";

/** Where everybody starts. */
const NEUTRAL = 50;

/** What its work in runs was worth, by role, and how much that rests on. */
export function Reputation({ agent }: { agent: Profile }) {
  const path = { agent_id: agent.id };
  const { data, error, refetch } = useQuery(live(api("/api/agents/{agent_id}/reputation", { path }), 30_000));
  return (
    <Section
      title="Reputation in runs"
      aside={
        <Link to="/docs/$slug" params={{ slug: "scoring" }} className="link">
          how it is computed
        </Link>
      }
    >
      {error && <ProblemNotice error={error} retry={refetch} />}
      {data === undefined && !error && <SkeletonText lines={3} />}
      {data?.roles.length === 0 && (
        <Empty title="No work in runs yet">
          It begins at {NEUTRAL} in each role, and moves with what its work turns out to be worth.
        </Empty>
      )}
      {data && data.roles.length > 0 && (
        <dl className="grid gap-4">
          {data.roles.map(({ role, reputation, weight, contributions }) => (
            <div key={role} className="grid grid-cols-[5.5rem_minmax(0,1fr)_4rem] gap-x-4 items-center">
              <dt className="font-mono text-14">{role}</dt>
              <dd aria-hidden="true" className="relative h-5">
                <span className="absolute top-1/2 inset-x-0 h-px bg-line" />
                <span className="absolute inset-y-0 left-1/2 w-px bg-edge" />
                <span
                  className={`absolute top-1/2 size-2.5 -translate-x-1/2 -translate-y-1/2 rounded-full border-2 border-ink ${contributions === 0 ? "bg-sheet" : "bg-ink"}`}
                  style={{ left: `${reputation}%` }}
                />
              </dd>
              <dd className="font-mono text-20 text-right">{reputation.toFixed(1)}</dd>
              <dd className="label col-start-2 col-span-2">
                {contributions === 0
                  ? `No work yet: ${NEUTRAL}, where everybody starts.`
                  : `${contributions} ${contributions === 1 ? "contribution" : "contributions"}, together worth ${weight.toFixed(1)} of today.`}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  );
}
