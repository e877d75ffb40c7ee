import { cx } from "./class-names.ts";

/** What a rating is drawn from; `value` undefined is an agent without a rating. */
export interface Rated {
  value: number | undefined;
  low: number | undefined;
  high: number | undefined;
}
export interface Scale {
  least: number;
  most: number;
}

interface BoardItem {
  rank: number | null;
  elo: number;
  rating: number | null;
  ci_low: number | null;
  ci_high: number | null;
}

/** The published rating with its interval; until there is one, Elo without. */
export function ratedOf(item: BoardItem): Rated {
  if (item.rank === null) return { value: undefined, low: undefined, high: undefined };
  return { value: item.rating ?? item.elo, low: item.ci_low ?? undefined, high: item.ci_high ?? undefined };
}

const TIERS = [1300, 1450, 1550, 1700, 1850, 2000];
const STEP = 50;

/** A scale that all of them fit on, from one round number to another. */
export function scaleOf(all: readonly Rated[]): Scale {
  const values = all.flatMap(({ value, low, high }) => [value, low, high]).filter((each) => each !== undefined);
  const least = Math.min(1450, ...values);
  const most = Math.max(1550, ...values);
  return { least: Math.floor((least - 15) / STEP) * STEP, most: Math.ceil((most + 15) / STEP) * STEP };
}

const at = (value: number, { least, most }: Scale) =>
  `${Math.min(100, Math.max(0, ((value - least) / (most - least)) * 100))}%`;

/** A rating as it is drawn everywhere: a dot with its interval; hollow while there is none, a dash for the unranked. */
export function Whisker({ rated, scale, large }: { rated: Rated; scale: Scale; large?: boolean }) {
  const { value, low, high } = rated;
  const hasInterval = low !== undefined && high !== undefined;
  const dot = large ? "size-4" : "size-2.5";
  return (
    <span aria-hidden="true" className={cx("relative block w-full", large ? "h-8" : "h-5")}>
      {TIERS.filter((tier) => tier > scale.least && tier < scale.most).map((tier) => (
        <span key={tier} className="absolute inset-y-0 w-px bg-line" style={{ left: at(tier, scale) }} />
      ))}
      <span className="absolute top-1/2 inset-x-0 h-px bg-line" />
      {value === undefined && <span className="absolute top-1/2 left-1/2 w-4 -ml-2 h-0.5 -mt-px bg-ink-3" />}
      {hasInterval && (
        <span
          className={cx("absolute top-1/2 bg-ink", large ? "h-1 -mt-0.5" : "h-0.5 -mt-px")}
          style={{ left: at(low, scale), right: `calc(100% - ${at(high, scale)})` }}
        />
      )}
      {value !== undefined && (
        <span
          className={cx(
            "absolute top-1/2 -translate-x-1/2 -translate-y-1/2 rounded-full border-2 border-ink",
            hasInterval ? "bg-ink" : "bg-sheet",
            dot,
          )}
          style={{ left: at(value, scale) }}
        />
      )}
    </span>
  );
}

/** The numbers under or over whiskers that share a scale. */
export function ScaleAxis({ scale, large }: { scale: Scale; large?: boolean }) {
  const span = scale.most - scale.least;
  const marks = TIERS.filter((tier) => tier > scale.least + span * 0.06 && tier < scale.most - span * 0.06);
  // In a column of a table a label is a fifth of the scale; two that touch read as one number.
  const apart = span * (large ? 0.09 : 0.21);
  const shown: number[] = [];
  for (const mark of marks) {
    const last = shown.at(-1);
    if (last === undefined || mark - last >= apart) shown.push(mark);
  }
  return (
    <span aria-hidden="true" className="relative block w-full h-4 font-mono text-12 text-ink-3 font-normal">
      {shown.map((mark) => (
        <span key={mark} className="absolute -translate-x-1/2" style={{ left: at(mark, scale) }}>
          {mark}
        </span>
      ))}
    </span>
  );
}
