import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { resultBodySchema, resultResponseSchema, toResult } from "../src/index.ts";

fc.configureGlobal({ seed: 1_700_000_000, numRuns: 300 });

describe("a result that counts", () => {
  test.each([
    [{ response: "four" }, { response: "four" }],
    [
      { response: "four", latency_ms: 842 },
      { response: "four", latencyMs: 842 },
    ],
    [
      { error: "timeout after 300s", latency_ms: 300_000 },
      { error: "timeout after 300s", latencyMs: 300_000 },
    ],
    [{ response: "four", error: "no" }, { error: "no" }],
    [{ response: "four", error: " \n" }, { response: "four" }],
    [{ response: "", error: "no" }, { error: "no" }],
    [{ response: "four", error: null }, { response: "four" }],
    [{ response: null, error: "no" }, { error: "no" }],
    [{ response: "  four\n" }, { response: "  four\n" }],
    [{ response: "\u200b" }, { response: "\u200b" }],
    [{ response: "four", ref: 1, model: {} }, { response: "four" }],
  ])("%j is read as %j", (body, expected) => {
    expect(toResult(body)).toEqual({ ok: true, ...expected });
  });

  test.each([["842"], [null], [-1], [Number.NaN], [Infinity], [true], [[]], [{}], [1e300]])(
    "comes without a time when latency_ms is %j",
    (latency) => {
      expect(toResult({ response: "four", latency_ms: latency })).toEqual({ ok: true, response: "four" });
    },
  );

  it("has whole milliseconds", () => {
    expect(toResult({ response: "four", latency_ms: 841.6 })).toEqual({ ok: true, response: "four", latencyMs: 842 });
    expect(toResult({ response: "four", latency_ms: 0 })).toEqual({ ok: true, response: "four", latencyMs: 0 });
  });
});

describe("a result that does not count", () => {
  test.each([
    [{}],
    [{ response: "" }],
    [{ response: " \t\r\n\u00a0\ufeff", error: "" }],
    [{ response: null, error: null }],
    [{ latency_ms: 5 }],
    [{ Response: "four" }],
  ])("%j has neither", (body) => {
    expect(toResult(body)).toEqual({
      ok: false,
      code: "no_answer",
      field: "response",
      detail: "neither response nor error provided",
    });
  });

  test.each([
    [{ response: 4 }, "response"],
    [{ response: ["four"], error: "no" }, "response"],
    [{ response: "four", error: 500 }, "error"],
    [{ error: { message: "no" } }, "error"],
    [{ response: false }, "response"],
    [null, "body"],
    [undefined, "body"],
    ["four", "body"],
    [["four"], "body"],
    [4, "body"],
  ])("%j names the field %s", (body, field) => {
    expect(toResult(body)).toMatchObject({ ok: false, code: "unprocessable", field });
  });

  it("is not helped by a __proto__ key", () => {
    const body = JSON.parse('{"__proto__":{"response":"x","isAdmin":true}}');
    expect(toResult(body)).toMatchObject({ ok: false, code: "no_answer" });
    expect(toResult(Object.assign({}, body))).toMatchObject({ ok: false, code: "no_answer" });
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});

it("takes the last of duplicate keys, as JSON.parse does", () => {
  expect(toResult(JSON.parse('{"response":"one","response":"two"}'))).toEqual({ ok: true, response: "two" });
});

it("never throws, and gives exactly one text when it counts", () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withObjectString: true }), fc.anything(), (body, field) => {
      for (const input of [body, { response: field }, { error: field, latency_ms: field }]) {
        const result = toResult(input);
        if (result.ok) expect(Number("response" in result) + Number("error" in result)).toBe(1);
        else expect(result.detail).not.toBe("");
      }
    }),
  );
});

it("has schemas for both directions that let more fields through", () => {
  expect(resultBodySchema.parse({ error: "no", latency_ms: 1, x: 1 })).toEqual({ error: "no", latency_ms: 1, x: 1 });
  const confirmed = { work_id: "main-42", recorded: true, duplicate: true, more: "later" };
  expect(resultResponseSchema.parse(confirmed)).toEqual(confirmed);
  expect(resultResponseSchema.safeParse({ work_id: 42, recorded: true }).success).toBe(false);
});
