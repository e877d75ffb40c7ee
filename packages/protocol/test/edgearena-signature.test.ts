import { createHmac } from "node:crypto";
import { describe, expect, it, test } from "vitest";
import { edgearenaTarget, signEdgearena, type VerifyResult, verifyEdgearena } from "../src/index.ts";
import { loadVectors, sharedVector } from "./hmac-vectors.ts";

const { key, timestamp, now, url, body, edgearena: signature } = sharedVector;
const good = { key, url, timestamp, signature, body, now };

function reasonOf(result: VerifyResult): string {
  return result.ok ? "ok" : result.reason;
}

describe("vectors made with another implementation", () => {
  const vectors = loadVectors("canonical");

  it("has all 31", () => expect(vectors).toHaveLength(31));

  test.each(vectors)("$name gives its target, its digest, and verifies", (vector) => {
    expect(Buffer.byteLength(vector.body)).toBe(vector.bodyBytes);
    const input = { key: vector.key, url: vector.url!, timestamp: vector.timestamp!, body: vector.body };
    expect(edgearenaTarget(vector.url!)).toBe(vector.canonical);
    expect(edgearenaTarget(new URL(vector.url!))).toBe(vector.canonical);
    expect(signEdgearena(input)).toBe(vector.signature);
    expect(signEdgearena({ ...input, body: Buffer.from(vector.body) })).toBe(vector.signature);
    expect(verifyEdgearena({ ...input, signature: vector.signature, now: Number(vector.timestamp) })).toEqual({
      ok: true,
    });
  });
});

describe("what is signed", () => {
  it("is the UTF-8 of the body, not its characters", () => {
    expect(Buffer.byteLength(body)).toBe(27);
    expect(signEdgearena({ key, url, timestamp, body })).toBe(signature);
    expect(signEdgearena({ key, url, timestamp: now, body: new TextEncoder().encode(body) })).toBe(signature);
  });

  it("is the body as received, also where JSON would be written differently", () => {
    const raw = String.raw`{"b":1,"a":2,"10":0,"9":0,"x":1.0,"y":1E2,"z":"\u00e9\/"}`;
    const signed = signEdgearena({ key, url, timestamp, body: raw });
    expect(verifyEdgearena({ ...good, signature: signed, body: Buffer.from(raw) })).toEqual({ ok: true });
    const rewritten = JSON.stringify(JSON.parse(raw));
    expect(reasonOf(verifyEdgearena({ ...good, signature: signed, body: rewritten }))).toBe("mismatch");
  });

  test.each([
    ["a byte that is no UTF-8", [0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]],
    ["a byte order mark", [0xef, 0xbb, 0xbf, 0x7b, 0x22, 0x61, 0x22, 0x3a, 0x31, 0x7d]],
  ])("is the bytes with %s, which decoding would change", (_what, bytes) => {
    const raw = Uint8Array.from(bytes);
    const signed = signEdgearena({ key, url, timestamp, body: raw });
    expect(verifyEdgearena({ ...good, signature: signed, body: raw })).toEqual({ ok: true });
    const decoded = new TextDecoder().decode(raw);
    expect(reasonOf(verifyEdgearena({ ...good, signature: signed, body: decoded }))).toBe("mismatch");
  });

  it("leaves query and fragment out and keeps the path apart from its neighbours", () => {
    expect(edgearenaTarget("https://agents.example.com/hook?tenant=7#frag")).toBe("agents.example.com/hook");
    expect(verifyEdgearena({ ...good, url: `${url}?tenant=8` })).toEqual({ ok: true });
    expect(reasonOf(verifyEdgearena({ ...good, url: `${url}/` }))).toBe("mismatch");
    expect(reasonOf(verifyEdgearena({ ...good, url: "https://agents.example.com/Hook" }))).toBe("mismatch");
    expect(reasonOf(verifyEdgearena({ ...good, url: "https://agents.example.com:8443/hook" }))).toBe("mismatch");
  });

  it("is bound to the public address, its path prefix included, and to no inner one", () => {
    const publicUrl = "https://arena.example/arena/cb/1";
    const signed = signEdgearena({ key, url: publicUrl, timestamp, body });
    const verdicts = [
      publicUrl,
      "http://10.0.0.5:3000/arena/cb/1",
      "https://arena.example/cb/1",
      "https://evil.example/cb/1",
    ];
    expect(verdicts.map((seen) => reasonOf(verifyEdgearena({ ...good, url: seen, signature: signed })))).toEqual([
      "ok",
      "mismatch",
      "mismatch",
      "mismatch",
    ]);
  });

  it("covers the timestamp, so that a later sending is signed anew", () => {
    const later = String(now + 360);
    const again = signEdgearena({ key, url, timestamp: later, body });
    expect(again).not.toBe(signature);
    expect(reasonOf(verifyEdgearena({ ...good, timestamp: later, now: now + 360 }))).toBe("mismatch");
    expect(verifyEdgearena({ ...good, timestamp: later, signature: again, now: now + 360 })).toEqual({ ok: true });
  });
});

