import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJson } from "../../src/judging/checks/json-answers.ts";
import { type Check, checkSchema, evaluateCheck, parseCheck } from "../../src/judging/checks.ts";

type Row = [answer: string, right: boolean];

function table(name: string, check: Check, rows: Row[]): void {
  describe(name, () => {
    it.each(rows)("%j → %j", (answer, right) => {
      const outcome = evaluateCheck(parseCheck(check), answer);
      expect(outcome).toEqual({ right, detail: expect.any(String) });
      expect(outcome.detail).not.toMatch(/could not be judged/);
    });
  });
}

table("exact takes the value alone, in any wrapping", { kind: "exact", value: "New Delhi" }, [
  ["New Delhi", true],
  ["  New Delhi.\n", true],
  ['"New Delhi"', true],
  ["“New Delhi.”", true],
  ["**New Delhi**", true],
  ["**New Delhi.**", true],
  ["`New\u00a0Delhi`", true],
  ["```text\nNew Delhi\n```", true],
  ["new delhi", false],
  ["New Delhi is the capital", false],
  ["Delhi", false],
  ["", false],
  ['"', false],
  ["'New Delhi", false],
]);

table("exact without case", { kind: "exact", value: "Straße.", ignore_case: true }, [
  ["straße", true],
  ["STRAßE", true],
  ["Strasse", false],
]);

table("exact compares composed and decomposed letters alike", { kind: "exact", value: "caf\u00e9" }, [
  ["cafe\u0301", true],
  ["cafe", false],
]);

table("number takes the last number, or the marked one", { kind: "number", value: 12 }, [
  ["12", true],
  ["12.0", true],
  ["There are 3 rows of 4, so 12 chairs.", true],
  ["**12**", true],
  ["_12_", true],
  ["$12", true],
  ["12 €", true],
  ["US$12.00", true],
  ["12cm", true],
  ["12 m^2", true],
  ["12 m²", true],
  ["12%.", true],
  ["１２", true],
  ["24/2", true],
  ["\\frac{24}{2}", true],
  ["#### 12", true],
  ["#### 12\nThat took 3 steps.", true],
  ["\\boxed{12}", true],
  ["$$\\boxed{12\\text{ km}}$$ (see step 3)", true],
  ["Answer: 12", true],
  ["**Answer:** 12 apples, not 13", true],
  ["**Final answer**: 12 (from 20 less 8)", true],
  ["The answer is 12, because 3 × 4 = 12 and not 7.", true],
  ["Answer: 3 × (2 + 2) = 12", true],
  ["Answer: 12 (x = 3)", true],
  ["Answer: x = 12 (y = 3)", true],
  ["ANSWER = 12\nChecked 2 times", true],
  ["Answer: 7\nNo, I was wrong.\nAnswer: 12", true],
  ["Answer:\n12", true],
  ["10-12", true],
  ["10–12", true],
  ["-12", false],
  ["−12", false],
  ["12 of 20", false],
  ["Answer: twelve, 13", false],
  ["1.2", false],
  ["112", false],
  ["x12", false],
  ["twelve", false],
  ["", false],
]);

table("number reads signs, groups and powers", { kind: "number", value: -1234567.5 }, [
  ["-1234567.5", true],
  ["−1,234,567.5", true],
  ["–1 234 567.5", false],
  ["-1\u202f234\u202f567.5", true],
  ["-1'234'567.5", true],
  ["-1’234’567.5", true],
  ["-1.234.567,5", true],
  ["-1{,}234{,}567.5", true],
  ["-$1,234,567.50", true],
  ["$-1,234,567.50", true],
  ["−€1,234,567.5", true],
  ["-1.2345675e6", true],
  ["-1.2345675 × 10^6", true],
  ["-1.2345675·10⁶", true],
  ["-1.2345675 \\times 10^{6}", true],
  ["1,234,567.5", false],
  ["-1,234,567", false],
]);

table("number reads small powers", { kind: "number", value: 1024 }, [
  ["2^10", true],
  ["2¹⁰", true],
  ["2^{10} = 1,024", true],
  ["10^24", false],
]);

table("number keeps a list of numbers apart", { kind: "number", value: 7 }, [
  ["2,3,5,7", true],
  ["2, 3, 5, 7", true],
  ["5 and 7", true],
  ["version 7.1.2", false],
]);

table("number within a tolerance, both ends included", { kind: "number", value: 3.14, tolerance: 0.01 }, [
  ["3.14", true],
  ["3,14", true],
  ["3.15", true],
  ["3.13", true],
  ["22/7", true],
  ["3.1", false],
  ["3.16", false],
]);

table("number sees past binary fractions", { kind: "number", value: 0.3 }, [
  [".3", true],
  ["0.30000000000000004", true],
  ["3/10", true],
  ["0.3001", false],
]);

