import { describe, expect, it, test } from "vitest";
import { checkSignatureTimestamp, SIGNATURE_WINDOW_SECONDS, signEdgearena, verifyEdgearena } from "../src/index.ts";

const now = 1_700_000_000;

describe("the window", () => {
  test.each([
    [-301, { ok: false, reason: "stale", skewSeconds: 301 }],
    [-300, { ok: true }],
    [0, { ok: true }],
    [300, { ok: true }],
    [301, { ok: false, reason: "stale", skewSeconds: 301 }],
  ])("holds for a request signed %i s from now", (offset, expected) => {
    const signed = { key: "sa_key", url: "https://a.example/", timestamp: String(now + offset), body: "{}" };
    const result = verifyEdgearena({ ...signed, signature: signEdgearena(signed), now });
    expect(result).toMatchObject(expected);
  });

  it("is 300 s", () => expect(SIGNATURE_WINDOW_SECONDS).toBe(300));

  it("does not shift with a fraction of now", () => {
    expect(checkSignatureTimestamp({ timestamp: "1699999700", now: now + 0.999 })).toEqual({ ok: true });
    expect(checkSignatureTimestamp({ timestamp: "1700000301", now: now + 0.999 })).toMatchObject({ reason: "stale" });
  });

  it("says in which direction a clock is off", () => {
    expect(checkSignatureTimestamp({ timestamp: "1699999000", now })).toMatchObject({
      detail: expect.stringMatching("1000 s behind"),
    });
    expect(checkSignatureTimestamp({ timestamp: "1700001000", now })).toMatchObject({
      detail: expect.stringMatching("1000 s ahead"),
    });
  });

  it("refuses everything when now is no number", () => {
    expect(checkSignatureTimestamp({ timestamp: String(now), now: Number.NaN }).ok).toBe(false);
  });
});

describe("the digits", () => {
  it("are not guessed to be milliseconds, but the detail names the unit", () => {
    expect(checkSignatureTimestamp({ timestamp: "1700000000000", now })).toMatchObject({
      reason: "stale",
      skewSeconds: 1_698_300_000_000,
      detail: expect.stringMatching(/milliseconds.*seconds/),
    });
  });

  test.each([
    [""],
    [" "],
    [" 1"],
    ["1700000000 "],
    ["+1"],
    ["-1"],
    ["1.0"],
    ["1e9"],
    ["0x65"],
    ["1_700"],
    ["١٧٠٠٠٠٠٠٠٠"],
    ["１７００００００００"],
    ["1700000000\n"],
    ["1700000000, 1700000000"],
    ["NaN"],
    ["Infinity"],
    ["null"],
    ["9007199254740993"],
    ["9".repeat(400)],
  ])("%j are malformed", (timestamp) => {
    expect(checkSignatureTimestamp({ timestamp, now })).toMatchObject({ ok: false, reason: "malformed-timestamp" });
  });

  test.each([[undefined], [null]])("%j are missing", (timestamp) => {
    expect(checkSignatureTimestamp({ timestamp, now })).toMatchObject({ ok: false, reason: "missing-timestamp" });
  });

  test.each([["+1"], [""], [1.5], [-1], [Number.NaN], [1e21]])("%j cannot be signed", (timestamp) => {
    expect(() => signEdgearena({ key: "sa_key", url: "https://a.example/", timestamp, body: "" })).toThrow(TypeError);
  });

  it("are judged before the signature, so that a clock that is off is named first", () => {
    const headers = { key: "sa_key", url: "https://a.example/", body: "", signature: undefined, now };
    expect(verifyEdgearena({ ...headers, timestamp: "1" })).toMatchObject({ reason: "stale" });
    expect(verifyEdgearena({ ...headers, timestamp: undefined })).toMatchObject({ reason: "missing-timestamp" });
    expect(verifyEdgearena({ ...headers, timestamp: "x" })).toMatchObject({ reason: "malformed-timestamp" });
  });
});