describe("the signature header", () => {
  const hex = signature.slice("sha256=".length);

  it("may have upper-case digits but is written in lower case", () => {
    expect(verifyEdgearena({ ...good, signature: `sha256=${hex.toUpperCase()}` })).toEqual({ ok: true });
    expect(signature).toMatch(/^sha256=[0-9a-f]{64}$/);
  });

  test.each([
    ["abc"],
    [""],
    [hex],
    [`SHA256=${hex}`],
    [`sha256=${hex.slice(1)}`],
    [`sha256=${hex}0`],
    [`sha256=${"é".repeat(64)}`],
    [`sha256=${"é".repeat(32)}`],
    [`sha256=${hex.slice(1)}g`],
    [`sha256= ${hex}`],
    [`sha256=${hex}\n`],
    [`sha256=${hex}, sha256=${hex}`],
    [`v1=${hex}`],
  ])("%j is malformed", (malformed) => {
    expect(reasonOf(verifyEdgearena({ ...good, signature: malformed }))).toBe("malformed-signature");
  });

  it("is missing when undefined or null, and no match when of another key", () => {
    expect(reasonOf(verifyEdgearena({ ...good, signature: undefined }))).toBe("missing-signature");
    expect(reasonOf(verifyEdgearena({ ...good, signature: null }))).toBe("missing-signature");
    expect(reasonOf(verifyEdgearena({ ...good, key: "test-secret-0002" }))).toBe("mismatch");
    expect(reasonOf(verifyEdgearena({ ...good, signature: `sha256=${"0".repeat(64)}` }))).toBe("mismatch");
  });

  it("is malformed rather than fatal as something else than text", () => {
    const lists = { timestamp: ["1700000000"], signature: [signature] } as unknown as {
      timestamp: string;
      signature: string;
    };
    expect(reasonOf(verifyEdgearena({ ...good, signature: lists.signature }))).toBe("malformed-signature");
    expect(reasonOf(verifyEdgearena({ ...good, timestamp: lists.timestamp }))).toBe("malformed-timestamp");
  });

  it("does not match a URL that cannot be parsed", () => {
    expect(reasonOf(verifyEdgearena({ ...good, url: "https://exa mple/hook" }))).toBe("mismatch");
    expect(reasonOf(verifyEdgearena({ ...good, url: "" }))).toBe("mismatch");
    expect(() => edgearenaTarget("/hook")).toThrow(TypeError);
  });
});

describe("the key", () => {
  test.each([[""], [" \t\n"], [null], [undefined]])("%j never verifies, whatever was signed with", (blank) => {
    for (const forger of ["", String(blank)]) {
      const material = `${timestamp}\n${edgearenaTarget(url)}\n${body}`;
      const forged = `sha256=${createHmac("sha256", forger).update(material).digest("hex")}`;
      expect(reasonOf(verifyEdgearena({ ...good, key: blank, signature: forged }))).toBe("no-key");
    }
  });

  test.each([[""], [" \t\n"]])("%j cannot sign", (blank) => {
    expect(() => signEdgearena({ key: blank, url, timestamp, body })).toThrow(TypeError);
  });

  it("stays out of the detail, and so does the digest", () => {
    const result = verifyEdgearena({ ...good, body: "other" });
    expect(JSON.stringify(result)).not.toContain(key);
    expect(JSON.stringify(result)).not.toMatch(/[0-9a-f]{32}/);
  });
});
