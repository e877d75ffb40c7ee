import type { CritiqueOutput, VerifyOutput } from "@agon/protocol";

/** The numbers of the formula; docs/scoring.md explains each. */
export const SCORING = {
  qualityShare: 0.5,
  coverageShare: 0.3,
  confidenceShare: 0.2,
  confidence: { high: 100, medium: 60, low: 20 },
  perRedFlag: 5,
  redFlagsMost: 20,
  penaltyMost: 40,
  adjustmentMost: 20,
  perEliminateShare: 30,
  /** Evidence of a run that asks for no verifiers. */
  unverified: 50,
} as const;

/** One verifier's word, taken apart. */
export interface VerifierTerms {
  slot_id: number;
  quality: number;
  coverage: number;
  confidence: number;
  red_flags: number;
  /** 0.5 quality + 0.3 coverage + 0.2 confidence - red flags, from 0 to 100. */
  score: number;
}

/** One critic's word, taken apart. */
export interface CriticTerms {
  slot_id: number;
  penalty: number;
  adjustment: number;
  eliminate: boolean;
}

/** Every number that a candidate's score is made of. */
export interface ScoreTerms {
  verifiers: VerifierTerms[];
  critics: CriticTerms[];
  /** Median of the verifiers' scores. */
  evidence: number;
  /** Median of the critics' penalties. */
  penalty: number;
  /** Median of the critics' adjustments. */
  adjustment: number;
  /** 30 times the share of critics who would eliminate. */
  verdict: number;
  /** More than half of the critics would. */
  eliminated: boolean;
  /** evidence - penalty + adjustment - verdict, from 0 to 100; 0 when eliminated. */
  score: number;
}

/** Scores by hand need no more digits, and each term is rounded before it is used, so that the sum comes out the same. */
export function roundTerm(value: number): number {
  const rounded = Math.round((value + Number.EPSILON) * 100) / 100;
  return rounded === 0 ? 0 : rounded;
}

export function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/** The middle value, or the mean of the two middle ones: one voice of a panel, however extreme, moves it little. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length === 0) throw new RangeError("no values have no median");
  const upper = sorted[Math.floor(middle)] as number;
  return sorted.length % 2 === 1 ? upper : roundTerm(((sorted[middle - 1] as number) + upper) / 2);
}

export function toVerifierTerms(slotId: number, output: VerifyOutput): VerifierTerms {
  const quality = roundTerm(output.evidence_quality_score);
  const coverage = roundTerm(output.claim_coverage_score);
  const confidence = SCORING.confidence[output.overall_confidence];
  const redFlags = Math.min(output.red_flags.length * SCORING.perRedFlag, SCORING.redFlagsMost);
  const mix =
    SCORING.qualityShare * quality + SCORING.coverageShare * coverage + SCORING.confidenceShare * confidence - redFlags;
  return {
    slot_id: slotId,
    quality,
    coverage,
    confidence,
    red_flags: redFlags,
    score: roundTerm(clamp(mix, 0, 100)),
  };
}

export function toCriticTerms(slotId: number, output: CritiqueOutput): CriticTerms {
  // Each by itself first: two numbers of 1e308 add up to none.
  const adjustment = Object.values(output.score_adjustments).reduce(
    (sum, each) => sum + clamp(each, -SCORING.adjustmentMost, SCORING.adjustmentMost),
    0,
  );
  return {
    slot_id: slotId,
    penalty: roundTerm(clamp(output.penalty_points, 0, SCORING.penaltyMost)),
    adjustment: roundTerm(clamp(adjustment, -SCORING.adjustmentMost, SCORING.adjustmentMost)),
    eliminate: output.verdict === "eliminate" || output.fatal_flaw,
  };
}

/** The score of a candidate from the words of its panels, in whatever order they came. */
export function scoreCandidate(verifiers: readonly VerifierTerms[], critics: readonly CriticTerms[]): ScoreTerms {
  const evidence = verifiers.length === 0 ? SCORING.unverified : median(verifiers.map((each) => each.score));
  const penalty = critics.length === 0 ? 0 : median(critics.map((each) => each.penalty));
  const adjustment = critics.length === 0 ? 0 : median(critics.map((each) => each.adjustment));
  const against = critics.filter((each) => each.eliminate).length;
  const verdict = critics.length === 0 ? 0 : roundTerm((SCORING.perEliminateShare * against) / critics.length);
  const eliminated = against * 2 > critics.length;
  const sum = clamp(evidence - penalty + adjustment - verdict, 0, 100);
  const bySlot = <Each extends { slot_id: number }>(a: Each, b: Each) => a.slot_id - b.slot_id;
  return {
    verifiers: [...verifiers].sort(bySlot),
    critics: [...critics].sort(bySlot),
    evidence,
    penalty,
    adjustment,
    verdict,
    eliminated,
    score: eliminated ? 0 : roundTerm(sum),
  };
}

export interface Rankable {
  number: number;
  terms: ScoreTerms;
}

/**
 * Who came first: by score, then evidence, then the smaller penalty. Those equal in all three share a rank, and the one
 * whose scout had the earlier place stands first; an order by arrival would make the winner a matter of speed.
 */
export function rankCandidates<Each extends Rankable>(
  candidates: readonly Each[],
): { candidate: Each; rank: number }[] {
  const better = (a: Each, b: Each) =>
    b.terms.score - a.terms.score || b.terms.evidence - a.terms.evidence || a.terms.penalty - b.terms.penalty;
  const sorted = [...candidates].sort((a, b) => better(a, b) || a.number - b.number);
  const ranked: { candidate: Each; rank: number }[] = [];
  for (const [index, candidate] of sorted.entries()) {
    const before = ranked.at(-1);
    const isTied = before !== undefined && better(before.candidate, candidate) === 0;
    ranked.push({ candidate, rank: isTied ? before.rank : index + 1 });
  }
  return ranked;
}
