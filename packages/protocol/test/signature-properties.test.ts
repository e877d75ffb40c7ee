import fc from "fast-check";
import { expect, it } from "vitest";
import {
  signEdgearena,
  signStandardWebhook,
  signTesserax,
  verifyEdgearena,
  verifyStandardWebhook,
  verifyTesserax,
} from "../src/index.ts";

fc.configureGlobal({ seed: 1_700_000_000, numRuns: 300 });

const key = fc.string({ unit: "binary", minLength: 1 }).filter((text) => text.trim() !== "");
const body = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: "grapheme" }));
const url = fc.webUrl({ withQueryParameters: true, withFragments: true });
const timestamp = fc.integer({ min: 0, max: 4_000_000_000 });
const skew = fc.integer({ min: -300, max: 300 });
/** Anything that a header, or a caller who got the types wrong, could bring. */
const hostile = fc.oneof(fc.string({ unit: "binary" }), fc.constant(undefined), fc.anything()) as fc.Arbitrary<string>;

const failures = [
  "no-key",
  "missing-timestamp",
  "malformed-timestamp",
  "stale",
  "missing-signature",
  "malformed-signature",
  "mismatch",
];

it("edgearena-v1 verifies what it signed, within the window", () => {
  fc.assert(
    fc.property(key, url, timestamp, body, skew, (key, url, timestamp, body, skew) => {
      const signature = signEdgearena({ key, url, timestamp, body });
      const now = timestamp + skew;
      expect(verifyEdgearena({ key, url, timestamp: String(timestamp), signature, body, now })).toEqual({ ok: true });
    }),
  );
});

it("edgearena-v1 refuses a body, key or timestamp that was changed", () => {
  fc.assert(
    fc.property(key, key, url, timestamp, body, (key, otherKey, url, timestamp, body) => {
      fc.pre(!Buffer.from(key).equals(Buffer.from(otherKey)));
      // HMAC fills a short key up with zero bytes, so these two would be the same key.
      fc.pre(!key.includes("\0") && !otherKey.includes("\0"));
      const signature = signEdgearena({ key, url, timestamp, body });
      const good = { key, url, timestamp: String(timestamp), signature, body, now: timestamp };
      expect(verifyEdgearena({ ...good, body: Buffer.concat([Buffer.from(body), Buffer.of(32)]) }).ok).toBe(false);
      expect(verifyEdgearena({ ...good, key: otherKey }).ok).toBe(false);
      expect(verifyEdgearena({ ...good, timestamp: String(timestamp + 1) }).ok).toBe(false);
      expect(verifyEdgearena({ ...good, timestamp: `0${timestamp}` }).ok).toBe(false);
    }),
  );
});

it("tesserax verifies what it signed and nothing else", () => {
  fc.assert(
    fc.property(key, body, body, (secret, body, other) => {
      const signature = signTesserax({ secret, body });
      expect(verifyTesserax({ secret, signature, body })).toEqual({ ok: true });
      const same = Buffer.from(body).equals(Buffer.from(other));
      expect(verifyTesserax({ secret, signature, body: other }).ok).toBe(same);
    }),
  );
});

it("Standard Webhooks verifies what it signed, within the window", () => {
  const secret = fc
    .uint8Array({ minLength: 1, maxLength: 64 })
    .map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`);
  fc.assert(
    fc.property(secret, fc.uuid(), timestamp, body, skew, (secret, id, timestamp, body, skew) => {
      const signature = signStandardWebhook({ secret, id, timestamp, body });
      const now = timestamp + skew;
      const input = { secret, id, timestamp: String(timestamp), signature, body, now };
      expect(verifyStandardWebhook(input)).toEqual({ ok: true });
    }),
  );
});

it("no header, key or URL makes verification throw or pass", () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, hostile, body, (key, url, timestamp, signature, body) => {
      const results = [
        verifyEdgearena({ key, url, timestamp, signature, body, now: 1_700_000_000 }),
        verifyTesserax({ secret: key, signature, body }),
        verifyStandardWebhook({ secret: key, id: url, timestamp, signature, body, now: 1_700_000_000 }),
      ];
      for (const result of results) expect(result.ok ? "ok" : result.reason).toBeOneOf(failures);
    }),
  );
});
