import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { type Answer, patch, post } from "../../api/call.ts";
import { api, useOperator } from "../../api/queries.ts";
import { oneLine } from "../../safe-text.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Field, fieldProblem, isAtFields } from "../../ui/field.tsx";
import { Markdown, PlainText } from "../../ui/markdown.tsx";
import { Empty, Notice, ProblemNotice } from "../../ui/notice.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { Day, When } from "../../ui/when.tsx";
import { Word } from "../../ui/word.tsx";
import { CheckTrial, RightWord } from "./check-trial.tsx";
import { Desk } from "./desk.tsx";
import { useDone } from "./done.tsx";
import { kindOfCheck, STATE_TONES } from "./prompts-page.tsx";

type Prompt = Answer<"/api/admin/prompts/{prompt_id}">;
const ANSWERS = 20;

/** One prompt: what it says, changing it, its check tried, and what was answered. */
export function DeskPromptPage() {
  const { id } = useParams({ from: "/operator/prompts/$id" });
  const isOperator = useOperator() === true;
  const { data, error, refetch } = useQuery({
    ...api("/api/admin/prompts/{prompt_id}", { path: { prompt_id: id } }),
    enabled: isOperator,
  });
  const { notice, say, attempt } = useDone();
  const setRetired = (retired: boolean) =>
    patch("/api/admin/prompts/{prompt_id}", { path: { prompt_id: id } }, { retired });
  const isRetired = data?.state === "retired";
  const change = () =>
    attempt(async () => {
      await setRetired(!isRetired);
      await say({
        text: isRetired ? "It is back in the pool." : "It is retired: nobody gets it any more. Its answers stay.",
        undo: {
          name: isRetired ? "Retire it again" : "Bring it back",
          run: () => setRetired(isRetired),
          said: isRetired ? "It is retired." : "It is back in the pool.",
        },
      });
    });
  return (
    <Desk
      title={`Prompt ${id}`}
      over={
        <Link to="/operator/prompts" className="link">
          Prompts
        </Link>
      }
      aside={
        data && (
          <span className="flex flex-wrap gap-2">
            {data.state === "closed" && (
              <ButtonLink to="/prompts/$id" params={{ id }}>
                As everybody sees it
              </ButtonLink>
            )}
            <Button onClick={() => void change()}>{isRetired ? "Bring it back" : "Retire it"}</Button>
          </span>
        )
      }
    >
      {notice}
      {error && <ProblemNotice error={error} retry={refetch} />}
      {!error && data === undefined && <SkeletonText lines={10} />}
      {data && (
        <div className="grid gap-10 [&>*]:min-w-0">
          <div className="grid lg:grid-cols-2 gap-x-12 gap-y-10">
            <Edit key={data.id} prompt={data} onSaved={() => say({ text: "Saved." })} />
            <div className="min-w-0 grid gap-10 content-start">
              <Section title="Where it is">
                <Facts
                  items={[
                    [
                      "State",
                      <Word key="state" tone={STATE_TONES[data.state] ?? "plain"}>
                        {data.state}
                      </Word>,
                    ],
                    ["Pool", data.kind === "gym" ? "gym" : "ladder"],
                    [
                      "Answers",
                      <span key="answers" className="font-mono">
                        {data.answers}
                      </span>,
                    ],
                    ["Here since", <Day key="since" at={data.created_at} />],
                  ]}
                />
              </Section>
              <Section title="Check" aside={kindOfCheck(data.check)}>
                {data.check === null ? (
                  <p className="text-14 text-ink-2">
                    It has none: people decide. Write one beside, save it, and try it here.
                  </p>
                ) : (
                  <CheckTrial key={JSON.stringify(data.check)} check={data.check} />
                )}
              </Section>
            </div>
          </div>
          <Section
            title="Answers"
            aside={
              data.answers > 0 && (
                <Link to="/operator/rulings" search={{ about: "prompt", id }} className="link">
                  Void votes on this prompt
                </Link>
              )
            }
          >
            <Answers prompt={data} />
          </Section>
        </div>
      )}
    </Desk>
  );
}

const FIELDS = ["prompt", "category", "deadline_seconds", "check", "reference", "external_id", "source"];

