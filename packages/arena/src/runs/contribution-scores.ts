import type { BuildOutput, CritiqueOutput, ScoutOutput, VerifyOutput } from "@agon/protocol";
import { type CriticTerms, clamp, median, roundTerm, SCORING, type VerifierTerms } from "./scoring.ts";

/** What a task was worth, from 0 to 100, and the terms that the number was made of. */
export interface ContributionScore {
  score: number;
  terms: Record<string, number>;
}

/** Work that others' work rests on is worth what came of it; judging is worth its care and its agreement with others. */
const HALF = 0.5;
/** A near-duplicate was work, and of no use. */
const DUPLICATE_SCORE = 25;
/** This many strengths and weaknesses make a critique a whole one. */
const WHOLE_CRITIQUE = { strengths: 1, weaknesses: 2 };

export function scoreScout(candidate: { isDuplicate: boolean; score: number }): ContributionScore {
  if (candidate.isDuplicate) return { score: DUPLICATE_SCORE, terms: { duplicate: DUPLICATE_SCORE } };
  return { score: candidate.score, terms: { candidate: candidate.score } };
}

/** Half what the candidate came to, half how far the plan is thought through. */
export function scoreBuilder(candidateScore: number, plan: BuildOutput): ContributionScore {
  const structure = planStructure(plan);
  return {
    score: roundTerm(HALF * candidateScore + HALF * structure),
    terms: { candidate: candidateScore, structure },
  };
}

/** Of each phase of a plan: has it steps, an outcome, and something to check reality by? */
export function planStructure({ execution }: BuildOutput): number {
  const points = execution.phases.map((phase) => {
    if (typeof phase === "string") return 0;
    const parts = [phase.steps?.some(isSaid), isSaid(phase.outcome), isSaid(phase.reality_check)];
    return parts.filter(Boolean).length / parts.length;
  });
  return roundTerm((100 * points.reduce((sum, each) => sum + each, 0)) / points.length);
}

function isSaid(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== "";
}

/** How much of what there was to look at was looked at, and in a panel how near the verifier came to its median. */
export function scoreVerifier(
  own: { output: VerifyOutput; terms: VerifierTerms },
  panel: readonly VerifierTerms[],
  found: ScoutOutput,
  plan: BuildOutput | undefined,
): ContributionScore {
  const claims = found.claims.length + (plan?.claims.length ?? 0);
  const care = roundTerm(
    (shareOf(own.output.claim_assessments.length, claims) +
      shareOf(own.output.evidence_assessments.length, found.evidence.length)) *
      50,
  );
  return withAgreement(
    care,
    own.terms.score,
    panel.map((each) => each.score),
  );
}

/** How whole the critique is, and in a panel how near its effect came to the median. */
export function scoreCritic(
  own: { output: CritiqueOutput; terms: CriticTerms },
  panel: readonly CriticTerms[],
): ContributionScore {
  const { strengths, weaknesses } = WHOLE_CRITIQUE;
  const said = Math.min(own.output.strengths.length, strengths) + Math.min(own.output.weaknesses.length, weaknesses);
  const care = roundTerm((100 * said) / (strengths + weaknesses));
  const effectOf = (terms: CriticTerms) =>
    terms.adjustment - terms.penalty - (terms.eliminate ? SCORING.perEliminateShare : 0);
  return withAgreement(care, effectOf(own.terms), panel.map(effectOf));
}

function withAgreement(care: number, own: number, panel: readonly number[]): ContributionScore {
  // Alone one agrees with oneself, which says nothing.
  if (panel.length < 2) return { score: care, terms: { care } };
  const agreement = roundTerm(100 - clamp(Math.abs(own - median(panel)), 0, 100));
  return { score: roundTerm(HALF * care + HALF * agreement), terms: { care, agreement } };
}

function shareOf(done: number, given: number): number {
  return given === 0 ? 1 : Math.min(done / given, 1);
}
