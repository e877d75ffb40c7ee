import type { ReactNode } from "react";
import { ApiProblem, ConnectionLost } from "../api/problem.ts";
import { Button } from "./button.tsx";
import { cx } from "./class-names.ts";
import { CopyButton } from "./copy-button.tsx";

type Tone = "plain" | "good" | "warn" | "bad" | "ours";
const TONES: Record<Tone, [box: string, word: string]> = {
  plain: ["border-line bg-sheet", "text-ink-2"],
  good: ["border-good/40 bg-good-soft", "text-good"],
  warn: ["border-warn/40 bg-warn-soft", "text-warn"],
  bad: ["border-bad/40 bg-bad-soft", "text-bad"],
  ours: ["border-ours/40 bg-ours-soft", "text-ours"],
};

/** Something to know, with its tone as a word and not as a colour alone. */
export function Notice({
  tone = "plain",
  word,
  children,
  action,
}: {
  tone?: Tone;
  word?: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  const [box, colour] = TONES[tone];
  return (
    <div className={cx("border rounded-md px-4 py-3 text-14 flex flex-wrap gap-x-4 gap-y-2 items-start arrive", box)}>
      <div className="min-w-0 flex-1 basis-64">
        {word && <span className={cx("font-semibold mr-2", colour)}>{word}</span>}
        {children}
      </div>
      {action}
    </div>
  );
}

/** Says what will be here, and offers the one thing that fills it. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="border border-dashed border-edge rounded-md px-6 py-10 text-center">
      <p className="font-semibold">{title}</p>
      {children && <div className="text-14 text-ink-2 mt-1 mx-auto max-w-[60ch]">{children}</div>}
      {action && <div className="mt-4 flex justify-center gap-2 flex-wrap">{action}</div>}
    </div>
  );
}

/** An error in the arena's own words, with what to do and what to quote. */
export function ProblemNotice({ error, retry }: { error: unknown; retry?: (() => unknown) | undefined }) {
  if (error instanceof ConnectionLost) {
    return (
      <Notice tone="warn" word="No connection">
        {error.message}
      </Notice>
    );
  }
  const problem = error instanceof ApiProblem ? error : undefined;
  const isOurs = problem === undefined || problem.status >= 500;
  const text = problem?.message ?? "This page failed. It is a fault of the arena's, not yours.";
  return (
    <Notice
      tone={isOurs ? "ours" : "bad"}
      word={isOurs ? "Our fault" : "Not done"}
      action={
        <span className="flex gap-2">
          {problem?.requestId && <CopyButton text={problem.requestId} what="the request id" />}
          {retry && (
            <Button small onClick={() => void retry()}>
              Try again
            </Button>
          )}
        </span>
      }
    >
      <span role="alert">{sentence(text)}</span>
      {problem?.retryAfterSeconds !== undefined && <span> Try again in {problem.retryAfterSeconds} s.</span>}
      {problem?.requestId && (
        <div className="label mt-1">
          Request <span className="font-mono">{problem.requestId}</span>
        </div>
      )}
    </Notice>
  );
}

/** The arena's details begin small and end without a stop: they also stand inside other texts. */
export function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
