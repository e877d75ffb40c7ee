import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";

/** A body as it goes over the wire: bytes as received, or text that stands for its UTF-8 bytes. */
export type SignedBody = Uint8Array | string;

/** False for an absent or blank key. Node computes an HMAC over an empty key without complaint, so anyone could forge it. */
export function isUsableKey(key: string | null | undefined): key is string {
  return typeof key === "string" && key.trim() !== "";
}

/** Throws a TypeError that names what lacks its key; signing with none is a fault in the setup, never of the other side. */
export function requireKey(key: string, what: string): void {
  if (!isUsableKey(key)) throw new TypeError(`${what} needs a non-blank key`);
}

/**
 * HMAC-SHA256 over the parts in order. Text counts as UTF-8. The body is hashed as it stands: parsing it and
 * writing it again would reorder keys and respell numbers, and bytes that are no UTF-8 would be lost.
 */
export function hmacSha256(key: string | KeyObject, parts: readonly SignedBody[]): Buffer {
  const hmac = createHmac("sha256", typeof key === "string" ? textKey(key) : key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

const KEYS_KEPT = 4_096;

/** `make` with a memory: making a key takes as long as signing with it. Some 500 bytes for each of the latest keys. */
export function keepingKeys<Key extends KeyObject | undefined>(make: (secret: string) => Key): (secret: string) => Key {
  const kept = new Map<string, Key>();
  return (secret) => {
    const known = kept.get(secret);
    if (known !== undefined) return known;
    const key = make(secret);
    if (key === undefined) return key;
    if (kept.size >= KEYS_KEPT) kept.delete(kept.keys().next().value as string);
    kept.set(secret, key);
    return key;
  };
}

const textKey = keepingKeys((secret) => createSecretKey(secret, "utf8"));

/** Constant-time comparison. Both sides are digests here; the length check keeps a wrong one from throwing all the same. */
export function sameDigest(expected: Buffer, received: Buffer): boolean {
  return expected.length === received.length && timingSafeEqual(expected, received);
}

/** The 32 bytes behind exactly 64 hex digits of either case, else undefined. `Buffer.from` alone stops at the first bad digit. */
export function parseHexDigest(text: string): Buffer | undefined {
  return /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, "hex") : undefined;
}
