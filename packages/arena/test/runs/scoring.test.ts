import type { CritiqueOutput, VerifyOutput } from "@agon/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  planStructure,
  scoreBuilder,
  scoreCritic,
  scoreScout,
  scoreVerifier,
} from "../../src/runs/contribution-scores.ts";
import {
  median,
  rankCandidates,
  roundTerm,
  scoreCandidate,
  toCriticTerms,
  toVerifierTerms,
} from "../../src/runs/scoring.ts";
import { roleOutput } from "../support/role-outputs.ts";

const verify = (change: Partial<VerifyOutput> = {}) =>
  ({ ...roleOutput("VERIFY", "c"), ...change }) as unknown as VerifyOutput;
const critique = (change: Partial<CritiqueOutput> = {}) =>
  ({ ...roleOutput("CRITIQUE", "c"), ...change }) as unknown as CritiqueOutput;
const score = (verifiers: Partial<VerifyOutput>[], critics: Partial<CritiqueOutput>[]) =>
  scoreCandidate(
    verifiers.map((each, index) => toVerifierTerms(index, verify(each))),
    critics.map((each, index) => toCriticTerms(100 + index, critique(each))),
  );

describe("a candidate's score", () => {
  it("is evidence less penalty, plus adjustment, less verdict", () => {
    // 0.5 * 61 + 0.3 * 70 + 0.2 * 60 = 63.5; 63.5 - 3 - 2 - 0
    expect(score([{}], [{}])).toMatchObject({ evidence: 63.5, penalty: 3, adjustment: -2, verdict: 0, score: 58.5 });
  });

  it.each([
    ["red flags cost five each, twenty at the most", [{ red_flags: ["a", "b"] }], [{}], { evidence: 53.5 }],
    ["more than four red flags cost no more", [{ red_flags: Array(9).fill("x") }], [{}], { evidence: 43.5 }],
    [
      "a panel's middle voice counts",
      [{ evidence_quality_score: 0 }, {}, { evidence_quality_score: 100 }],
      [{}],
      { evidence: 63.5 },
    ],
    [
      "of two voices the mean counts",
      [{ overall_confidence: "high" }, { overall_confidence: "low" }],
      [{}],
      { evidence: 63.5 },
    ],
    ["a reward is no penalty", [{}], [{ penalty_points: -50 }], { penalty: 0 }],
    ["a penalty ends at forty", [{}], [{ penalty_points: 1e308 }], { penalty: 40 }],
    ["adjustments end at twenty in sum", [{}], [{ score_adjustments: { a: 15, b: 15 } }], { adjustment: 20 }],
    [
      "huge adjustments of both signs cancel out",
      [{}],
      [{ score_adjustments: { a: 1e308, b: -1e308, c: 3 } }],
      { adjustment: 3 },
    ],
    [
      "one of two critics against costs fifteen",
      [{}],
      [{ verdict: "eliminate" }, {}],
      { verdict: 15, eliminated: false },
    ],
    ["one of one eliminates", [{}], [{ verdict: "eliminate" }], { eliminated: true, score: 0 }],
    [
      "a fatal flaw counts as a vote against",
      [{}],
      [{ fatal_flaw: true }, { verdict: "eliminate" }, {}],
      { eliminated: true, verdict: 20 },
    ],
    ["without verifiers evidence is neutral", [], [{}], { evidence: 50, score: 45 }],
    ["without critics only evidence counts", [{}], [], { score: 63.5, verdict: 0 }],
    [
      "it ends at zero",
      [{ evidence_quality_score: 0, claim_coverage_score: 0, overall_confidence: "low" }],
      [{ penalty_points: 40 }],
      { score: 0, eliminated: false },
    ],
  ] as const)("%s", (_title, verifiers, critics, wanted) => {
    expect(score(verifiers as never, critics as never)).toMatchObject(wanted);
  });

  const verifiers = fc.array(
    fc.record({
      evidence_quality_score: fc.double({ min: 0, max: 100, noNaN: true }),
      claim_coverage_score: fc.double({ min: 0, max: 100, noNaN: true }),
      overall_confidence: fc.constantFrom("high" as const, "medium" as const, "low" as const),
      red_flags: fc.array(fc.constant("x"), { maxLength: 7 }),
    }),
    { maxLength: 5 },
  );
  const critics = fc.array(
    fc.record({
      penalty_points: fc.double({ noNaN: true, noDefaultInfinity: true }),
      score_adjustments: fc.dictionary(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true })),
      verdict: fc.constantFrom("pass" as const, "eliminate" as const),
      fatal_flaw: fc.boolean(),
    }),
    { maxLength: 5 },
  );

  it("lies from 0 to 100, is its own sum from the terms shown, and is the same in any order of voices", () => {
    fc.assert(
      fc.property(verifiers, critics, (v, c) => {
        const terms = score(v, c);
        const sum = Math.min(100, Math.max(0, terms.evidence - terms.penalty + terms.adjustment - terms.verdict));
        expect(terms.score).toBe(terms.eliminated ? 0 : roundTerm(sum));
        expect(JSON.parse(JSON.stringify(terms))).toEqual(terms);
        const mixed = scoreCandidate(
          v.map((each, index) => toVerifierTerms(index, verify(each))).reverse(),
          c.map((each, index) => toCriticTerms(100 + index, critique(each))).reverse(),
        );
        expect(mixed).toEqual(terms);
      }),
    );
  });

  it("moves by no more than the distance to the next voice when one of three says anything", () => {
    fc.assert(
      fc.property(fc.tuple(verifiers, verifiers, verifiers), ([[a], [b], [wild]]) => {
        if (a === undefined || b === undefined || wild === undefined) return;
        const [low, high] = [score([a], []).evidence, score([b], []).evidence].sort((x, y) => x - y) as [
          number,
          number,
        ];
        const { evidence } = score([a, b, wild], []);
        expect(evidence).toBeGreaterThanOrEqual(low);
        expect(evidence).toBeLessThanOrEqual(high);
      }),
    );
  });
});

