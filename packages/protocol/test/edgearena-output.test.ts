import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { isNestedDeeper, jsonBytes, PHASES, type Phase, parseOutput, toStorableJson } from "../src/index.ts";

fc.configureGlobal({ seed: 1_700_000_000, numRuns: 300 });

const ID = "0192f4a9-1be4-7123-b21d-0a55f00d4c8e";

const GOOD: Record<Phase, Record<string, unknown>> = {
  SCOUT: {
    candidate_title: "Invoices from timesheets",
    target_customer: "Plumbers",
    core_problem: "Paper",
    proposed_solution: "A tool",
    why_now: "New interfaces",
    claims: [{ type: "market", text: "Many do it by hand" }],
    evidence: [{ kind: "interview", summary: "Nine of ten said so" }],
  },
  BUILD: {
    candidate_id: ID,
    execution: {
      objective: "Ten paying customers",
      first_milestone: "One",
      success_check: "An invoice is paid",
      phases: ["Talk", { title: "Build", steps: ["one", "two"] }, {}],
    },
    claims: [],
  },
  VERIFY: {
    candidate_id: ID,
    evidence_assessments: [{ kind: "interview", summary: "Few", reliability: "low", specificity: "high", note: "" }],
    claim_assessments: [{ type: "market", text: "Many", supported: false, confidence: "medium" }],
    evidence_quality_score: 0,
    claim_coverage_score: 100,
    overall_confidence: "medium",
    red_flags: [""],
  },
  CRITIQUE: {
    candidate_id: ID,
    strengths: ["cheap"],
    weaknesses: [],
    score_adjustments: { feasibility: -3.5 },
    penalty_points: 2,
    verdict: "eliminate",
    fatal_flaw: true,
    elimination_reason: "No market",
  },
};

/** The output of a phase with one place changed; undefined takes it out. */
function changed(phase: Phase, path: string, value: unknown): unknown {
  const copy = structuredClone(GOOD[phase]);
  const keys = path.split(".");
  const last = keys.pop() as string;
  const parent = keys.reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, copy);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

describe("an output in shape", () => {
  test.each(PHASES)("passes for %s, with more fields at every level", (phase) => {
    expect(parseOutput(phase, GOOD[phase])).toEqual({ ok: true, output: GOOD[phase] });
    const more = JSON.parse(JSON.stringify(GOOD[phase]), (_, value) =>
      typeof value === "object" && !Array.isArray(value) && !("feasibility" in value)
        ? { ...value, extra: [1] }
        : value,
    );
    expect(parseOutput(phase, more)).toEqual({ ok: true, output: more });
  });

  it("counts the lists that may be left out as empty", () => {
    expect(parseOutput("BUILD", changed("BUILD", "claims", undefined))).toMatchObject({
      ok: true,
      output: { claims: [] },
    });
    const { strengths: _, weaknesses: __, ...rest } = GOOD.CRITIQUE as { strengths: unknown; weaknesses: unknown };
    expect(parseOutput("CRITIQUE", rest)).toMatchObject({ ok: true, output: { strengths: [], weaknesses: [] } });
  });

  it("may leave out what is optional, and have empty lists", () => {
    expect(parseOutput("CRITIQUE", changed("CRITIQUE", "elimination_reason", undefined)).ok).toBe(true);
    expect(parseOutput("SCOUT", { ...GOOD.SCOUT, claims: [], evidence: [] }).ok).toBe(true);
    expect(parseOutput("CRITIQUE", { ...GOOD.CRITIQUE, score_adjustments: {} }).ok).toBe(true);
  });
});

