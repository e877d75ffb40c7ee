import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type Answer, post } from "../../api/call.ts";
import { api, live, useOperator } from "../../api/queries.ts";
import { oneLine, unturned } from "../../safe-text.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { Empty, Notice, ProblemNotice } from "../../ui/notice.tsx";
import { PAGE_SIZE, Pager } from "../../ui/pager.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { When } from "../../ui/when.tsx";
import { Word } from "../../ui/word.tsx";
import { Desk } from "./desk.tsx";
import { useDone } from "./done.tsx";
import { ListControls } from "./list-controls.tsx";

type Report = Answer<"/api/admin/reports">["items"][number];
const STATES = ["open", "hidden", "dismissed"];
const REASONS: Record<string, string> = { spam: "spam", harm: "harmful", names_itself: "names itself" };
const JUDGES: Record<string, string> = {
  account: "a judge with an account",
  anonymous: "a visitor",
  model: "the model",
};

/** What judges said is wrong with answers, and what could not be found out about some. */
export function ReportsPage() {
  const { state = "open", offset = 0 } = useSearch({ from: "/operator/reports" });
  const navigate = useNavigate({ from: "/operator/reports" });
  const { notice, say, attempt } = useDone();
  const go = (next: string | undefined, from?: number) =>
    void navigate({
      search: { ...(next === "open" ? {} : { state: next ?? "all" }), ...(from ? { offset: from } : {}) },
    });
  const query = { limit: PAGE_SIZE, state: state === "all" ? undefined : state, offset: offset || undefined };
  const isOperator = useOperator() === true;
  const { data, isPending, error, refetch } = useQuery(
    live({ ...api("/api/admin/reports", { query }), enabled: isOperator }, 15_000),
  );
  const setHidden = (id: number, hidden: boolean) =>
    hidden
      ? post("/api/admin/answers/{answer_id}/hide", { path: { answer_id: id } })
      : post("/api/admin/answers/{answer_id}/show", { path: { answer_id: id } });
  const setDismissed = (id: number, dismissed: boolean) =>
    post("/api/admin/reports/{report_id}/dismiss", { path: { report_id: id } }, { dismissed });
  const hide = (report: Report, hidden: boolean) =>
    attempt(async () => {
      const [done, back] = [
        "The answer is hidden: no judge sees it, and votes on it count no more from now on.",
        "The answer is judged again.",
      ];
      await setHidden(report.answer_id, hidden);
      await say({
        text: hidden ? done : back,
        undo: {
          name: hidden ? "Show it again" : "Hide it again",
          run: () => setHidden(report.answer_id, !hidden),
          said: hidden ? back : done,
        },
      });
    });
  const dismiss = (report: Report, dismissed: boolean) =>
    attempt(async () => {
      const [done, back] = ["The report is dismissed; the answer stays.", "The report is open again."];
      await setDismissed(report.id, dismissed);
      await say({
        text: dismissed ? done : back,
        undo: {
          name: dismissed ? "Open it again" : "Dismiss it again",
          run: () => setDismissed(report.id, !dismissed),
          said: dismissed ? back : done,
        },
      });
    });
  return (
    <Desk
      title="Reports"
      intro="What judges say is wrong with answers. Hiding keeps an answer from judges; past votes on it count until a ruling voids them."
    >
      {notice}
      <ListControls states={STATES} state={state === "all" ? undefined : state} onState={(next) => go(next)} />
      {error && <ProblemNotice error={error} retry={refetch} />}
      {isPending && <SkeletonRows rows={6} height={96} />}
      {data?.total === 0 && (
        <Empty title={state === "open" ? "No report waits for you" : "No report is like that"}>
          Judges can report an answer beside voting on it.
        </Empty>
      )}
      <ol className="grid gap-4 [&>*]:min-w-0">
        {data?.items.map((report) => (
          <li key={report.id} className="border border-line rounded-md bg-sheet">
            <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 border-b border-line text-14">
              <b>{REASONS[report.reason] ?? report.reason}</b>
              <Link
                to="/agents/$id"
                params={{ id: String(report.agent.id) }}
                className="link min-w-0 max-w-full truncate"
              >
                <bdi>{oneLine(report.agent.name)}</bdi>
              </Link>
              <Link to="/operator/prompts/$id" params={{ id: report.prompt_id }} className="link">
                prompt {report.prompt_id}
              </Link>
              <span className="text-ink-3">
                {JUDGES[report.judge_kind] ?? report.judge_kind} · <When at={report.created_at} />
              </span>
              {report.hidden && <Word tone="bad">hidden</Word>}
              {report.dismissed_at !== null && <Word tone="plain">dismissed</Word>}
            </div>
            {report.comment !== null && (
              <p className="px-4 pt-3 text-14 [overflow-wrap:anywhere]">“{unturned(report.comment)}”</p>
            )}
            <div
              className="px-4 py-3 max-h-56 overflow-y-auto text-14"
              tabIndex={0}
              role="group"
              aria-label={`The answer of report ${report.id}`}
            >
              <Markdown text={report.response} />
            </div>
            <div className="flex flex-wrap gap-2 px-4 py-3 border-t border-line">
              <Button small look={report.hidden ? "plain" : "danger"} onClick={() => void hide(report, !report.hidden)}>
                {report.hidden ? "Show the answer again" : "Hide the answer"}
              </Button>
              {!report.hidden && (
                <Button small onClick={() => void dismiss(report, report.dismissed_at === null)}>
                  {report.dismissed_at === null ? "Dismiss" : "Open again"}
                </Button>
              )}
              <ButtonLink
                to="/operator/rulings"
                search={{ about: "answer", id: String(report.answer_id) }}
                small
                look="quiet"
              >
                Void its votes
              </ButtonLink>
            </div>
          </li>
        ))}
      </ol>
      {data && (
        <Pager total={data.total} offset={offset} onOffset={(next) => go(state === "all" ? undefined : state, next)} />
      )}
      <div className="h-10" />
      <Section title="Not found out">
        <UnknownGates />
      </Section>
    </Desk>
  );
}

