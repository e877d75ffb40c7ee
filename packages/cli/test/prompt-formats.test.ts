import { describe, expect, it } from "vitest";
import { guessFormat, PROMPT_FORMATS } from "../src/prompts/prompt-formats.ts";

function convert(format: string, record: unknown, set = PROMPT_FORMATS[format]?.set ?? "") {
  return PROMPT_FORMATS[format]?.convert(record, set);
}

const TWO_TURNS = {
  question_id: 101,
  category: "reasoning",
  turns: ["Who is second?", "And now?"],
  reference: ["You."],
};
const HARD = { uid: "9f2c", category: "hard", cluster: "Sorting", prompt: "Sort this." };
const FUNCTION = {
  task_id: "HumanEval/7",
  prompt: "def double(n):\n    ...\n",
  entry_point: "double",
  canonical_solution: "    return 2 * n\n",
  test: "def check(candidate): ...",
};
const SUM = { question: "How many in all? ", answer: "2 and 3 are <<2+3=5>>5.\n#### 1,005" };
const OWN = { prompt: "Name a moon.", category: "astronomy", check: { kind: "exact", value: "Io" } };

describe("guessFormat", () => {
  it.each([
    ["mt-bench", TWO_TURNS],
    ["arena-hard", HARD],
    ["arena-hard", { question_id: "9f2c", category: "hard", cluster: "c", turns: [{ content: "Sort this." }] }],
    ["humaneval", FUNCTION],
    ["gsm8k", SUM],
    ["agon", OWN],
    ["agon", { prompt: "p", category: "c", question: "q" }],
    [undefined, { question_id: 1, choices: [] }],
    [undefined, { name: "pair", prompt_template: "…" }],
    [undefined, ["prompt"]],
    [undefined, null],
  ])("%s for %j", (format, record) => {
    expect(guessFormat(record)).toBe(format);
  });
});

describe("a record", () => {
  it("of mt-bench is its first turn, with the first reference", () => {
    expect(convert("mt-bench", TWO_TURNS)).toEqual({
      external_id: "mt-bench-101",
      prompt: "Who is second?",
      category: "reasoning",
      source: "mt-bench",
      reference: "You.",
    });
    expect(convert("mt-bench", { ...TWO_TURNS, reference: [" ", "x"] })).not.toHaveProperty("reference");
    expect(convert("mt-bench", TWO_TURNS, "vicuna")).toMatchObject({ external_id: "vicuna-101", source: "vicuna" });
  });

  it("of arena-hard is its prompt, in the field or in a turn", () => {
    const expected = { external_id: "arena-hard-9f2c", prompt: "Sort this.", category: "hard", source: "arena-hard" };
    expect(convert("arena-hard", HARD)).toEqual(expected);
    const older = { question_id: "9f2c", category: "hard", cluster: "c", turns: [{ content: "Sort this." }] };
    expect(convert("arena-hard", older)).toEqual(expected);
  });

  it("of humaneval asks for the function and keeps the solution as reference, without a check", () => {
    const prompt = convert("humaneval", FUNCTION);
    expect(prompt).toMatchObject({ external_id: "humaneval-7", category: "coding", reference: "    return 2 * n\n" });
    expect(prompt?.prompt).toMatch(/^Complete this Python function\..*```python\ndef double\(n\):\n {4}\.\.\.\n```$/s);
    expect(prompt).not.toHaveProperty("check");
  });

  it("of gsm8k is checked by the number behind the mark, and known by its question wherever it stands", () => {
    const prompt = convert("gsm8k", SUM);
    expect(prompt).toMatchObject({
      external_id: expect.stringMatching(/^gsm8k-[0-9a-f]{16}$/),
      check: { kind: "number", value: 1005 },
      reference: "2 and 3 are 5.\n#### 1,005",
      category: "math",
    });
    expect(convert("gsm8k", { ...SUM, answer: "#### -2.5" })).toMatchObject({
      external_id: prompt?.external_id,
      check: { kind: "number", value: -2.5 },
    });
  });

  it("of our own stays as it is, and without an id is known by its text", () => {
    expect(convert("agon", { ...OWN, external_id: "own-1", extra: 1 })).toEqual({
      ...OWN,
      external_id: "own-1",
      extra: 1,
    });
    const first = convert("agon", OWN);
    expect(first?.external_id).toMatch(/^text-[0-9a-f]{16}$/);
    expect(convert("agon", { ...OWN, category: "moons" })?.external_id).toBe(first?.external_id);
    expect(convert("agon", { ...OWN, prompt: "Name two." })?.external_id).not.toBe(first?.external_id);
  });

  it.each([
    ["mt-bench", { ...TWO_TURNS, turns: [] }, "turns: "],
    ["mt-bench", { ...TWO_TURNS, category: undefined }, "category: "],
    ["arena-hard", { ...HARD, uid: undefined }, "uid: is missing"],
    ["arena-hard", { ...HARD, prompt: " " }, "prompt: must not be blank"],
    ["humaneval", { ...FUNCTION, prompt: 5 }, "prompt: "],
    ["gsm8k", { ...SUM, answer: "five" }, "answer: does not end with #### and a number"],
    ["gsm8k", { ...SUM, answer: "#### five" }, "answer: does not end with #### and a number"],
    ["agon", { category: "c" }, "prompt: "],
    ["agon", "text", "it: "],
  ])("of %s that is %j is refused with the field: %s", (format, record, reason) => {
    expect(() => convert(format, record)).toThrow(reason);
  });
});