describe("ranking", () => {
  const candidate = (number: number, change: Partial<ReturnType<typeof score>>) => ({
    number,
    terms: { ...score([{}], [{}]), ...change },
  });

  it("goes by score, then evidence, then the smaller penalty; equals share a rank, the earlier scout first", () => {
    const all = [
      candidate(4, { score: 50, evidence: 60, penalty: 5 }),
      candidate(2, { score: 50, evidence: 60, penalty: 5 }),
      candidate(1, { score: 50, evidence: 60, penalty: 9 }),
      candidate(3, { score: 50, evidence: 70 }),
      candidate(5, { score: 80 }),
    ];
    const ranked = rankCandidates(all).map((each) => [each.rank, each.candidate.number]);
    expect(ranked).toEqual([
      [1, 5],
      [2, 3],
      [3, 2],
      [3, 4],
      [5, 1],
    ]);
  });

  it("is the same whatever the order in which candidates come", () => {
    const one = fc.record({ score: fc.integer({ min: 0, max: 3 }), evidence: fc.integer({ min: 0, max: 2 }) });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 8 }), fc.infiniteStream(fc.nat()), (list, keys) => {
        const all = list.map((each, index) => candidate(index + 1, each));
        const mixed = all
          .map((each) => ({ each, key: keys.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ each }) => each);
        expect(rankCandidates(mixed)).toEqual(rankCandidates(all));
      }),
    );
  });
});

describe("median", () => {
  it.each([
    [[3], 3],
    [[1, 9], 5],
    [[9, 1, 2], 2],
    [[100, 9, 10, 1], 9.5],
  ])("of %j is %d", (values, wanted) => expect(median(values)).toBe(wanted));
});

describe("what a task is worth", () => {
  const found = roleOutput("SCOUT") as never;
  const plan = roleOutput("BUILD", "c") as never;

  it("is the candidate's score for its scout, and 25 for one that repeats another", () => {
    expect(scoreScout({ isDuplicate: false, score: 61.5 })).toEqual({ score: 61.5, terms: { candidate: 61.5 } });
    expect(scoreScout({ isDuplicate: true, score: 90 })).toEqual({ score: 25, terms: { duplicate: 25 } });
  });

  it("is half the candidate's score and half the plan's structure for a builder", () => {
    // One phase is bare text, the other has steps and neither outcome nor reality check: (0 + 1/3) / 2.
    expect(planStructure(plan)).toBe(16.67);
    expect(scoreBuilder(60, plan)).toEqual({ score: 38.34, terms: { candidate: 60, structure: 16.67 } });
  });

  it("is a verifier's care alone, and half of it agreement in a panel", () => {
    const terms = toVerifierTerms(1, verify());
    expect(scoreVerifier({ output: verify(), terms }, [terms], found, undefined)).toEqual({
      score: 100,
      terms: { care: 100 },
    });
    const lazy = { output: verify({ claim_assessments: [] }), terms };
    const panel = [terms, { ...terms, score: terms.score - 20 }];
    expect(scoreVerifier(lazy, panel, found, undefined)).toEqual({ score: 70, terms: { care: 50, agreement: 90 } });
  });

  it("is a critic's care alone, and half of it agreement in a panel", () => {
    const output = critique({ weaknesses: ["one"] });
    const terms = toCriticTerms(1, output);
    expect(scoreCritic({ output, terms }, [terms])).toEqual({ score: 66.67, terms: { care: 66.67 } });
    const panel = [terms, { ...terms, eliminate: true }];
    expect(scoreCritic({ output, terms }, panel)).toEqual({ score: 75.84, terms: { care: 66.67, agreement: 85 } });
  });
});
