/**
 * The ranks that intervals allow: an agent is certainly behind those whose whole interval lies above its own, and
 * certainly ahead of those whose whole interval lies below.
 */
export function rankIntervals(intervals: readonly { low: number; high: number }[]): { best: number; worst: number }[] {
  const lows = Float64Array.from(intervals, ({ low }) => low).sort();
  const highs = Float64Array.from(intervals, ({ high }) => high).sort();
  return intervals.map(({ low, high }) => ({
    best: 1 + (lows.length - countUpTo(lows, high)),
    worst: intervals.length - countBelow(highs, low),
  }));
}

/** Ranks with equals on one place and the next ones left out (1 2 2 4), compared as they are and not as they are shown. */
export function competitionRanks(values: readonly number[]): number[] {
  const sorted = Float64Array.from(values).sort();
  return values.map((value) => 1 + (sorted.length - countUpTo(sorted, value)));
}

/** How many of ascending numbers are at most `value`. */
function countUpTo(sorted: Float64Array, value: number): number {
  return search(sorted, (each) => each > value);
}

function countBelow(sorted: Float64Array, value: number): number {
  return search(sorted, (each) => each >= value);
}

/** The first place from which on `isBeyond` holds. */
function search(sorted: Float64Array, isBeyond: (value: number) => boolean): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isBeyond(sorted[middle] as number)) to = middle;
    else from = middle + 1;
  }
  return from;
}
