import { hmacSha256, isUsableKey, parseHexDigest, requireKey, type SignedBody, sameDigest } from "./hmac.ts";
import { refusal, type VerifyResult } from "./verify-result.ts";

/**
 * Signs one tesserax push body: HMAC-SHA256 over the raw bytes, keyed by the whole secret as text, its `whsec_`
 * included.
 *
 * @returns the header value, 64 lower-case hex digits without a prefix
 * @throws TypeError for a blank secret
 */
export function signTesserax(input: { secret: string; body: SignedBody }): string {
  requireKey(input.secret, "a tesserax signature");
  return hmacSha256(input.secret, [input.body]).toString("hex");
}

/**
 * Checks one tesserax push request. Never throws. The scheme covers the body alone: no header can prove that a
 * request is recent, so replays are told by the `prompt_id` inside the body.
 *
 * @param secret undefined, null or blank is refused with `no-key`
 * @param signature the header as received; hex of either case
 * @param body the bytes as received, before any parsing
 */
export function verifyTesserax(input: {
  secret: string | null | undefined;
  signature: string | null | undefined;
  body: SignedBody;
}): VerifyResult {
  const { secret, signature } = input;
  if (!isUsableKey(secret))
    return refusal("no-key", "no secret is configured on this side, so no request can be trusted");
  if (signature === undefined || signature === null) {
    return refusal("missing-signature", "the signature header is missing");
  }
  const received = typeof signature === "string" ? parseHexDigest(signature) : undefined;
  if (received === undefined) {
    return refusal("malformed-signature", "the signature header is not exactly 64 hex digits");
  }
  return sameDigest(hmacSha256(secret, [input.body]), received)
    ? { ok: true }
    : refusal("mismatch", "the signature does not match this secret over the raw body");
}
