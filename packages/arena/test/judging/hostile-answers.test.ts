import { describe, expect, it } from "vitest";
import { type Check, evaluateCheck, parseCheck } from "../../src/judging/checks.ts";

const SIZE = 200_000;
const fill = (piece: string) => piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE);

const pieces = [
  ["digits", "1"],
  ["digit groups", "1,234,"],
  ["digits and points", "1.2."],
  ["fractions", "1/2/"],
  ["signs", "-"],
  ["powers", "2^"],
  ["spaces", " "],
  ["quotes", '"'],
  ["emphasis", "*"],
  ["periods", "a."],
  ["marks", "####"],
  ["marks that open", "\\boxed{"],
  ["marks with spaces", "answer  "],
  ["answers", "Answer: A\n"],
  ["letters", "a"],
  ["options", "A B "],
  ["opening brackets", "([{"],
  ["opening braces", "{"],
  ["closing braces", "}"],
  ["empty objects", "{}x"],
  ["escaped quotes", '\\"'],
  ["backslashes", "\\"],
  ["keys", '{"a":'],
  ["fences", "```"],
  ["fences on lines", "```\n"],
  ["combining marks out of order", "\u0315\u0300"],
  ["surrogates", "\ud800"],
] as const;

const schema = {
  anyOf: [{ items: { pattern: "^(a+)+$" } }, { type: "array", uniqueItems: true }],
  additionalProperties: { pattern: "^(a|aa)+$" },
};
const checks = [
  { kind: "exact", value: "a" },
  { kind: "number", value: 12 },
  { kind: "contains", all: [`${"a".repeat(500)}b`], ignore_case: true },
  { kind: "regex", pattern: "(a+)+b|(1|11)+x|(?:[ -~]|a){30}\\x00$" },
  { kind: "json-schema", schema },
  { kind: "json-schema", schema: { type: "array", ...schema } },
  { kind: "choice", options: ["A", "B", "C"], value: "B" },
  { kind: "choice", options: ["aaaa", "aaab"], value: "aaab" },
] satisfies Check[];

// No stopwatch: work that grew with the square of these answers would need minutes, and the test's time limit is one of
// seconds. Where the engine reads the text through functions that can be counted, the next test counts.
describe("evaluateCheck on 200,000 hostile characters", () => {
  it.each(pieces)("gives a verdict on nothing but %s", (_name, piece) => {
    for (const check of checks) {
      for (const answer of [fill(piece), `[${fill(`"${piece.replace(/["\\]/g, "")}",`)}1]`, `{"a":"${fill("a")}b"}`]) {
        expect(evaluateCheck(check, answer)).toEqual({ right: expect.any(Boolean), detail: expect.any(String) });
      }
    }
  });

  it("gives a verdict on long lists of different objects, where they must be unique", () => {
    const items = Array.from({ length: 12_000 }, (_, index) => ({ index }));
    const check = parseCheck({ kind: "json-schema", schema: { type: "array", uniqueItems: true } });
    expect(evaluateCheck(check, JSON.stringify(items)).right).toBe(true);
    expect(evaluateCheck(check, JSON.stringify([...items, { index: 7 }])).right).toBe(false);
  });

  it("gives a verdict on JSON that is nested 100,000 deep", () => {
    const check = parseCheck({ kind: "json-schema", schema: { type: "array", uniqueItems: true } });
    const answer = `[${"[".repeat(99_999)}${"]".repeat(99_999)}]`;
    expect(evaluateCheck(check, answer).detail).toEqual(expect.any(String));
  });

  it.each(["(a+)+b", "(a|aa)+b", "(?:a?){30}a{30}b", "(a.*)(a.*)(a.*)b"])(
    "reads ten times as much of an answer ten times as long, for %s",
    (pattern) => {
      const check = parseCheck({ kind: "regex", pattern });
      const reads = (length: number) => countReads(() => evaluateCheck(check, `b${"a".repeat(length)}`));
      const [short, long] = [reads(SIZE / 10), reads(SIZE)];
      expect(long).toBeGreaterThanOrEqual(SIZE);
      expect(long).toBeLessThan(short * 11);
    },
  );
});

/** How often characters are read one by one while `work` runs. */
function countReads(work: () => unknown): number {
  const { charCodeAt, codePointAt } = String.prototype;
  let reads = 0;
  String.prototype.charCodeAt = function (index) {
    reads++;
    return charCodeAt.call(this, index);
  };
  String.prototype.codePointAt = function (index) {
    reads++;
    return codePointAt.call(this, index);
  };
  try {
    work();
  } finally {
    Object.assign(String.prototype, { charCodeAt, codePointAt });
  }
  return reads;
}
