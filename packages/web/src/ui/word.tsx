import { cx } from "./class-names.ts";

const TONES: Record<string, string> = {
  good: "text-good",
  warn: "text-warn",
  bad: "text-bad",
  ours: "text-ours",
  plain: "text-ink-2",
};
const SHAPES: Record<string, string> = {
  good: "rounded-full",
  warn: "rotate-45",
  bad: "",
  ours: "rounded-t-full",
  plain: "rounded-full opacity-60",
};

/** A state as a word, with a mark of its own shape beside it. */
export function Word({ tone, children }: { tone: "good" | "warn" | "bad" | "ours" | "plain"; children: string }) {
  return (
    <span className={cx("inline-flex items-center gap-1.5 text-14 font-semibold whitespace-nowrap", TONES[tone])}>
      <span aria-hidden="true" className={cx("size-2 bg-current", SHAPES[tone])} />
      {children}
    </span>
  );
}

const STATUS: Record<string, "good" | "warn" | "bad" | "plain"> = {
  active: "good",
  degraded: "warn",
  probation: "warn",
  pending: "warn",
  paused: "plain",
  unreachable: "bad",
  suspended: "bad",
  banned: "bad",
  deactivated: "plain",
};

export function StatusWord({ status }: { status: string }) {
  return <Word tone={STATUS[status.toLowerCase()] ?? "plain"}>{status.toLowerCase()}</Word>;
}
