import { refusal, type VerifyResult } from "./verify-result.ts";
import { SIGNATURE_WINDOW_SECONDS } from "./wire-limits.ts";

/** From here on a number of seconds would lie beyond the year 5000, while as milliseconds it is an ordinary date. */
const MILLISECONDS_FROM = 100_000_000_000;

/**
 * Checks the timestamp of a signed request by itself. The completion call answers for it before it looks for the
 * task, so this is apart from the signature.
 *
 * @param timestamp the header as received; ASCII digits only, and no more than a number holds exactly
 * @param now unix seconds; a fraction is dropped
 * @returns ok within ±300 s, both ends included. Milliseconds are `stale` with a detail that names the unit: guessing
 *   it would double the times at which one signature is good.
 */
export function checkSignatureTimestamp(input: { timestamp: string | null | undefined; now: number }): VerifyResult {
  const { timestamp } = input;
  if (timestamp === undefined || timestamp === null) {
    return refusal("missing-timestamp", "the timestamp header is missing; send the unix seconds at signing");
  }
  // Not Number() alone: it also takes "", " 1", "+1", "1.0" and "0x1".
  const seconds = typeof timestamp === "string" && /^[0-9]{1,16}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!Number.isSafeInteger(seconds)) {
    return refusal("malformed-timestamp", "the timestamp header is not a whole number of unix seconds in ASCII digits");
  }
  const ahead = seconds - Math.floor(input.now);
  const skewSeconds = Math.abs(ahead);
  // Not `skew > window`: a now that is NaN has to refuse.
  if (skewSeconds <= SIGNATURE_WINDOW_SECONDS) return { ok: true };
  return { ok: false, reason: "stale", skewSeconds, detail: staleDetail(seconds, ahead) };
}

function staleDetail(seconds: number, ahead: number): string {
  if (seconds >= MILLISECONDS_FROM) return "the timestamp looks like milliseconds; it has to be unix seconds";
  const direction = ahead > 0 ? "ahead of" : "behind";
  return `the timestamp is ${Math.abs(ahead)} s ${direction} this clock; ${SIGNATURE_WINDOW_SECONDS} s are allowed`;
}

/** The digits that are signed and sent. Throws a TypeError on anything that the other side would refuse as malformed. */
export function toSignatureTimestamp(timestamp: number | string): string {
  const text = String(timestamp);
  if (!/^[0-9]{1,16}$/.test(text)) throw new TypeError("a signature timestamp is a whole number of unix seconds");
  return text;
}