describe("an output out of shape", () => {
  const text = "it has to be a non-empty string";
  test.each<[Phase, string, unknown, string, string]>([
    ["SCOUT", "why_now", undefined, "why_now", `why_now is missing; ${text}`],
    ["SCOUT", "candidate_title", "", "candidate_title", `candidate_title is an empty string; ${text}`],
    ["SCOUT", "core_problem", null, "core_problem", `core_problem is null; ${text}`],
    ["SCOUT", "claims", undefined, "claims", "claims is missing; it has to be an array of { type, text }"],
    ["SCOUT", "claims.0.text", 4, "claims[0].text", `claims[0].text is 4; ${text}`],
    ["SCOUT", "evidence.0", "x", "evidence[0]", 'evidence[0] is the string "x"; it has to be an object'],
    ["BUILD", "candidate_id", undefined, "candidate_id", `candidate_id is missing; ${text}`],
    ["BUILD", "execution", [], "execution", "execution is an empty array; it has to be an object"],
    [
      "BUILD",
      "execution.phases",
      [],
      "execution.phases",
      "execution.phases is an empty array; it has to be an array of at least one phase",
    ],
    [
      "BUILD",
      "execution.phases.0",
      "",
      "execution.phases[0]",
      "execution.phases[0] is an empty string; it has to be a non-empty string",
    ],
    [
      "BUILD",
      "execution.phases.0",
      1,
      "execution.phases[0]",
      "execution.phases[0] is 1; it has to be a non-empty string or an object",
    ],
    [
      "BUILD",
      "execution.phases.1.steps",
      [1],
      "execution.phases[1].steps[0]",
      "execution.phases[1].steps[0] is 1; it has to be a string",
    ],
    ["BUILD", "claims", null, "claims", "claims is null; it has to be an array of { type, text }"],
    [
      "VERIFY",
      "evidence_assessments.0.reliability",
      "High",
      "evidence_assessments[0].reliability",
      'evidence_assessments[0].reliability is the string "High"; it has to be one of "high", "medium" and "low"',
    ],
    [
      "VERIFY",
      "claim_assessments.0.supported",
      "true",
      "claim_assessments[0].supported",
      'claim_assessments[0].supported is the string "true"; it has to be true or false',
    ],
    [
      "VERIFY",
      "evidence_quality_score",
      "8",
      "evidence_quality_score",
      'evidence_quality_score is the string "8"; it has to be a number from 0 to 100',
    ],
    [
      "VERIFY",
      "claim_coverage_score",
      100.5,
      "claim_coverage_score",
      "claim_coverage_score is 100.5; it has to be a number from 0 to 100",
    ],
    ["VERIFY", "red_flags", [null], "red_flags[0]", "red_flags[0] is null; it has to be a string"],
    [
      "CRITIQUE",
      "score_adjustments",
      { fit: "1" },
      "score_adjustments.fit",
      'score_adjustments.fit is the string "1"; it has to be a number',
    ],
    [
      "CRITIQUE",
      "score_adjustments",
      [],
      "score_adjustments",
      "score_adjustments is an empty array; it has to be an object of numbers",
    ],
    [
      "CRITIQUE",
      "verdict",
      "maybe",
      "verdict",
      'verdict is the string "maybe"; it has to be either "pass" or "eliminate"',
    ],
    ["CRITIQUE", "fatal_flaw", 0, "fatal_flaw", "fatal_flaw is 0; it has to be true or false"],
    ["CRITIQUE", "strengths", [""], "strengths[0]", "strengths[0] is an empty string; it has to be a non-empty string"],
    ["CRITIQUE", "elimination_reason", null, "elimination_reason", "elimination_reason is null; it has to be a string"],
  ])("names the field: %s with %s = %j", (phase, path, value, field, detail) => {
    expect(parseOutput(phase, changed(phase, path, value))).toEqual({ ok: false, field, detail });
  });

  test.each([["8/10"], [""], [null], [false], [[]], ["0x10"], ["٨"], [" 8 "], [-1], [101], [Number.NaN]])(
    "has no score of %j",
    (score) => {
      expect(parseOutput("VERIFY", { ...GOOD.VERIFY, evidence_quality_score: score })).toMatchObject({
        ok: false,
        field: "evidence_quality_score",
      });
    },
  );

  test.each([[null], [[]], [42], ["text"], [undefined], [[GOOD.SCOUT]]])("is %j as a whole", (value) => {
    expect(parseOutput("SCOUT", value)).toEqual({
      ok: false,
      field: "output",
      detail: "output has to be a JSON object with the fields of SCOUT",
    });
  });

  it("names the first wrong field of several, and shortens what it quotes", () => {
    const output = { ...GOOD.CRITIQUE, verdict: "x".repeat(100_000), fatal_flaw: "no" };
    expect(parseOutput("CRITIQUE", output)).toMatchObject({ field: "verdict" });
    expect(JSON.stringify(parseOutput("CRITIQUE", output)).length).toBeLessThan(200);
    const named = { ...GOOD.CRITIQUE, score_adjustments: { ["k".repeat(100_000)]: "1" } };
    expect(JSON.stringify(parseOutput("CRITIQUE", named)).length).toBeLessThan(300);
  });
});

