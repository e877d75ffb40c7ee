import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { type Answer, post } from "../../api/call.ts";
import { oneLine } from "../../safe-text.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { Field, fieldProblem, isAtFields } from "../../ui/field.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";

type Outcome = Answer<"/api/admin/rulings", "post">;
type Kind = "void" | "rejudge" | "quarantine";
type Judge = { kind: "account" | "anonymous" | "model" | "check"; id?: string };
interface Choice {
  numbers?: number[];
  from?: number;
  to?: number;
  battle_ids?: number[];
  answer_id?: number;
  prompt_id?: number;
  agent_id?: number;
  judge?: Judge;
}

const KINDS: readonly [kind: Kind, name: string, what: string][] = [
  ["void", "Void", "these votes count no more"],
  ["rejudge", "Judge again", "they count no more, and their battles are shown to judges anew"],
  ["quarantine", "Put a judge aside", "no vote of this judge counts, nor do later ones"],
];
const ABOUTS = {
  answer: { name: "votes on an answer", label: "Answer's id", hint: "It stands at the answer, on its prompt's page." },
  battle: { name: "votes on battles", label: "Battles' ids", hint: "With commas between: 12, 15" },
  votes: { name: "single votes", label: "Votes' numbers", hint: "With commas between, or a stretch: 120-140" },
  prompt: { name: "votes on a prompt", label: "Prompt's id", hint: undefined },
  agent: { name: "votes on an agent", label: "Agent's id", hint: "Every vote on a battle of it." },
  judge: { name: "votes of a judge", label: "Judge", hint: "An account's id, or model: and the model's name." },
} as const;
type About = keyof typeof ABOUTS;
const ORDER = Object.keys(ABOUTS) as About[];

/** What was written as a choice of votes; undefined when it is none. */
function readChoice(about: About, text: string): Choice | undefined {
  const whole = (part: string) => (/^[1-9]\d{0,14}$/.test(part.trim()) ? Number(part) : undefined);
  const list = text.split(/[\s,]+/).filter((part) => part !== "");
  const stretch = /^\s*(\d+)\s*[-–]\s*(\d+)\s*$/.exec(text);
  if (about === "votes" && stretch) return { from: Number(stretch[1]), to: Number(stretch[2]) };
  if (about === "votes" || about === "battle") {
    const ids = list.map(whole);
    if (ids.length === 0 || ids.some((each) => each === undefined)) return undefined;
    return about === "votes" ? { numbers: ids as number[] } : { battle_ids: ids as number[] };
  }
  if (about === "judge") {
    const model = /^model:\s*(.+)$/i.exec(text.trim())?.[1];
    if (model !== undefined) return { judge: { kind: "model", id: model } };
    return whole(text) === undefined ? undefined : { judge: { kind: "account", id: text.trim() } };
  }
  const id = whole(text);
  if (id === undefined) return undefined;
  return about === "answer" ? { answer_id: id } : about === "prompt" ? { prompt_id: id } : { agent_id: id };
}

