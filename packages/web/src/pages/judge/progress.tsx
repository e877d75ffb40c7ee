import { cx } from "../../ui/class-names.ts";
import type { Choice } from "./use-battles.ts";

const SHOWN = 20;
const SHAPE: Record<Choice, string> = {
  a: "bg-a self-start h-2",
  b: "bg-b self-end h-2",
  tie: "bg-ink-3 self-center h-1",
  both_bad: "border border-ink-3 self-center h-2",
  skip: "hidden",
};

/** The votes of today as marks: A up, B down, a tie between, both bad hollow. */
export function Progress({ choices }: { choices: readonly Choice[] }) {
  return (
    <div className="flex items-center gap-3 text-14 text-ink-3">
      <span aria-hidden="true" className="flex gap-0.5 h-5">
        {choices.slice(-SHOWN).map((choice, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a mark has no identity but its place
          <span key={index} className={cx("w-1.5 rounded-[1px]", SHAPE[choice])} />
        ))}
      </span>
      <span>
        <b className="font-mono text-ink">{choices.length}</b> judged today
      </span>
    </div>
  );
}
