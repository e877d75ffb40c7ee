import { cx } from "./class-names.ts";

type State = "queued" | "running" | "completed" | "failed" | "timeout" | "cancelled";
const END: Record<string, string> = {
  completed: "bg-good text-paper border-good",
  failed: "bg-bad text-paper border-bad",
  timeout: "bg-warn text-paper border-warn",
  cancelled: "bg-ink-3 text-paper border-ink-3",
};

/** A task's life: queued, running, and how it ended, with the cause as a word. */
export function TaskStrip({ state, cause, left }: { state: State; cause?: string | null; left?: string | undefined }) {
  const isOver = state in END;
  const end = isOver ? state : "completed";
  const steps: [string, boolean, string][] = [
    ["queued", state === "queued", ""],
    [left && state === "running" ? `running, ${left} left` : "running", state === "running", ""],
    [
      cause && isOver ? `${end}: ${cause}` : end,
      isOver,
      cause === "arena" ? "bg-ours text-paper border-ours" : (END[end] ?? ""),
    ],
  ];
  return (
    <ol className="inline-flex text-12 font-mono max-w-full" aria-label="Task">
      {steps.map(([name, isNow, colour], index) => (
        <li
          key={index === 2 ? "end" : name}
          aria-current={isNow ? "step" : undefined}
          className={cx(
            "px-2 h-6 leading-6 border -ml-px first:ml-0 first:rounded-l-sm last:rounded-r-sm truncate",
            isNow ? (colour === "" ? "bg-ink text-paper border-ink" : colour) : "border-line text-ink-3 bg-sheet",
          )}
        >
          {name}
        </li>
      ))}
    </ol>
  );
}