const GATES: Record<string, string> = { check: "check", names_itself: "search for names" };

function UnknownGates() {
  const { data, error, refetch } = useQuery(api("/api/admin/unknown-gates", { query: { limit: PAGE_SIZE } }));
  const retry = useMutation({
    mutationFn: () => post("/api/admin/unknown-gates/retry"),
    onSuccess: () => refetch(),
  });
  if (error) return <ProblemNotice error={error} retry={refetch} />;
  if (data === undefined) return <SkeletonRows rows={3} />;
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      {retry.data && (
        <div role="status">
          <Notice tone={retry.data.settled === retry.data.retried ? "good" : "warn"} word="Asked again">
            {retry.data.settled} of {retry.data.retried} checks said something now.
          </Notice>
        </div>
      )}
      {retry.error && <ProblemNotice error={retry.error} />}
      {data.total === 0 ? (
        <p className="text-14 text-ink-2">
          Every check and every search for names came to a result. What does not is held against nobody, and stands
          here.
        </p>
      ) : (
        <>
          <ol>
            {data.items.map((gate) => (
              <li
                key={`${gate.answer_id} ${gate.gate}`}
                className="grid grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[9rem_8rem_minmax(0,1fr)_8rem] gap-x-4 py-2 border-b border-line text-14"
              >
                <Link to="/operator/prompts/$id" params={{ id: gate.prompt_id }} className="link justify-self-start">
                  prompt {gate.prompt_id}
                </Link>
                <span>{GATES[gate.gate] ?? gate.gate}</span>
                <span className="text-ink-2 [overflow-wrap:anywhere] max-md:col-span-2">{gate.detail}</span>
                <span className="text-ink-3 md:text-right">
                  <When at={gate.found_at} />
                </span>
              </li>
            ))}
          </ol>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button onClick={() => retry.mutate()} busy={retry.isPending && "Asking…"}>
              Ask the checks again
            </Button>
            <span className="text-14 text-ink-3">{data.total} in all. Mend the check on its prompt's page first.</span>
          </div>
        </>
      )}
    </div>
  );
}
