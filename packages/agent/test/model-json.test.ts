import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { readModelJson, withoutReasoning } from "../src/model-json.ts";

fc.configureGlobal({ seed: 1_700_000_000, numRuns: 300 });

/** Accepts whatever has an answer, as a schema would. */
const read = (text: string) => readModelJson(text, (value) => typeof value.answer === "string");
const answerOf = (text: string) => {
  const found = read(text);
  return found.ok ? found.value.answer : undefined;
};
const FENCED = "```python\nx=1\n```";

describe("the JSON in a model's answer", () => {
  test.each<[string, string]>([
    ['{"answer":"ok"}', "ok"],
    ['\ufeff{"answer":"x"}\r\n', "x"],
    ['```json\n{"answer":"ok"}\n```', "ok"],
    ['Here you are:\n```\n{"answer":"ok"}\n```\nAnything else?', "ok"],
    ['Loading model...\n{"answer":"ok"}\n', "ok"],
    ['\u001b[1m{\u001b[m"answer":"ok"}', "ok"],
    ['{"answer":"a"}\n</output>', "a"],
    ['Use { braces } like {this}: {"answer":"ok"}', "ok"],
    ['See [1] and [2, 3]. {"answer":"ok"}', "ok"],
    ['It\'s "quoted" prose. {"answer":"ok"}', "ok"],
    [JSON.stringify({ answer: FENCED }), FENCED],
    [`\`\`\`json\n${JSON.stringify({ answer: FENCED })}\n\`\`\``, FENCED],
    [`Sure.\n\`\`\`json\n${JSON.stringify({ answer: FENCED })}\n\`\`\``, FENCED],
    ['{"answer":"She said “hello”"}', "She said “hello”"],
    ['{"answer":"re.findall(r\\"[^,]+\\")"}', 're.findall(r"[^,]+")'],
  ])("is found in %j", (text, answer) => {
    expect(answerOf(text)).toBe(answer);
  });

  test.each<[string, string]>([
    ['{"answer":"wait, } ok","n":1,}', "wait, } ok"],
    ["{“answer”: “hi”}", "hi"],
    ["{'answer': 'hi'}", "hi"],
    ['{answer: "hi"}', "hi"],
    ['{"answer":"two\nlines"}', "two\nlines"],
    ['{"answer":"hi","list":["a","b",]}', "hi"],
    ['{"answer":"hi" "n":1}', "hi"],
    ['```json\n{"answer":"hi",}\n```', "hi"],
  ])("is repaired where only punctuation is wrong: %j", (text, answer) => {
    expect(answerOf(text)).toBe(answer);
  });

  it("keeps the whole of a text with unescaped quotes in it, or takes none of it", () => {
    const whole = 'Lorem "ipsum" sint, sunt est';
    expect([whole, undefined]).toContain(answerOf(`{"answer":"${whole}"}`));
  });

  test.each([
    ['{"answer":"cut of'],
    ['{"answer":"a","list":["b"'],
    ['{"answer":"a"'],
    ['{"wrapper":{"answer":"inner"},"more":"cut'],
    ['```json\n{"answer":"cut'],
    ["{'answer': 'cut"],
  ])("is never made out of one that is cut off: %j", (text) => {
    expect(read(text)).toMatchObject({ ok: false, detail: expect.stringMatching(/cut off/) });
  });

  test.each([
    ["null"],
    ["[]"],
    ['[{"answer":"a"}]'],
    ["42"],
    ['"text"'],
    ['```json\n[{"answer":"a"}]\n```'],
    [""],
    ["I cannot help with that."],
    ['{"answer":"a" + "b"}'],
    ['{"answer":"a", /* because of tests */ "n":1}'],
    ['{"answer":"a", "list":[1, 2, ...]}'],
  ])("is not there in %j", (text) => {
    expect(read(text).ok).toBe(false);
  });

  it("is the last of several that are in shape, and the last when none is", () => {
    expect(answerOf('{"answer":"a"}{"answer":"b"}')).toBe("b");
    expect(answerOf('{"answer":"a"}\nwhere {"unrelated":1}')).toBe("a");
    expect(read('{"x":1} {"y":2}')).toEqual({ ok: true, value: { y: 2 } });
  });

  test.each([
    ['<think>maybe {"answer":"draft"}</think>{"answer":"final"}'],
    ['<thinking>\n```json\n{"answer":"draft"}\n```\n</thinking>\n```json\n{"answer":"final"}\n```'],
    ['so {"answer":"draft"} then\n</think>\n{"answer":"final"}'],
    ['```thinking\n{"answer":"draft"}\n```\n{"answer":"final"}'],
    [
      '<|channel|>analysis<|message|>{"answer":"draft"}<|end|><|start|>assistant<|channel|>final<|message|>{"answer":"final"}',
    ],
  ])("is never a draft: %j", (text) => {
    expect(answerOf(text)).toBe("final");
  });

  test.each([
    ['<think>{"answer":"draft"}</think>'],
    ['<think>{"answer":"draft"}'],
    ['<think>{"answer":"draft"} and on and on'],
  ])("is not there when there is only a draft: %j", (text) => {
    expect(read(text).ok).toBe(false);
  });

  it("may speak of thinking inside of its strings", () => {
    const answer = "<think>{}</think> is a tag";
    expect(answerOf(JSON.stringify({ answer }))).toBe(answer);
    expect(answerOf(`Sure: ${JSON.stringify({ answer })}`)).toBe(answer);
  });

  it("gains nothing by a __proto__ key", () => {
    expect(read('{"__proto__":{"answer":"x","isAdmin":true}}')).toMatchObject({ ok: true });
    expect(answerOf('{"__proto__":{"answer":"x"}}')).toBeUndefined();
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it("is unchanged when it parses as it stands, whatever is in it, and also in a fence", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (object, isFenced) => {
        const text = JSON.stringify(object);
        const value = JSON.parse(text);
        const found = readModelJson(isFenced ? `\`\`\`json\n${text}\n\`\`\`` : text, () => true);
        expect(found).toEqual({ ok: true, value });
      }),
    );
  });

  it("never throws and never hangs", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."{}[]\"',:\\<>/think`a1 \n"), maxLength: 200 }),
        (text) => void read(text),
      ),
    );
    for (const text of ["{".repeat(100_000), "[".repeat(100_000), '{"a":'.repeat(20_000), "<think>".repeat(20_000)]) {
      expect(read(text).ok).toBe(false);
    }
  });
});

describe("a text answer", () => {
  test.each<[string, string]>([
    ["<think>hm</think>\n42", "42"],
    ["<think>a</think><think>b</think> 42 ", "42"],
    ["hm hm</think>42", "42"],
    ["<think>no end", ""],
    ["Use the <think> tag", "Use the <think> tag"],
    ["Use <think>x</think> tags", "Use <think>x</think> tags"],
    ["42", "42"],
  ])("loses its thoughts alone: %j is %j", (text, answer) => {
    expect(withoutReasoning(text)).toBe(answer);
  });
});
