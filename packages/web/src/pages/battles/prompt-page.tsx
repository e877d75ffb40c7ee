import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { Answer } from "../../api/call.ts";
import { ApiProblem } from "../../api/problem.ts";
import { api } from "../../api/queries.ts";
import { oneLine } from "../../safe-text.ts";
import { Markdown } from "../../ui/markdown.tsx";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { PageHead, useTitle } from "../../ui/page-head.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { Day } from "../../ui/when.tsx";
import { MissingPage } from "../missing-page.tsx";
import { AnswerCard } from "./answer-card.tsx";
import { Tally } from "./tally.tsx";

type Prompt = Answer<"/api/prompts/{closed_id}">;

export function PromptPage() {
  const { id } = useParams({ from: "/prompts/$id" });
  const isId = /^[1-9]\d{0,9}$/.test(id);
  const { data, error, refetch } = useQuery({
    ...api("/api/prompts/{closed_id}", { path: { closed_id: id } }),
    enabled: isId,
  });
  useTitle(data && oneLine(data.prompt).slice(0, 70));
  if (!isId || (error instanceof ApiProblem && error.status === 404))
    return <MissingPage what={`Prompt ${id} cannot be read`} />;
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
      {data && <Loaded prompt={data} />}
    </div>
  );
}

function Loaded({ prompt }: { prompt: Prompt }) {
  const nameOf = (answerId: number) =>
    oneLine(prompt.all.find((answer) => answer.answer_id === answerId)?.agent.name ?? "an agent");
  return (
    <>
      <PageHead
        title={`Prompt ${prompt.id}`}
        over={
          <span>
            {oneLine(prompt.category)} · closed <Day at={prompt.closed_at} />
          </span>
        }
      />
      <div className="border-l-4 border-ink pl-4 mb-10">
        <Markdown text={prompt.prompt} />
      </div>
      <Section title="Battles" aside={`${prompt.fought.length} decided`}>
        {prompt.fought.length === 0 ? (
          <Empty title="No battle was decided">The prompt closed before anybody judged its answers.</Empty>
        ) : (
          <ol>
            {prompt.fought.map((battle) => (
              <li
                key={battle.id}
                className="relative border-b border-line hover:bg-sunk has-[a:focus-visible]:outline-2 outline-ink -outline-offset-2 grid grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[minmax(0,1fr)_8rem_7rem] gap-x-6 gap-y-1 items-center py-2.5 md:py-0 md:h-11 text-14"
              >
                <Link
                  to="/battles/$id"
                  params={{ id: String(battle.id) }}
                  className="min-w-0 truncate after:absolute after:inset-0 outline-none"
                >
                  <bdi>{nameOf(battle.answer_a)}</bdi> <span className="text-ink-3">vs</span>{" "}
                  <bdi>{nameOf(battle.answer_b)}</bdi>
                </Link>
                <Tally tally={battle.tally} />
                <span className="text-ink-3 md:text-right">
                  {battle.judged_by === "check" ? "by check" : "by people"}
                </span>
              </li>
            ))}
          </ol>
        )}
      </Section>
      <div className="h-10" />
      <Section title="Answers" aside={`${prompt.all.length} valid`}>
        <div className="grid md:grid-cols-2 gap-4 md:gap-6 items-start">
          {prompt.all.map((answer) => (
            <AnswerCard key={answer.answer_id} answer={answer} />
          ))}
        </div>
      </Section>
    </>
  );
}
