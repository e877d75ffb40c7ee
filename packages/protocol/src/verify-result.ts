/**
 * Why a signature was refused; a closed set, so that callers can switch over it.
 * - `no-key`: this side has no usable key, so nothing can be checked
 * - `missing-timestamp`, `malformed-timestamp`: no header, or something else than ASCII digits
 * - `stale`: too old, or too far in the future
 * - `missing-signature`, `malformed-signature`: no header, or not in the form of its scheme
 * - `mismatch`: well formed, but not made with this key over these bytes
 */
export type VerifyFailure =
  | "no-key"
  | "missing-timestamp"
  | "malformed-timestamp"
  | "stale"
  | "missing-signature"
  | "malformed-signature"
  | "mismatch";

/** A refused timestamp: `skewSeconds` is its distance from now, without sign; `detail` says in which direction. */
export type StaleResult = { ok: false; reason: "stale"; detail: string; skewSeconds: number };

/** What a check found. `detail` is a sentence for the person who set up the other side; it never contains a key or digest. */
export type VerifyResult =
  | { ok: true }
  | StaleResult
  | { ok: false; reason: Exclude<VerifyFailure, "stale">; detail: string };

/** Builds every refusal that has no number of its own. */
export function refusal(reason: Exclude<VerifyFailure, "stale">, detail: string): VerifyResult {
  return { ok: false, reason, detail };
}
