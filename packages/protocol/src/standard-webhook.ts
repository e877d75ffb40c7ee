import { createSecretKey, type KeyObject } from "node:crypto";
import { hmacSha256, keepingKeys, type SignedBody, sameDigest } from "./hmac.ts";
import { checkSignatureTimestamp, toSignatureTimestamp } from "./signature-timestamp.ts";
import { refusal, type VerifyResult } from "./verify-result.ts";

const SECRET_PREFIX = "whsec_";
const VERSION = "v1,";

/**
 * Signs one message after the Standard Webhooks specification: HMAC-SHA256 over id, dot, timestamp, dot, body. Here,
 * unlike in the tesserax scheme, the key is the bytes behind the base64 of the secret.
 *
 * @param secret `whsec_` and base64
 * @param id the message id as sent in `webhook-id`
 * @param timestamp unix seconds as sent in `webhook-timestamp`
 * @returns `v1,` and the base64 of the digest
 * @throws TypeError for a secret without a key in it, a blank id or a malformed timestamp
 */
export function signStandardWebhook(input: {
  secret: string;
  id: string;
  timestamp: number | string;
  body: SignedBody;
}): string {
  const key = toKey(input.secret);
  if (key === undefined) throw new TypeError(`a webhook secret is ${SECRET_PREFIX} and the base64 of its key`);
  if (input.id.trim() === "") throw new TypeError("a signed webhook needs an id");
  return VERSION + digest(key, input.id, toSignatureTimestamp(input.timestamp), input.body).toString("base64");
}

/**
 * Checks one message after the Standard Webhooks specification. Never throws. The header may list several signatures,
 * as it does while a secret is being replaced; one good `v1` is enough and other versions are passed over.
 *
 * @param secret a text without a key in it is refused with `no-key`
 * @param id,timestamp,signature the headers as received; without an id nothing was signed, hence `missing-signature`
 * @param now unix seconds
 */
export function verifyStandardWebhook(input: {
  secret: string | null | undefined;
  id: string | null | undefined;
  timestamp: string | null | undefined;
  signature: string | null | undefined;
  body: SignedBody;
  now: number;
}): VerifyResult {
  const key = toKey(input.secret);
  if (key === undefined) return refusal("no-key", `no secret of the form ${SECRET_PREFIX}<base64> is configured`);
  const { id, timestamp, signature } = input;
  const fresh = checkSignatureTimestamp({ timestamp, now: input.now });
  if (!fresh.ok) return fresh;
  if (typeof id !== "string" || id === "")
    return refusal("missing-signature", "the id header, which is signed, is missing");
  if (signature === undefined || signature === null) {
    return refusal("missing-signature", "the signature header is missing");
  }
  const candidates = parseSignatures(signature);
  if (candidates.length === 0) {
    return refusal("malformed-signature", `the signature header holds no ${VERSION}<base64 of 32 bytes>`);
  }
  const expected = digest(key, id, String(timestamp), input.body);
  return candidates.some((candidate) => sameDigest(expected, candidate))
    ? { ok: true }
    : refusal("mismatch", "no signature matches this secret over id, timestamp and the raw body");
}

function digest(key: KeyObject, id: string, timestamp: string, body: SignedBody): Buffer {
  return hmacSha256(key, [`${id}.${timestamp}.`, body]);
}

function parseSignatures(header: string): Buffer[] {
  if (typeof header !== "string") return [];
  return header
    .split(" ")
    .filter((part) => /^v1,[A-Za-z0-9+/]{43}=$/.test(part))
    .map((part) => Buffer.from(part.slice(VERSION.length), "base64"));
}

/** The key inside a secret. Checked by hand: `Buffer.from` skips what is no base64 and would quietly make another key. */
const keyInside = keepingKeys((secret) => {
  if (!secret.startsWith(SECRET_PREFIX)) return undefined;
  const encoded = secret.slice(SECRET_PREFIX.length);
  if (encoded === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, "base64");
  return bytes.length > 0 ? createSecretKey(bytes) : undefined;
});

function toKey(secret: string | null | undefined): KeyObject | undefined {
  return typeof secret === "string" ? keyInside(secret) : undefined;
}
