/** A rating with its interval. */
export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Draws an interval as on the pages, a dot with its whisker, on a scale of `width` columns from `from` to `to`. */
export function drawInterval(interval: Interval, scale: { from: number; to: number; width: number }): string {
  const span = scale.to - scale.from;
  const place = (value: number) =>
    span <= 0
      ? 0
      : Math.min(scale.width - 1, Math.max(0, Math.round(((value - scale.from) / span) * (scale.width - 1))));
  const [low, value, high] = [place(interval.low), place(interval.value), place(interval.high)];
  const cells = Array.from({ length: scale.width }, (_, n) => (n === value ? "●" : n >= low && n <= high ? "─" : " "));
  return cells.join("");
}