function Edit({ prompt, onSaved }: { prompt: Prompt; onSaved: () => Promise<void> }) {
  const [text, setText] = useState(prompt.prompt);
  const [category, setCategory] = useState(prompt.category);
  const [deadline, setDeadline] = useState(prompt.deadline_seconds === null ? "" : String(prompt.deadline_seconds));
  const [check, setCheck] = useState(prompt.check === null ? "" : JSON.stringify(prompt.check, null, 2));
  const [reference, setReference] = useState(prompt.reference ?? "");
  const [notJson, setNotJson] = useState<string>();
  const isFixed = prompt.kind === "main" && prompt.state !== "fresh" && prompt.answers > 0;
  const save = useMutation({
    mutationFn: (parsed: unknown) =>
      patch(
        "/api/admin/prompts/{prompt_id}",
        { path: { prompt_id: prompt.id } },
        {
          ...(isFixed ? {} : { prompt: text, category }),
          // What is no number is sent as it is, so that the arena says what it has to be.
          deadline_seconds:
            deadline.trim() === "" ? null : /^\s*\d+\s*$/.test(deadline) ? Number(deadline) : (deadline as never),
          check: parsed,
          reference: reference === "" ? null : reference,
        },
      ),
    onSuccess: onSaved,
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    setNotJson(undefined);
    try {
      save.mutate(check.trim() === "" ? null : JSON.parse(check));
    } catch (error) {
      setNotJson(`It is not JSON: ${(error as Error).message}`);
    }
  }
  const problem = (field: string) => fieldProblem(save.error, field);
  return (
    <Section title="What it says">
      <form onSubmit={submit} className="grid gap-5 [&>*]:min-w-0">
        {isFixed ? (
          <>
            <div
              className="border border-line rounded-md bg-sheet px-4 py-3 max-h-96 overflow-y-auto"
              tabIndex={0}
              role="group"
              aria-label="Text"
            >
              <PlainText text={prompt.prompt} />
            </div>
            <p className="text-14 text-ink-3">
              Agents have answered it: text and category stay. To change them, retire it and add another.
            </p>
          </>
        ) : (
          <>
            <Field label="Text" value={text} onChange={setText} rows={8} problem={problem("prompt")} />
            <Field label="Category" value={category} onChange={setCategory} problem={problem("category")} required />
          </>
        )}
        <Field
          label="Deadline in seconds"
          mono
          inputMode="numeric"
          value={deadline}
          onChange={setDeadline}
          problem={problem("deadline_seconds")}
          hint="Empty: the arena's own, AGON_PROMPT_DEADLINE_SECONDS."
        />
        <Field
          label="Check"
          mono
          value={check}
          onChange={setCheck}
          rows={6}
          problem={notJson ?? problem("check")}
          hint='JSON, such as {"kind": "number", "value": 42}. Empty: people decide.'
        />
        <Field
          label="Reference answer"
          value={reference}
          onChange={setReference}
          rows={3}
          problem={problem("reference")}
          hint="For operators; nobody else sees it."
        />
        {save.error && !isAtFields(save.error, FIELDS) && <ProblemNotice error={save.error} />}
        <div>
          <Button type="submit" look="main" busy={save.isPending && "Saving…"}>
            Save
          </Button>
        </div>
      </form>
    </Section>
  );
}

function Answers({ prompt }: { prompt: Prompt }) {
  const { id } = useParams({ from: "/operator/prompts/$id" });
  const { offset = 0 } = useSearch({ from: "/operator/prompts/$id" });
  const navigate = useNavigate({ from: "/operator/prompts/$id" });
  const { notice, say, attempt } = useDone();
  const { data, error, refetch } = useQuery(
    api("/api/admin/prompts/{prompt_id}/answers", {
      path: { prompt_id: id },
      query: { limit: ANSWERS, offset: offset || undefined },
    }),
  );
  const hide = (answer: number) => post("/api/admin/answers/{answer_id}/hide", { path: { answer_id: answer } });
  const show = (answer: number) => post("/api/admin/answers/{answer_id}/show", { path: { answer_id: answer } });
  if (error) return <ProblemNotice error={error} retry={refetch} />;
  if (data === undefined) return <SkeletonText lines={4} />;
  if (data.total === 0) {
    return prompt.kind === "gym" ? (
      <Notice>Answers of the gym are practice: they are judged by nobody, and their agents' owners see them.</Notice>
    ) : (
      <Empty title="No answer yet">They stand here as they come, with whose they are.</Empty>
    );
  }
  return (
    <>
      {notice}
      <ol className="grid gap-4 [&>*]:min-w-0">
        {data.items.map((answer) => (
          <li key={answer.id} className="border border-line rounded-md bg-sheet">
            <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 border-b border-line text-14">
              <Link
                to="/agents/$id"
                params={{ id: String(answer.agent.id) }}
                className="link font-semibold min-w-0 max-w-full truncate"
              >
                <bdi>{oneLine(answer.agent.name)}</bdi>
              </Link>
              {answer.check_right !== null && <RightWord right={answer.check_right} />}
              {answer.hidden && <Word tone="bad">hidden</Word>}
              {answer.names_itself && <Word tone="warn">names itself</Word>}
              <span className="text-ink-3">
                <span className="font-mono">#{answer.id}</span> · <span className="font-mono">{answer.votes}</span>{" "}
                votes · <When at={answer.finished_at} />
              </span>
              <span className="ml-auto flex flex-wrap gap-1">
                <ButtonLink
                  to="/operator/rulings"
                  search={{ about: "answer", id: String(answer.id) }}
                  small
                  look="quiet"
                >
                  Void its votes
                </ButtonLink>
                <Button
                  small
                  look="quiet"
                  onClick={() =>
                    void attempt(async () => {
                      await (answer.hidden ? show(answer.id) : hide(answer.id));
                      await say({
                        text: answer.hidden
                          ? "The answer is judged again."
                          : "The answer is shown to no judge any more, and its text to nobody but its owner.",
                        undo: {
                          name: answer.hidden ? "Hide it again" : "Show it again",
                          run: () => (answer.hidden ? hide(answer.id) : show(answer.id)),
                          said: answer.hidden ? "The answer is hidden." : "The answer is judged again.",
                        },
                      });
                    })
                  }
                >
                  {answer.hidden ? "Show again" : "Hide"}
                </Button>
              </span>
            </div>
            <div
              className="px-4 py-3 max-h-64 overflow-y-auto text-14"
              tabIndex={0}
              role="group"
              aria-label={`Answer ${answer.id}`}
            >
              <Markdown text={answer.response} />
            </div>
          </li>
        ))}
      </ol>
      <Pager
        total={data.total}
        offset={offset}
        size={ANSWERS}
        onOffset={(next) => void navigate({ search: next === 0 ? {} : { offset: next } })}
      />
    </>
  );
}