describe("the candidate of an output", () => {
  test.each<[Phase]>([["BUILD"], ["VERIFY"], ["CRITIQUE"]])("has to be the dispatched one in %s", (phase) => {
    expect(parseOutput(phase, GOOD[phase], ID).ok).toBe(true);
    expect(parseOutput(phase, GOOD[phase], ID.toUpperCase()).ok).toBe(true);
    expect(parseOutput(phase, GOOD[phase], null).ok).toBe(true);
    expect(parseOutput(phase, { ...GOOD[phase], candidate_id: "cand-1" }, ID)).toEqual({
      ok: false,
      field: "candidate_id",
      detail: `candidate_id has to be the id that was dispatched, ${ID}`,
    });
  });
});

describe("hostile outputs", () => {
  it("gains nothing by a __proto__ key", () => {
    const inherited = JSON.parse(`{"__proto__":${JSON.stringify(GOOD.SCOUT)}}`);
    expect(parseOutput("SCOUT", inherited)).toMatchObject({ ok: false, field: "candidate_title" });
    expect(parseOutput("SCOUT", Object.assign({}, inherited))).toMatchObject({ ok: false, field: "output" });
    const adjusted = JSON.parse('{"__proto__":{"isAdmin":1},"constructor":1}');
    expect(parseOutput("CRITIQUE", { ...GOOD.CRITIQUE, score_adjustments: adjusted }).ok).toBe(true);
    expect(({} as { isAdmin?: number }).isAdmin).toBeUndefined();
  });

  it("is refused, not crashed on, when nested a hundred thousand levels deep", () => {
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    expect(parseOutput("SCOUT", { ...GOOD.SCOUT, extra: deep })).toMatchObject({
      ok: false,
      detail: "output is nested more than 64 levels deep; flatten it",
    });
    expect(jsonBytes(deep)).toBe(Number.POSITIVE_INFINITY);
    expect(toStorableJson(deep)).toBeUndefined();
  });

  it("counts levels exactly", () => {
    expect(isNestedDeeper({ a: [1] }, 2)).toBe(false);
    expect(isNestedDeeper({ a: [{}] }, 2)).toBe(true);
    expect(isNestedDeeper("flat", 0)).toBe(false);
  });

  it("never throws, whatever comes in", () => {
    fc.assert(
      fc.property(fc.constantFrom(...PHASES), fc.anything(), fc.string(), (phase, value, key) => {
        for (const input of [value, { ...GOOD[phase], [key]: value }, { ...GOOD[phase], candidate_id: value }]) {
          const parsed = parseOutput(phase, input);
          if (!parsed.ok) expect(parsed.detail.length).toBeLessThan(300);
        }
      }),
    );
  });
});

describe("JSON for the store", () => {
  it("has neither NUL nor lone surrogates, in texts and in keys", () => {
    const value = { "a\u0000": "x\ud800y\u0000", ok: "😀\\u0000\\\u0000", list: ["\udfff", "\u001f"] };
    expect(JSON.parse(toStorableJson(value) as string)).toEqual({
      "a\uFFFD": "x\uFFFDy\uFFFD",
      ok: "😀\\u0000\\\uFFFD",
      list: ["\uFFFD", "\u001f"],
    });
  });

  it("leaves storable values alone", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/\\u(0000|d[89a-f])/.test(text));
        expect(toStorableJson(value)).toBe(text);
        expect(jsonBytes(value)).toBe(Buffer.byteLength(text));
      }),
    );
  });
});
