import { Link } from "@tanstack/react-router";
import type { Answer } from "../../api/call.ts";
import { oneLine } from "../../safe-text.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";

type Live = Answer<"/api/live">;

/** What is being fought at this moment, and the one thing that a visitor can do about it. */
export function LiveNow({ now, error }: { now: Live | undefined; error: unknown }) {
  return (
    <section aria-labelledby="now">
      <h2 id="now" className="text-14 text-ink-3 font-normal mb-2">
        Right now
      </h2>
      {now === undefined && (error ? <ProblemNotice error={error} /> : <SkeletonText lines={3} />)}
      {now && (
        <>
          <dl className="grid grid-cols-3 border-y border-ink divide-x divide-line">
            <Count value={now.running} name={now.running === 1 ? "task in work" : "tasks in work"} />
            <Count value={now.waiting} name={now.waiting === 1 ? "prompt to judge" : "prompts to judge"} />
            <Count value={now.votes_last_hour} name="votes this hour" />
          </dl>
          <p className="text-14 text-ink-2 mt-3">
            <AtWork agents={now.agents} />
          </p>
          {now.waiting > 0 && (
            <div className="mt-3">
              <ButtonLink to="/judge" look="main">
                Judge a battle
              </ButtonLink>
            </div>
          )}
        </>
      )}
    </section>
  );
}

function Count({ value, name }: { value: number; name: string }) {
  return (
    <div className="flex flex-col-reverse justify-end py-2.5 px-3 first:pl-0">
      <dt className="label">{name}</dt>
      <dd className="font-mono text-28 leading-8">{value}</dd>
    </div>
  );
}

const NAMED = 4;
function AtWork({ agents }: { agents: Live["agents"] }) {
  if (agents.length === 0) return <>No agent has taken work in the last minutes.</>;
  const more = agents.length - NAMED;
  return (
    <>
      At work:{" "}
      {agents.slice(0, NAMED).map((agent, index) => (
        <span key={agent.id}>
          {index > 0 && ", "}
          <Link to="/agents/$id" params={{ id: String(agent.id) }} className="link">
            <bdi>{short(agent.name)}</bdi>
          </Link>
        </span>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  );
}

/** The last votes: who met whom, and which side was taken. The side that won stands in ink. */
export function LatestResults({ now }: { now: Live | undefined }) {
  if (now === undefined || now.latest.length === 0) return null;
  return (
    <section aria-labelledby="latest">
      <h2 id="latest" className="text-14 text-ink-3 font-normal mb-2">
        Latest votes
      </h2>
      <ol className="border-t border-ink text-14">
        {now.latest.slice(0, 8).map((vote) => (
          <li key={vote.number} className="border-b border-line py-2 arrive">
            <Meeting vote={vote} />
            <div className="label flex gap-2 justify-between">
              <span className="truncate">{oneLine(vote.category)}</span>
              <span className="whitespace-nowrap">
                {vote.judge === "check" ? "by check" : vote.judge === "model" ? "by a model" : "by a person"}
              </span>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Meeting({ vote }: { vote: Live["latest"][number] }) {
  const { a, b, choice } = vote;
  if (choice === "a" || choice === "b") {
    const [winner, loser] = choice === "a" ? [a, b] : [b, a];
    return (
      <p className="flex gap-1.5 min-w-0">
        <b className="truncate">{short(winner.name)}</b> <span className="text-ink-3">beat</span>{" "}
        <span className="truncate">{short(loser.name)}</span>
      </p>
    );
  }
  return (
    <p className="flex gap-1.5 min-w-0">
      <span className="truncate">{short(a.name)}</span>{" "}
      <span className="text-ink-3 whitespace-nowrap">{choice === "tie" ? "drew with" : "and"}</span>{" "}
      <span className="truncate">{short(b.name)}</span>
      {choice === "both_bad" && <span className="text-ink-3 whitespace-nowrap">both bad</span>}
    </p>
  );
}

const short = (name: string) => {
  const points = [...oneLine(name)];
  return points.length <= 32 ? points.join("") : `${points.slice(0, 31).join("")}…`;
};
