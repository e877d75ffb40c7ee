import { createHmac } from "node:crypto";
import { describe, expect, it, test } from "vitest";
import { signTesserax, verifyTesserax } from "../src/index.ts";
import { loadVectors, sharedVector } from "./hmac-vectors.ts";

const { key: secret, body, tesserax: signature } = sharedVector;

describe("vectors made with another implementation", () => {
  const vectors = loadVectors("body");

  it("has all 7", () => expect(vectors).toHaveLength(7));

  test.each(vectors)("$name gives its digest and verifies", (vector) => {
    const bytes = Buffer.from(vector.body);
    expect(bytes).toHaveLength(vector.bodyBytes);
    expect(signTesserax({ secret: vector.key, body: vector.body })).toBe(vector.signature);
    expect(signTesserax({ secret: vector.key, body: bytes })).toBe(vector.signature);
    expect(verifyTesserax({ secret: vector.key, signature: vector.signature, body: bytes })).toEqual({ ok: true });
  });

  it("agrees for characters of one to four bytes", () => {
    expect(signTesserax({ secret, body })).toBe(signature);
    expect(verifyTesserax({ secret, signature, body: Buffer.from(body) })).toEqual({ ok: true });
  });
});

it("takes the whole secret as the key, its prefix included", () => {
  const withPrefix = signTesserax({ secret: `whsec_${secret}`, body });
  expect(withPrefix).not.toBe(signature);
  expect(verifyTesserax({ secret, signature: withPrefix, body })).toMatchObject({ reason: "mismatch" });
});

it("accepts upper-case digits", () => {
  expect(verifyTesserax({ secret, signature: signature.toUpperCase(), body })).toEqual({ ok: true });
});

test.each([
  ["abc"],
  [""],
  [`${signature}0`],
  [signature.slice(1)],
  ["é".repeat(64)],
  [`sha256=${signature}`],
  [`${signature}\n`],
  [` ${signature}`],
])("refuses %j as malformed", (malformed) => {
  expect(verifyTesserax({ secret, signature: malformed, body })).toMatchObject({ reason: "malformed-signature" });
});

test.each([[undefined], [null]])("reports %j as missing", (missing) => {
  expect(verifyTesserax({ secret, signature: missing, body })).toMatchObject({ reason: "missing-signature" });
});

test.each([[""], ["  "], [null], [undefined]])("never verifies with the secret %j", (blank) => {
  for (const key of ["", String(blank)]) {
    const forged = createHmac("sha256", key).update("{}").digest("hex");
    expect(verifyTesserax({ secret: blank, signature: forged, body: "{}" })).toMatchObject({ reason: "no-key" });
  }
  if (typeof blank === "string") expect(() => signTesserax({ secret: blank, body })).toThrow(TypeError);
});

it("refuses bytes that differ in one bit", () => {
  const bytes = Buffer.from(body);
  bytes[3]! ^= 1;
  expect(verifyTesserax({ secret, signature, body: bytes })).toMatchObject({ reason: "mismatch" });
});
