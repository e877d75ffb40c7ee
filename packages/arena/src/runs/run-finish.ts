import { PHASE_ROLE, type Phase } from "@agon/protocol";
import type { Db } from "../db/database.ts";
import type { Clock } from "../ports.ts";
import { type ContributionScore, scoreBuilder, scoreCritic, scoreScout, scoreVerifier } from "./contribution-scores.ts";
import { type CandidateWork, loadCandidateWork, type Work } from "./materials.ts";
import { rankCandidates, type ScoreTerms, scoreCandidate, toCriticTerms, toVerifierTerms } from "./scoring.ts";
import {
  type CandidateRow,
  insertContributions,
  loadCandidates,
  type RunRow,
  updateCandidate,
  updateRun,
} from "./step-queries.ts";

/** What a run's stored answers come to; the same whenever it is asked. */
export interface Judgement {
  /** Candidates that got as far as the end, with their ranks; none for those that the critics eliminated. */
  scored: { work: CandidateWork; terms: ScoreTerms; rank: number | null }[];
  contributions: ReturnType<typeof toRow>[];
}

/** Scores and ranks what is left of a run, and says what each task was worth. Changes nothing. */
export async function judgeRun(tx: Db, run: RunRow): Promise<Judgement> {
  const all = await loadCandidates(tx, run.id);
  const of = (...states: CandidateRow["state"][]) =>
    loadCandidateWork(
      tx,
      all.filter((each) => states.includes(each.state)),
    );
  const works = (await of("in", "eliminated")).map((work) => ({
    work,
    number: work.candidate.number,
    terms: termsOf(work),
  }));
  const ranked = rankCandidates(works.filter((each) => !each.terms.eliminated));
  const ranks = new Map(ranked.map(({ candidate, rank }) => [candidate.number, rank]));
  const duplicates = await of("duplicate");
  return {
    scored: works.map(({ work, number, terms }) => ({ work, terms, rank: ranks.get(number) ?? null })),
    contributions: [
      ...works.flatMap(({ work, terms }) => contributionsOf(work, terms)),
      ...duplicates.map((work) => toRow("SCOUT", work.scout, scoreScout({ isDuplicate: true, score: 0 }))),
    ],
  };
}

/** Closes a run whose last phase is over: with a winner, or because no candidate is left. */
export async function finishRun(tx: Db, clock: Clock, run: RunRow): Promise<void> {
  const finishedAt = new Date(clock.now());
  if (run.buildersPerCandidate + run.verifiersPerCandidate + run.criticsPerCandidate === 0) {
    // Nobody was asked what the candidates are worth, so none is worth more than another.
    await updateRun(tx, run.id, { status: "COMPLETED", finishedAt });
    return;
  }
  const { scored, contributions } = await judgeRun(tx, run);
  for (const { work, terms, rank } of scored) {
    await updateCandidate(tx, work.candidate.id, {
      terms,
      score: terms.score,
      rank,
      ...(terms.eliminated ? { state: "eliminated" as const, reason: whyEliminated(work, terms) } : {}),
    });
  }
  await insertContributions(
    tx,
    contributions.map((each) => ({ ...each, runId: run.id, at: finishedAt })),
  );
  // Of several with the first rank the one whose scout had the earlier place: that is their order here.
  const winner = scored.find((each) => each.rank === 1)?.work.candidate.id;
  await updateRun(
    tx,
    run.id,
    winner === undefined
      ? { status: "FAILED", reason: "the critics eliminated every candidate", finishedAt }
      : { status: "COMPLETED", winnerId: winner, finishedAt },
  );
}

function termsOf({ verifications, critiques }: CandidateWork): ScoreTerms {
  return scoreCandidate(
    verifications.map((each) => toVerifierTerms(each.slotId, each.output)),
    critiques.map((each) => toCriticTerms(each.slotId, each.output)),
  );
}

function whyEliminated({ critiques }: CandidateWork, terms: ScoreTerms): string {
  const against = terms.critics.filter((each) => each.eliminate).length;
  return `${against} of ${critiques.length} critics would eliminate it`;
}

function contributionsOf(work: CandidateWork, terms: ScoreTerms) {
  const { scout, plans, verifications, critiques, plan } = work;
  const termsBySlot = <Each extends { slot_id: number }>(list: readonly Each[], slotId: number) =>
    list.find((each) => each.slot_id === slotId) as Each;
  return [
    toRow("SCOUT", scout, scoreScout({ isDuplicate: false, score: terms.score })),
    ...plans.map((each) => toRow("BUILD", each, scoreBuilder(terms.score, each.output))),
    ...verifications.map((each) => {
      const own = { output: each.output, terms: termsBySlot(terms.verifiers, each.slotId) };
      return toRow("VERIFY", each, scoreVerifier(own, terms.verifiers, scout.output, plan?.output));
    }),
    ...critiques.map((each) => {
      const own = { output: each.output, terms: termsBySlot(terms.critics, each.slotId) };
      return toRow("CRITIQUE", each, scoreCritic(own, terms.critics));
    }),
  ];
}

function toRow(phase: Phase, { taskId, slotId, agentId }: Work<unknown>, { score, terms }: ContributionScore) {
  return { taskId, slotId, agentId, role: PHASE_ROLE[phase], score, terms };
}