table("contains: all, any and none", { kind: "contains", all: ["red", "blue"], any: ["sea", "sky"], none: ["green"] }, [
  ["a red and blue sky", true],
  ["blue, red: sea", true],
  ["red sky", false],
  ["red and blue", false],
  ["red, blue and green sky", false],
  ["Red and blue sky", false],
]);

table("contains without case, over typographic variants", { kind: "contains", all: ["don't"], ignore_case: true }, [
  ["DON’T panic", true],
  ["do not", false],
]);

table("regex searches anywhere", { kind: "regex", pattern: "^[a-z]+-\\d{2}$", flags: "im" }, [
  ["AB-12", true],
  ["see:\nab-12\n", true],
  ["ab-123", false],
]);

const letters: Check = { kind: "choice", options: ["A", "B", "C", "D"], value: "B" };

table("choice finds the letter that is stated", letters, [
  ["B", true],
  ["b", true],
  ["(B)", true],
  ["B.", true],
  ["**B**", true],
  ["B) a bat costs more than a ball", true],
  ["**B.** A bat", true],
  ["Answer: B", true],
  ["answer: b", true],
  ["The answer is (B), because A is too small.", true],
  ["The answer is B, not A.", true],
  ["A is too small. Answer: B", true],
  ["\\boxed{B}", true],
  ["\\boxed{\\text{B}}", true],
  ["A bat and a ball: the right one is (B).", true],
  ["I would pick B here", true],
  ["A", false],
  ["(A)", false],
  ["A or B", false],
  ["Answer: A or B", false],
  ["Answer: A\nAnswer: B", false],
  ["A) no\nB) yes", false],
  ["(A) and (B)", false],
  ["E", false],
  ["Because", false],
  ["", false],
]);

table("choice finds words", { kind: "choice", options: ["guilty", "not guilty", "unclear"], value: "not guilty" }, [
  ["not guilty", true],
  ["Not guilty.", true],
  ["The answer is: not guilty", true],
  ["I find the accused **not guilty**", true],
  ["guilty", false],
  ["guilty or not guilty", false],
  ["unclear", false],
]);

const schema = {
  type: "object",
  properties: { name: { type: "string", pattern: "^[A-Z]" }, tags: { type: "array", uniqueItems: true } },
  required: ["name"],
  additionalProperties: false,
};

table("json-schema reads the JSON out of prose", { kind: "json-schema", schema }, [
  ['{"name":"Ada"}', true],
  ['\ufeff{"name":"Ada"}', true],
  ['```json\n{"name":"Ada"}\n```', true],
  ['Like ```{"name":"x"}``` you asked:\n```\n{"name":"Ada"}\n```\nDone.', true],
  ['I use {braces} freely. {"name":"Ada","tags":[{"a":1},{"a":2}]} is it (for {x}).', true],
  ['{"name":"A \\"}{ b"}', true],
  ['The object: {"name":"ada"}. No: {"name":"Ada"}', true],
  ['The object: {"name":"Ada"}. No: {"name":"ada"}', false],
  ['{"name":"Ada","tags":[{"a":1,"b":2},{"b":2,"a":1}]}', false],
  ['{"name":"Ada"', false],
  ['{"name":"Ada","age":3}', false],
  ["[]", false],
  ["null", false],
  ["Ada", false],
]);

table("json-schema reads arrays where one is wanted", { kind: "json-schema", schema: { type: "array", minItems: 2 } }, [
  ["[1,2]", true],
  ["Here: [[1],[2]].", true],
  ["Here: [1].", false],
]);

