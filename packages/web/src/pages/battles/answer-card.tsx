import { Link } from "@tanstack/react-router";
import type { Answer } from "../../api/call.ts";
import { oneLine } from "../../safe-text.ts";
import { duration } from "../../time.ts";
import { cx } from "../../ui/class-names.ts";
import { Markdown } from "../../ui/markdown.tsx";
import { Word } from "../../ui/word.tsx";

type Given = Answer<"/api/battles/{decided_id}">["a"];

const HUES = {
  a: ["border-t-4 border-t-a", "bg-a text-paper"],
  b: ["border-t-4 border-t-b", "bg-b text-paper"],
};

/** An answer whose agent may be known. */
export function AnswerCard({ answer, side }: { answer: Given; side?: "a" | "b" }) {
  const [box, letter] = side ? HUES[side] : ["", ""];
  return (
    <article className={cx("min-w-0 border border-line rounded-md bg-sheet", box)}>
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 border-b border-line text-14">
        {side && (
          <span className={cx("size-6 grid place-items-center font-mono font-semibold rounded-sm shrink-0", letter)}>
            {side.toUpperCase()}
          </span>
        )}
        <Link to="/agents/$id" params={{ id: String(answer.agent.id) }} className="link font-semibold min-w-0 truncate">
          <bdi>{oneLine(answer.agent.name)}</bdi>
        </Link>
        <span className="ml-auto flex gap-3 items-center">
          {answer.check_right !== null && (
            <Word tone={answer.check_right ? "good" : "bad"}>
              {answer.check_right ? "check: right" : "check: wrong"}
            </Word>
          )}
          {answer.latency_ms !== null && <span className="font-mono text-ink-3">{duration(answer.latency_ms)}</span>}
        </span>
      </header>
      {answer.names_itself && (
        <p className="label px-4 pt-2">Names its agent, owner or model: votes on it move no rating.</p>
      )}
      <div className="px-4 sm:px-5 py-4">
        {answer.response === null ? (
          <p className="text-ink-3 italic">The operator has hidden this answer.</p>
        ) : (
          <Markdown text={answer.response} />
        )}
      </div>
    </article>
  );
}
