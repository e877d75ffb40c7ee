import { hmacSha256, isUsableKey, parseHexDigest, requireKey, type SignedBody, sameDigest } from "./hmac.ts";
import { checkSignatureTimestamp, toSignatureTimestamp } from "./signature-timestamp.ts";
import { refusal, type VerifyResult } from "./verify-result.ts";

const PREFIX = "sha256=";

/**
 * The part of a URL that edgearena-v1 signs: host and path as the WHATWG URL spells them. The host is in lower case
 * and punycode, a default port is gone, any other port stays, an empty path is `/`. Scheme, query and fragment are
 * not signed, so nothing may be trusted for standing in a query.
 *
 * @throws TypeError when the text is no absolute URL
 */
export function edgearenaTarget(url: string | URL): string {
  const { host, pathname } = typeof url === "string" ? new URL(url) : url;
  return host + pathname;
}

/**
 * Signs one edgearena-v1 request: HMAC-SHA256 over timestamp, newline, host and path, newline, body bytes
 * (endpoints document, Request headers).
 *
 * @param timestamp unix seconds; the same digits have to go into the timestamp header
 * @param body exactly the bytes that are sent
 * @returns the header value, `sha256=` and 64 lower-case hex digits
 * @throws TypeError for a blank key, a malformed timestamp or a text that is no URL
 */
export function signEdgearena(input: {
  key: string;
  url: string | URL;
  timestamp: number | string;
  body: SignedBody;
}): string {
  requireKey(input.key, "an edgearena-v1 signature");
  const timestamp = toSignatureTimestamp(input.timestamp);
  return PREFIX + digest(input.key, timestamp, edgearenaTarget(input.url), input.body).toString("hex");
}

/**
 * Checks one edgearena-v1 request. Never throws, whatever the headers hold.
 *
 * Either case of hex passes, so whoever remembers signatures against replays has to lower-case them first.
 *
 * @param key undefined, null or blank is refused with `no-key` before anything else
 * @param url the URL that the sender signed: the configured public one, never one built from a forwarded header
 * @param timestamp,signature the headers as received
 * @param body the bytes as received, before any parsing
 * @param now unix seconds
 */
export function verifyEdgearena(input: {
  key: string | null | undefined;
  url: string | URL;
  timestamp: string | null | undefined;
  signature: string | null | undefined;
  body: SignedBody;
  now: number;
}): VerifyResult {
  const { key, timestamp, signature } = input;
  if (!isUsableKey(key)) return refusal("no-key", "no key is configured on this side, so no request can be trusted");
  const fresh = checkSignatureTimestamp({ timestamp, now: input.now });
  if (!fresh.ok) return fresh;
  if (signature === undefined || signature === null) {
    return refusal("missing-signature", "the signature header is missing");
  }
  const received = parsePrefixed(signature);
  if (received === undefined) {
    return refusal("malformed-signature", `the signature header is not ${PREFIX} and exactly 64 hex digits`);
  }
  const target = targetOrUndefined(input.url);
  if (target === undefined)
    return refusal("mismatch", "the URL of this request cannot be parsed, so nothing can match");
  return sameDigest(digest(key, String(timestamp), target, input.body), received)
    ? { ok: true }
    : refusal("mismatch", `the signature does not match this key over timestamp, ${target} and the raw body`);
}

function digest(key: string, timestamp: string, target: string, body: SignedBody): Buffer {
  return hmacSha256(key, [`${timestamp}\n${target}\n`, body]);
}

function parsePrefixed(signature: string): Buffer | undefined {
  if (typeof signature !== "string" || !signature.startsWith(PREFIX)) return undefined;
  return parseHexDigest(signature.slice(PREFIX.length));
}

/** The URL may be built from a Host header, which a stranger writes. */
function targetOrUndefined(url: string | URL): string | undefined {
  try {
    return edgearenaTarget(url);
  } catch {
    return undefined;
  }
}
