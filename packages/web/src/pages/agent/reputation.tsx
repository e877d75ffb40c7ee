import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Answer } from "../../api/call.ts";
import { api, live } from "../../api/queries.ts";
import { oneLine } from "../../safe-text.ts";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { When } from "../../ui/when.tsx";
import type { Profile } from "./profile.ts";

type Reputations = Answer<"/api/agents/{agent_id}/reputation">;
type Role = Reputations["roles"][number];
/** As many as are listed under a role; the sums are over all that count. */
const LISTED = 20;

/** What its work in runs was worth, by role, and the outcomes that it comes from. */
export function Reputation({
  agent,
  ifAny = false,
}: {
  agent: Profile /** Nothing at all without work in runs. */;
  ifAny?: boolean;
}) {
  const path = { agent_id: agent.id };
  const { data, error, refetch } = useQuery(
    live(api("/api/agents/{agent_id}/reputation", { path, query: { latest: LISTED } }), 30_000),
  );
  if (ifAny && (data === undefined || data.roles.length === 0)) return null;
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
          It begins at {data.neutral} in each role, and moves with what its work turns out to be worth.
        </Empty>
      )}
      {data && data.roles.length > 0 && (
        <ul className="grid gap-6">
          {data.roles.map((role) => (
            <li key={role.role}>
              <Value role={role} />
              <Sum role={role} all={data} />
              {role.latest.length > 0 && <Outcomes role={role} />}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Value({ role: { role, reputation, contributions } }: { role: Role }) {
  return (
    <div className="grid grid-cols-[5.5rem_minmax(0,1fr)_4rem] gap-x-4 items-center">
      <h3 className="font-mono text-14 font-normal tracking-normal">{role}</h3>
      <span aria-hidden="true" className="relative h-5">
        <span className="absolute top-1/2 inset-x-0 h-px bg-line" />
        <span className="absolute inset-y-0 left-1/2 w-px bg-edge" />
        <span
          className={`absolute top-1/2 size-2.5 -translate-x-1/2 -translate-y-1/2 rounded-full border-2 border-ink ${contributions === 0 ? "bg-sheet" : "bg-ink"}`}
          style={{ left: `${reputation}%` }}
        />
      </span>
      <span className="font-mono text-20 text-right">{reputation.toFixed(1)}</span>
    </div>
  );
}

function Sum({ role, all }: { role: Role; all: Reputations }) {
  const { neutral, neutral_weight: start } = all;
  return (
    <p className="text-14 text-ink-2 font-mono mt-1 [overflow-wrap:anywhere]">
      ({start} × {neutral} + {role.adds.toFixed(2)}) / ({start} + {role.weight.toFixed(3)}) ={" "}
      {role.reputation.toFixed(2)}
    </p>
  );
}

const TERM: Record<string, string> = { duplicate: "a near-duplicate", failed: "failed" };
const termsOf = (terms: Role["latest"][number]["terms"]) =>
  Object.entries(terms)
    .map(([name, value]) => TERM[name] ?? `${name.replaceAll("_", " ")} ${value}`)
    .join(", ");

function Outcomes({ role }: { role: Role }) {
  const more = role.contributions - role.latest.length;
  return (
    <details className="text-14 mt-1">
      <summary className="text-ink-2 font-semibold w-fit">
        {role.contributions === 1 ? "The contribution" : `The ${role.contributions} contributions`} behind it
      </summary>
      <ol className="mt-2 border-l-2 border-line pl-4">
        {role.latest.map((each) => (
          <li
            key={`${each.run.id} ${each.phase} ${each.at}`}
            className="border-b border-line py-2 grid grid-cols-[minmax(0,1fr)_max-content] gap-x-4 gap-y-0.5"
          >
            <Link to="/runs/$id" params={{ id: each.run.id }} className="truncate font-semibold hover:underline">
              <bdi>{oneLine(each.run.goal)}</bdi>
            </Link>
            <span className="font-mono text-right" title="weight × score">
              {each.weight.toFixed(3)} × {each.score} = {each.adds.toFixed(2)}
            </span>
            <span className="label truncate">
              {each.phase.toLowerCase()}
              {Object.keys(each.terms).length > 0 && `: ${termsOf(each.terms)}`}
            </span>
            <span className="label text-right">
              <When at={each.at} />
            </span>
          </li>
        ))}
      </ol>
      {more > 0 && (
        <p className="label mt-2">
          {more} earlier {more === 1 ? "one is" : "ones are"} in the sum too.
        </p>
      )}
    </details>
  );
}
