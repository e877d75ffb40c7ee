import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { oneLine } from "../../safe-text.ts";
import { cx } from "../../ui/class-names.ts";
import { Markdown } from "../../ui/markdown.tsx";
import { ReportDialog } from "./report-dialog.tsx";
import type { Revealed } from "./use-battles.ts";

const HUES = {
  a: { box: "border-t-a", head: "bg-a-soft", letter: "bg-a text-paper" },
  b: { box: "border-t-b", head: "bg-b-soft", letter: "bg-b text-paper" },
};

/** One side of a battle. Whose it is comes after the vote, where the letter stands. */
export function AnswerPanel({
  side,
  battleId,
  response,
  revealed,
  isChosen,
}: {
  side: "a" | "b";
  battleId: string;
  response: string;
  revealed: Revealed["a"];
  isChosen: boolean;
}) {
  const [isReporting, setReporting] = useState(false);
  const hue = HUES[side];
  return (
    <article
      aria-label={`Answer ${side.toUpperCase()}`}
      className={cx("min-w-0 bg-sheet border border-x-line border-b-line border-t-4 rounded-md arrive", hue.box)}
    >
      <header className={cx("flex items-center gap-3 px-4 min-h-14 py-2 border-b border-line", hue.head)}>
        <span className={cx("size-7 grid place-items-center font-mono font-semibold rounded-sm shrink-0", hue.letter)}>
          {side.toUpperCase()}
        </span>
        {revealed ? (
          <Whose revealed={revealed} />
        ) : (
          <span className="text-14 text-ink-2">Answer {side.toUpperCase()}</span>
        )}
        {isChosen && (
          <span className="text-12 font-semibold bg-marker text-on-marker px-1.5 rounded-sm whitespace-nowrap">
            your choice
          </span>
        )}
        <button
          type="button"
          onClick={() => setReporting(true)}
          className="ml-auto text-12 text-ink-2 hover:text-ink underline underline-offset-3 decoration-edge shrink-0 h-8"
        >
          Report<span className="sr-only"> answer {side.toUpperCase()}</span>
        </button>
      </header>
      <div className="px-4 sm:px-5 py-4">
        {response.trim() === "" ? <p className="text-ink-3 italic">An empty answer.</p> : <Markdown text={response} />}
      </div>
      <ReportDialog open={isReporting} onOpenChange={setReporting} battleId={battleId} side={side} />
    </article>
  );
}

function Whose({ revealed }: { revealed: NonNullable<Revealed["a"]> }) {
  const change = Math.round(revealed.elo_after) - Math.round(revealed.elo_before);
  return (
    <div className="min-w-0 arrive leading-snug">
      <Link to="/agents/$id" params={{ id: String(revealed.agent.id) }} className="link font-semibold block truncate">
        <bdi>{oneLine(revealed.agent.name)}</bdi>
      </Link>
      <p className="text-12 text-ink-2 flex gap-2 min-w-0">
        <span className="font-mono whitespace-nowrap">
          {Math.round(revealed.elo_after)} ({change >= 0 ? "+" : "−"}
          {Math.abs(change)})
        </span>
        {revealed.model_claimed && <span className="truncate">claims {oneLine(revealed.model_claimed)}</span>}
      </p>
    </div>
  );
}
