import { cx } from "../../ui/class-names.ts";

export interface TallyCounts {
  a: number;
  b: number;
  tie: number;
  both_bad: number;
}

/** As many can be counted at a glance; more are drawn as shares of a bar. */
const COUNTABLE = 9;
const MARKS = { a: "bg-a", tie: "bg-ink-3 scale-y-30", both_bad: "border border-ink-3", b: "bg-b" } as const;
const ORDER = ["a", "tie", "both_bad", "b"] as const;

export function winnerOf({ a, b }: TallyCounts): "a" | "b" | undefined {
  return a === b ? undefined : a > b ? "a" : "b";
}

export function wordsOf({ a, b, tie, both_bad: bad }: TallyCounts): string {
  const parts = [`${a} for A`, `${b} for B`];
  if (tie > 0) parts.push(tie === 1 ? "1 tie" : `${tie} ties`);
  if (bad > 0) parts.push(`${bad} both bad`);
  return parts.join(", ");
}

/** Votes from A to B: one mark each while they can be counted. */
export function Tally({ tally, large }: { tally: TallyCounts; large?: boolean }) {
  const all = tally.a + tally.b + tally.tie + tally.both_bad;
  const words = wordsOf(tally);
  return (
    <span
      role="img"
      aria-label={words}
      title={words}
      className={cx("flex items-center gap-0.5 w-full", large ? "justify-start" : "justify-center")}
    >
      {all <= COUNTABLE
        ? ORDER.flatMap((outcome) =>
            Array.from({ length: tally[outcome] }, (_, index) => (
              <span
                key={`${outcome} ${String(index)}`}
                className={cx(large ? "size-4" : "size-2.5", "rounded-[1px]", MARKS[outcome])}
              />
            )),
          )
        : ORDER.map((outcome) => (
            <span
              key={outcome}
              className={cx(large ? "h-4" : "h-2.5", outcome === "tie" ? "bg-line" : MARKS[outcome])}
              style={tally[outcome] === 0 ? { display: "none" } : { flexGrow: tally[outcome] }}
            />
          ))}
    </span>
  );
}
