import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { post } from "../../api/call.ts";
import { ApiProblem } from "../../api/problem.ts";
import { oneLine, unturned } from "../../safe-text.ts";
import { duration } from "../../time.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty, Notice, ProblemNotice, sentence } from "../../ui/notice.tsx";
import { PageHead, useTitle } from "../../ui/page-head.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { When } from "../../ui/when.tsx";
import { MissingPage } from "../missing-page.tsx";
import { CandidateCard } from "./candidate-card.tsx";
import { Lanes } from "./lanes.tsx";
import { WinnersPlan } from "./plan.tsx";
import { Ranking } from "./ranking.tsx";
import { counted, type Run, RunWord } from "./run-words.tsx";
import { useRun } from "./use-run.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** A longer goal is folded under its beginning. */
const HEADING_MOST = 140;

/** A run: while it goes on as it goes on, and then what came of it. */
export function RunPage() {
  const { id } = useParams({ from: "/runs/$id" });
  const isId = UUID.test(id);
  const { data: run, error, refetch } = useRun(id, isId);
  useTitle(run && cut(oneLine(run.goal), 70));
  if (!isId || (error instanceof ApiProblem && error.status === 404)) {
    return <MissingPage what="No run has this address" />;
  }
  return (
    <div className="gutter mx-auto max-w-[84rem]">
      {run === undefined ? (
        <div className="py-10">
          {error ? <ProblemNotice error={error} retry={refetch} /> : <SkeletonText lines={12} />}
        </div>
      ) : (
        <Found run={run} />
      )}
    </div>
  );
}

const cut = (text: string, most: number) => {
  const points = [...text];
  return points.length <= most ? text : `${points.slice(0, most - 1).join("")}…`;
};

function Found({ run }: { run: Run }) {
  const goal = oneLine(run.goal);
  const isLong = [...goal].length > HEADING_MOST;
  const winner = run.candidates.find((each) => each.id === run.winner_id);
  // Who comes for the result finds it first; under the eyes of who watches nothing changes its place.
  const [wasOver] = useState(run.finished_at !== null);
  const lanes = (
    <Section title="Who does what">
      <Lanes run={run} />
    </Section>
  );
  return (
    <>
      <PageHead
        title={
          <bdi className="[overflow-wrap:anywhere] text-20 sm:text-28 block max-w-[48ch]">
            {cut(goal, HEADING_MOST)}
          </bdi>
        }
        over={
          <span className="flex flex-wrap gap-x-4 gap-y-1 items-center">
            <RunWord status={run.status} />
            <span>{oneLine(run.launchpad.title)}</span>
            <span>
              begun <When at={run.created_at} />
            </span>
            {run.finished_at !== null && <span>took {duration(run.cost.elapsed_ms)}</span>}
          </span>
        }
        aside={<Tools run={run} />}
      >
        {(isLong || run.goal.trim().includes("\n")) && (
          <details className="text-14">
            <summary className="font-semibold text-ink-2">The whole goal</summary>
            <p className="mt-2 whitespace-pre-wrap [overflow-wrap:anywhere] max-h-96 overflow-y-auto">
              {unturned(run.goal)}
            </p>
          </details>
        )}
      </PageHead>
      <div className="grid gap-12 pb-8">
        <Outcome run={run} />
        {!wasOver && lanes}
        {run.ranking.length > 0 && (
          <Section title="Ranking" aside="score = evidence − penalty + adjustment − verdict">
            <Ranking run={run} />
          </Section>
        )}
        {winner && (
          <Section title="The winner's plan">
            <WinnersPlan winner={winner} />
          </Section>
        )}
        <Section title="Candidates" aside={run.candidates.length > 0 && counted(run.candidates.length, "candidate")}>
          {run.candidates.length === 0 ? (
            <Empty title={run.finished_at === null ? "No candidate yet" : "No candidate"}>
              {run.finished_at === null
                ? "Each appears here when its scout has answered."
                : "No scout brought one before the run ended."}
            </Empty>
          ) : (
            <ol className="grid md:grid-cols-2 xl:grid-cols-3 gap-4 items-start">
              {run.candidates.map((candidate) => (
                <CandidateCard key={candidate.id} candidate={candidate} run={run} />
              ))}
            </ol>
          )}
        </Section>
        {wasOver && lanes}
        <Section title="What it took">
          <p className="text-14 text-ink-2 font-mono">
            {counted(run.cost.tasks, "task")} · {run.cost.prompt_tokens} tokens read · {run.cost.completion_tokens}{" "}
            written
            {run.cost.unknown > 0 && ` (${counted(run.cost.unknown, "answer")} did not say)`} ·{" "}
            {duration(run.cost.agent_ms)} of agents' time
          </p>
        </Section>
      </div>
    </>
  );
}

function Outcome({ run }: { run: Run }) {
  const again = (
    <ButtonLink to="/runs/new" small>
      Start another
    </ButtonLink>
  );
  if (run.status === "FAILED") {
    return (
      <Notice tone="bad" word="It failed" action={again}>
        {sentence(unturned(run.reason ?? "no candidate is left"))}
      </Notice>
    );
  }
  if (run.status === "CANCELLED") {
    return (
      <Notice word="Cancelled" action={again}>
        {run.yours ? "You have" : "Whoever began it has"} ended it; what was done until then stands below.
      </Notice>
    );
  }
  const winner = run.candidates.find((each) => each.id === run.winner_id);
  if (run.status === "COMPLETED") {
    return winner ? (
      <Notice tone="good" word="The winner">
        <bdi className="font-semibold [overflow-wrap:anywhere]">{cut(oneLine(winner.title), 300)}</bdi>, with{" "}
        {winner.score} of 100.
      </Notice>
    ) : (
      <Notice word="No winner">
        {run.ranking.length === 0 ? "This run ended without a ranking." : "No candidate was left at its end."}
      </Notice>
    );
  }
  return null;
}

function Tools({ run }: { run: Run }) {
  const path = `/api/runs/${run.id}`;
  const link = "link text-14 font-semibold";
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {run.finished_at === null && run.yours && <Cancel run={run} />}
      <a href={`${path}/report`} download={`run-${run.id}.md`} className={link}>
        Report (Markdown)
      </a>
      <a href={path} download={`run-${run.id}.json`} className={link}>
        JSON
      </a>
      <CopyButton text={`${location.origin}/runs/${run.id}`} what="its address" label="Copy link" />
    </div>
  );
}

function Cancel({ run }: { run: Run }) {
  const [asked, setAsked] = useState(false);
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => post("/api/runs/{run_id}/cancel", { path: { run_id: run.id } }),
    onSuccess: () => setAsked(false),
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <>
      <Button small look="danger" onClick={() => setAsked(true)}>
        Cancel the run
      </Button>
      <Dialog open={asked} onOpenChange={setAsked} title="Cancel the run?">
        <p>What agents are working on is withdrawn. What they have handed in stays, and nothing is ranked.</p>
        {cancel.error && <ProblemNotice error={cancel.error} />}
        <div className="flex gap-2 mt-5">
          <Button look="danger" busy={cancel.isPending && "Cancelling…"} onClick={() => cancel.mutate()}>
            Cancel it
          </Button>
          <Button onClick={() => setAsked(false)}>Let it go on</Button>
        </div>
      </Dialog>
    </>
  );
}
