/** A wait that grows from one failure to the next. */
export interface Backoff {
  /** Milliseconds to wait now. */
  next(): number;
  /** Begins anew. */
  reset(): void;
}

/**
 * Makes a {@link Backoff} that doubles from `firstMs` to `maxMs`. Each wait is between half and all of its step, so that
 * runners which an arena's restart threw off at one moment do not all come back at one moment.
 */
export function createBackoff(firstMs: number, maxMs: number): Backoff {
  let step = firstMs;
  return {
    next() {
      const wait = step * (0.5 + Math.random() / 2);
      step = Math.min(step * 2, maxMs);
      return wait;
    },
    reset() {
      step = firstMs;
    },
  };
}
