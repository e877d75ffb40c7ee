/** Longer is not obeyed: by then somebody may have mended what was wrong. Also far below what a timer can hold. */
const MAX_MS = 300_000;

/** A date as HTTP writes it. `Date.parse` alone would read "-5" as a month. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Reads a `Retry-After` header: whole seconds or an HTTP date.
 *
 * @param nowMs milliseconds since the epoch
 * @returns milliseconds to wait, at most five minutes; undefined for a malformed value or a date that has passed
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, MAX_MS);
  if (!HTTP_DATE.test(text)) return undefined;
  const aheadMs = Date.parse(text) - nowMs;
  return aheadMs > 0 ? Math.min(aheadMs, MAX_MS) : undefined;
}