/** A ruling that is made up, shown with what would move, and only then spoken. */
export function RulingForm({
  about: asked,
  id,
  onRuled,
}: {
  about: string | undefined;
  id: string | undefined;
  onRuled: (text: string, rulingId: number | null, isLiftable: boolean) => Promise<void>;
}) {
  const [kind, setKind] = useState<Kind>("void");
  const [about, setAbout] = useState<About>(ORDER.find((each) => each === asked) ?? "answer");
  const [text, setText] = useState(id ?? "");
  const [wrong, setWrong] = useState<string>();
  const [shown, setShown] = useState<{ choice: Choice; kind: Kind }>();
  const of = kind === "quarantine" ? "judge" : about;
  const preview = useMutation({
    mutationFn: (ruling: { choice: Choice; kind: Kind }) =>
      post("/api/admin/rulings", {}, { ...ruling, reason: "", apply: false }),
  });
  const speak = useMutation({
    mutationFn: (ruling: { choice: Choice; kind: Kind; reason: string }) =>
      post("/api/admin/rulings", {}, { ...ruling, apply: true }),
    onSuccess: (done, ruling) => {
      change();
      setText("");
      const votes = `${done.votes} ${done.votes === 1 ? "vote counts" : "votes count"} no more`;
      const moved = `${done.agents_moved} ${done.agents_moved === 1 ? "agent" : "agents"} moved.`;
      return onRuled(`Ruling ${done.ruling_id}: ${votes}. ${moved}`, done.ruling_id, ruling.kind !== "rejudge");
    },
  });
  // What is shown is always of what stands in the fields.
  function change() {
    setShown(undefined);
    setWrong(undefined);
    preview.reset();
    speak.reset();
  }
  function look(event: FormEvent) {
    event.preventDefault();
    change();
    const choice = readChoice(of, text);
    if (choice === undefined)
      return setWrong(
        `Must be ${of === "votes" || of === "battle" ? "whole numbers" : of === "judge" ? "an account's id, or model: and a name" : "a whole number"}.`,
      );
    const ruling = { choice, kind };
    setShown(ruling);
    preview.mutate(ruling);
  }
  const { label, hint } = ABOUTS[of];
  return (
    <div className="grid lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)] gap-x-12 gap-y-8">
      <form onSubmit={look} className="grid gap-5 content-start">
        <fieldset className="grid gap-2 text-14">
          <legend className="font-semibold mb-1">What</legend>
          {KINDS.map(([each, name, what]) => (
            <label key={each} className="flex gap-2 items-baseline">
              <input
                type="radio"
                name="kind"
                value={each}
                checked={kind === each}
                onChange={() => {
                  setKind(each);
                  change();
                }}
                className="accent-(--ink)"
              />
              <span>
                <b>{name}</b>
                <span className="text-ink-2">: {what}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {kind !== "quarantine" && (
          <div>
            <label htmlFor="about" className="block text-14 font-semibold mb-1">
              Which
            </label>
            <select
              id="about"
              value={about}
              onChange={(event) => {
                setAbout(event.target.value as About);
                change();
              }}
              className="w-full bg-sheet border border-edge rounded-md px-3 h-10 text-16 hover:border-ink"
            >
              {ORDER.map((each) => (
                <option key={each} value={each}>
                  {ABOUTS[each].name}
                </option>
              ))}
            </select>
          </div>
        )}
        <Field
          label={label}
          mono
          value={text}
          onChange={(next) => {
            setText(next);
            change();
          }}
          problem={wrong}
          hint={hint}
          autoComplete="off"
          required
        />
        {preview.error && <ProblemNotice error={preview.error} />}
        <div>
          <Button type="submit" look="main" busy={preview.isPending && "Replaying the log…"}>
            See what would move
          </Button>
        </div>
      </form>
      <div className="min-w-0" aria-live="polite">
        {preview.data && shown ? (
          <Preview
            outcome={preview.data}
            kind={shown.kind}
            busy={speak.isPending}
            error={speak.error}
            onSpeak={(reason) => speak.mutate({ ...shown, reason })}
            onDrop={change}
          />
        ) : (
          <p className="text-14 text-ink-3 max-w-[52ch]">
            What would move stands here first: the whole log is replayed without these votes, and nothing changes before
            you speak the ruling.
          </p>
        )}
      </div>
    </div>
  );
}

const signed = (value: number) => `${value > 0 ? "+" : value < 0 ? "−" : "±"}${Math.abs(value).toFixed(1)}`;

function Preview({
  outcome,
  kind,
  busy,
  error,
  onSpeak,
  onDrop,
}: {
  outcome: Outcome;
  kind: Kind;
  busy: boolean;
  error: unknown;
  onSpeak: (reason: string) => void;
  onDrop: () => void;
}) {
  const [reason, setReason] = useState("");
  const votes = `${outcome.votes} ${outcome.votes === 1 ? "vote" : "votes"}`;
  if (outcome.votes === 0 && kind !== "quarantine") {
    return (
      <Notice word="No vote">There is no counted or uncounted vote like that which no ruling has struck yet.</Notice>
    );
  }
  return (
    <section aria-label="Preview" className="grid gap-4 arrive">
      <p className="text-14">
        About <b className="font-mono">{votes}</b>, of which <b className="font-mono">{outcome.counted}</b> count now,
        in <b className="font-mono">{outcome.battles}</b> {outcome.battles === 1 ? "battle" : "battles"}
        {kind === "rejudge" && (
          <>
            ; <b className="font-mono">{outcome.judged_again}</b> can be judged again
          </>
        )}
        . <b className="font-mono">{outcome.agents_moved}</b>{" "}
        {outcome.agents_moved === 1 ? "agent moves" : "agents move"}.
      </p>
      {outcome.agents.length > 0 && (
        <div className="max-h-96 overflow-y-auto" tabIndex={0} role="group" aria-label="Who moves">
          <table className="w-full text-14">
            <thead className="sticky top-0 bg-paper">
              <tr className="border-b border-ink text-ink-2">
                <th scope="col" className="text-left font-semibold h-8">
                  Agent
                </th>
                <th scope="col" className="text-right font-semibold">
                  Elo
                </th>
                <th scope="col" className="text-right font-semibold pl-4">
                  by
                </th>
                <th scope="col" className="text-right font-semibold pl-4 max-sm:hidden">
                  Rating
                </th>
                <th scope="col" className="text-right font-semibold pl-4">
                  Battles
                </th>
              </tr>
            </thead>
            <tbody>
              {outcome.agents.map(({ agent, ...each }) => {
                const by = each.elo_after - each.elo_before;
                return (
                  <tr key={agent.id} className="border-b border-line h-9">
                    <td className="max-w-0 w-full truncate pr-2">
                      <Link to="/agents/$id" params={{ id: String(agent.id) }} className="link">
                        <bdi>{oneLine(agent.name)}</bdi>
                      </Link>
                    </td>
                    <Moves from={each.elo_before} to={each.elo_after} />
                    <td
                      className={cx("text-right font-mono pl-4 whitespace-nowrap", by < 0 ? "text-bad" : "text-good")}
                    >
                      {signed(by)}
                    </td>
                    <Moves from={each.rating_before} to={each.rating_after} className="max-sm:hidden pl-4" />
                    <Moves from={each.battles_before} to={each.battles_after} className="pl-4" />
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {outcome.agents_moved > outcome.agents.length && (
        <p className="text-14 text-ink-3">And {outcome.agents_moved - outcome.agents.length} more, by less.</p>
      )}
      <Field
        label="Reason"
        value={reason}
        onChange={setReason}
        rows={2}
        maxLength={1_000}
        problem={fieldProblem(error, "reason")}
        hint="Published with the ruling."
      />
      {error !== null && !isAtFields(error, ["reason"]) && <ProblemNotice error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button look="danger" onClick={() => onSpeak(reason.trim())} busy={busy && "Speaking it…"}>
          {kind === "void" && `Void ${votes}`}
          {kind === "rejudge" && `Void ${votes} and judge again`}
          {kind === "quarantine" && `Put the judge aside with ${votes}`}
        </Button>
        <Button onClick={onDrop} disabled={busy}>
          Leave it
        </Button>
      </div>
      {kind === "rejudge" && (
        <p className="text-14 text-ink-3">A ruling that has battles judged again cannot be lifted.</p>
      )}
    </section>
  );
}

function Moves({ from, to, className }: { from: number | null; to: number | null; className?: string }) {
  const shown = (value: number | null) => (value === null ? "–" : String(Math.round(value)));
  return (
    <td className={cx("text-right font-mono whitespace-nowrap", className)}>
      <span className="text-ink-3">{shown(from)} → </span>
      {shown(to)}
    </td>
  );
}