describe("parseCheck", () => {
  const $defs = { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { items: { $ref: "#/$defs/a" } } };
  const wrong: [input: unknown, message: RegExp][] = [
    [null, /^check: /],
    [{ kind: "guess" }, /^check\.kind: /],
    [{ kind: "exact", value: "" }, /^check\.value: /],
    [{ kind: "exact", value: "a", ignoreCase: true }, /ignoreCase/],
    [{ kind: "number", value: "12" }, /^check\.value: /],
    [{ kind: "number", value: Number.NaN }, /^check\.value: /],
    [{ kind: "number", value: 1, tolerance: -1 }, /^check\.tolerance: /],
    [{ kind: "contains" }, /^check\.all: /],
    [{ kind: "contains", any: [] }, /^check\.any: /],
    [{ kind: "regex", pattern: "(" }, /^check\.pattern: /],
    [{ kind: "regex", pattern: "(a)\\1" }, /^check\.pattern: /],
    [{ kind: "regex", pattern: "a(?=b)" }, /^check\.pattern: /],
    [{ kind: "regex", pattern: "(((a?){10}){10}){10}" }, /^check\.pattern: .*too large/],
    [{ kind: "regex", pattern: "a", flags: "g" }, /^check\.flags: /],
    [{ kind: "json-schema", schema: { type: "objekt" } }, /^check\.schema: /],
    [{ kind: "json-schema", schema: { propertees: {} } }, /^check\.schema: .*propertees/],
    [{ kind: "json-schema", schema: { pattern: "(" } }, /^check\.schema: /],
    [{ kind: "json-schema", schema: { $ref: "#" } }, /^check\.schema: .*\$ref/],
    [{ kind: "json-schema", schema: { $ref: "https://example.com/s" } }, /^check\.schema: .*\$ref/],
    [{ kind: "json-schema", schema: { $async: true } }, /^check\.schema: .*\$async/],
    [{ kind: "json-schema", schema: { $defs, $ref: "#/$defs/a" } }, /^check\.schema: .*refers to itself/],
    [{ kind: "choice", options: ["A"], value: "A" }, /^check\.options: /],
    [{ kind: "choice", options: ["A", "a"], value: "A" }, /^check\.options: /],
    [{ kind: "choice", options: ["A", "B"], value: "C" }, /^check\.value: /],
  ];

  it.each(wrong)("rejects %j and names the field", (input, message) => {
    expect(() => parseCheck(input)).toThrow(message);
  });

  it("accepts a schema that names its dialect and itself", () => {
    const $schema = "https://json-schema.org/draft/2020-12/schema";
    const check = parseCheck({
      kind: "json-schema",
      schema: { $schema, $id: "https://example.com/s", type: "object" },
    });
    expect(evaluateCheck(check, "{}").right).toBe(true);
    expect(() => parseCheck({ kind: "json-schema", schema: { $schema: "http://example.com/own" } })).toThrow(
      "check.schema",
    );
  });

  it("accepts shared definitions and properties that are named like keywords", () => {
    const properties = { $id: { $ref: "#/$defs/text" }, other: { $ref: "#/$defs/text" } };
    const check = parseCheck({ kind: "json-schema", schema: { properties, $defs: { text: { type: "string" } } } });
    expect(evaluateCheck(check, '{"$id":"a","other":"b"}').right).toBe(true);
    expect(evaluateCheck(check, '{"$id":"a","other":1}').right).toBe(false);
  });
});

const everyKind: Check[] = [
  { kind: "exact", value: "a b", ignore_case: true },
  { kind: "number", value: 1, tolerance: 0.5 },
  { kind: "contains", all: ["a"], any: ["b", "c"], none: ["d"], ignore_case: true },
  { kind: "regex", pattern: "(a*)*b|(x+x+)+y|(?:[ab]|a){30}z" },
  { kind: "json-schema", schema: { ...schema, patternProperties: { "^(x+x+)+$": true }, additionalProperties: true } },
  { kind: "json-schema", schema: { type: "array", uniqueItems: true, contains: { pattern: "^(a|a)*b$" } } },
  letters,
  { kind: "choice", options: ["yes", "no", "aaaa", "aaab"], value: "no" },
];

describe("evaluateCheck on anything", () => {
  const pieces = [
    "{",
    "}",
    "[",
    '"',
    "\\",
    "```",
    "\n",
    "####",
    "\\boxed{",
    "Answer:",
    "1",
    ",",
    "^",
    "-",
    "(",
    "A",
    "**",
    " ",
  ];
  const answers = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 }))).map((parts) => parts.join("")),
    fc.json(),
  );

  it("gives a verdict and never throws", () => {
    const property = fc.property(fc.constantFrom(...everyKind), answers, (check, answer) => {
      const { right, detail } = evaluateCheck(check, answer);
      expect(typeof right).toBe("boolean");
      expect(detail.length).toBeLessThan(500);
    });
    fc.assert(property, { numRuns: 2_000 });
  });

  it("finds any number that is written plainly, whatever is said before it", () => {
    const numbers = fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((value) => Number(value.toFixed(4)));
    const property = fc.property(fc.string({ unit: "binary" }), numbers, (before, value) => {
      fc.pre(!/answer|boxed|####/i.test(before));
      return evaluateCheck({ kind: "number", value }, `${before}\nso it is ${value}.`).right === true;
    });
    fc.assert(property);
  });

  it("accepts any value in any wrapping for exact", () => {
    const wrappings = fc.constantFrom('"', "'", "`", "*", "**", "_", " ", "\n");
    const property = fc.property(
      fc.string({ minLength: 1 }),
      fc.array(wrappings, { maxLength: 4 }),
      (value, around) => {
        const answer = [...around, value, ...around.toReversed()].join("");
        return evaluateCheck({ kind: "exact", value }, answer).right === true;
      },
    );
    fc.assert(property);
  });

  it("finds any object behind prose that has no JSON of its own", () => {
    const prose = fc.string({ unit: fc.constantFrom("a", " ", "{", "'", "\n", ".") });
    const property = fc.property(prose, fc.dictionary(fc.string(), fc.jsonValue()), (before, object) => {
      const json = JSON.stringify(object);
      expect(findJson(`${before} ${json}`, "object")).toEqual([JSON.parse(json)]);
    });
    fc.assert(property);
  });

  it("round-trips every valid check through the schema", () => {
    for (const check of everyKind) expect(checkSchema.parse(JSON.parse(JSON.stringify(check)))).toEqual(check);
  });
});
