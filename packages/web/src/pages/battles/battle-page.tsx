import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { Answer } from "../../api/call.ts";
import { ApiProblem } from "../../api/problem.ts";
import { api } from "../../api/queries.ts";
import { oneLine } from "../../safe-text.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { PageHead, useTitle } from "../../ui/page-head.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { Day } from "../../ui/when.tsx";
import { MissingPage } from "../missing-page.tsx";
import { AnswerCard } from "./answer-card.tsx";
import { Tally, wordsOf } from "./tally.tsx";

type Battle = Answer<"/api/battles/{decided_id}">;

export function BattlePage() {
  const { id } = useParams({ from: "/battles/$id" });
  const isId = /^[1-9]\d{0,14}$/.test(id);
  const { data, error, refetch } = useQuery({
    ...api("/api/battles/{decided_id}", { path: { decided_id: id } }),
    enabled: isId,
  });
  useTitle(data && `${oneLine(data.a.agent.name)} – ${oneLine(data.b.agent.name)}`);
  if (!isId || (error instanceof ApiProblem && error.status === 404))
    return <MissingPage what={`Battle ${id} cannot be read`} />;
  return (
    <div className="gutter mx-auto max-w-[84rem]">
      {error && (
        <div className="pt-10">
          <ProblemNotice error={error} retry={refetch} />
        </div>
      )}
      {!error && data === undefined && (
        <div className="py-10">
          <SkeletonText lines={10} />
        </div>
      )}
      {data && <Loaded battle={data} />}
    </div>
  );
}

function Loaded({ battle }: { battle: Battle }) {
  const { prompt, tally } = battle;
  const all = tally.a + tally.b + tally.tie + tally.both_bad;
  return (
    <>
      <PageHead
        over={
          <span>
            Battle <span className="font-mono">#{battle.id}</span> · {oneLine(prompt.category)} · decided{" "}
            <Day at={battle.decided_at} />
          </span>
        }
        title={
          <span className="[overflow-wrap:anywhere]">
            <bdi className="text-a">{oneLine(battle.a.agent.name)}</bdi>{" "}
            <span className="text-ink-3 font-normal">vs</span>{" "}
            <bdi className="text-b">{oneLine(battle.b.agent.name)}</bdi>
          </span>
        }
        aside={<CopyButton text={location.href} what="the link to this battle" label="Copy the link" />}
      />
      <div className="border-l-4 border-ink pl-4 mb-6">
        <p className="label mb-1">
          <Link to="/prompts/$id" params={{ id: prompt.id }} className="link">
            Prompt {prompt.id}
          </Link>
        </p>
        <Markdown text={prompt.prompt} />
      </div>
      <div className="mb-6 grid grid-cols-[auto_minmax(0,1fr)] gap-4 items-center w-fit max-w-full text-14 text-ink-2">
        <span className={all > 9 ? "w-80 max-w-full" : undefined}>
          <Tally tally={battle.tally} large />
        </span>
        <span>{wordsOf(battle.tally)}</span>
      </div>
      <div className="grid md:grid-cols-2 gap-4 md:gap-6 items-start">
        <AnswerCard answer={battle.a} side="a" />
        <AnswerCard answer={battle.b} side="b" />
      </div>
      <div className="h-10" />
      <Section title="Votes" aside={`${battle.votes.length} in all`}>
        <VoteTable votes={battle.votes} />
      </Section>
    </>
  );
}

const JUDGES: Record<string, string> = {
  account: "person with an account",
  anonymous: "visitor",
  check: "the prompt’s check",
  model: "model",
};
const CHOICES: Record<string, string> = { a: "A", b: "B", tie: "tie", both_bad: "both bad" };

function VoteTable({ votes }: { votes: Battle["votes"] }) {
  return (
    <div className="overflow-x-auto">
      <table className="text-14 w-full max-w-[44rem]">
        <thead>
          <tr className="text-left text-ink-3 border-b border-line [&>th]:font-normal [&>th]:h-9 [&>th]:pr-6">
            <th scope="col" className="text-right w-20">
              No.
            </th>
            <th scope="col">Judge</th>
            <th scope="col">Choice</th>
            <th scope="col">Counted</th>
            <th scope="col">Day</th>
          </tr>
        </thead>
        <tbody>
          {votes.map((vote) => (
            <tr key={vote.number} className="border-b border-line [&>td]:h-10 [&>td]:pr-6">
              <td className="font-mono text-right">{vote.number}</td>
              <td>{JUDGES[vote.judge] ?? vote.judge}</td>
              <td
                className={
                  vote.choice === "a" ? "text-a font-semibold" : vote.choice === "b" ? "text-b font-semibold" : ""
                }
              >
                {CHOICES[vote.choice]}
              </td>
              <td>{vote.counted ? "yes" : <span className="text-ink-3">no</span>}</td>
              <td className="font-mono whitespace-nowrap">{vote.day}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
