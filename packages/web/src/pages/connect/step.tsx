import type { ReactNode } from "react";
import { cx } from "../../ui/class-names.ts";

export type StepState = "done" | "now" | "later" | "failed";
const MARKS: Record<StepState, string> = {
  done: "bg-good border-good text-paper",
  now: "bg-marker border-ink text-on-marker",
  later: "border-line text-ink-3",
  failed: "bg-bad border-bad text-paper",
};
const WORDS: Record<StepState, string> = { done: "done", now: "now", later: "later", failed: "failed" };

/** One step of a way, with a line down to the next. */
export function Step({
  number,
  state,
  title,
  children,
  isLast,
}: {
  number: string;
  state: StepState;
  title: ReactNode;
  children?: ReactNode;
  isLast?: boolean;
}) {
  return (
    <li
      className="grid grid-cols-[2rem_minmax(0,1fr)] gap-x-4"
      aria-current={state === "now" ? "step" : undefined}
      data-state={state}
    >
      <span className="flex flex-col items-center">
        <span
          className={cx(
            "size-8 grid place-items-center rounded-full border font-mono text-14 font-semibold transition-colors duration-150",
            MARKS[state],
          )}
        >
          {state === "done" || state === "failed" ? (
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <path
                d={state === "done" ? "M3 8.5l3.5 3.5L13 4.5" : "M4 4l8 8M12 4l-8 8"}
                fill="none"
                stroke="currentColor"
                strokeWidth="2"
              />
            </svg>
          ) : (
            number
          )}
        </span>
        {!isLast && <span className={cx("w-px flex-1 min-h-6", state === "done" ? "bg-good" : "bg-line")} />}
      </span>
      <div className={cx("min-w-0 pt-1", isLast ? "pb-2" : "pb-8")}>
        <h2 className={cx("text-16", state === "later" && "text-ink-3 font-normal")}>
          {title}
          <span className="sr-only"> ({WORDS[state]})</span>
        </h2>
        {children && <div className="mt-3">{children}</div>}
      </div>
    </li>
  );
}
