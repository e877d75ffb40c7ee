import { PHASE_ROLE, type Phase } from "@agon/protocol";
import type { Db } from "../db/database.ts";
import type { Clock } from "../ports.ts";
import { type ContributionScore, scoreBuilder, scoreCritic, scoreScout, scoreVerifier } from "./contribution-scores.ts";
import { type CandidateWork, loadCandidateWork, type Work } from "./materials.ts";
import { rankCandidates, type ScoreTerms, scoreCandidate, toCriticTerms, toVerifierTerms } from "./scoring.ts";
import { insertContributions, loadCandidates, type RunRow, updateCandidate, updateRun } from "./step-queries.ts";

/** Scores and ranks what is left of a run, gives each task its worth, and closes it. */
export async function finishRun(tx: Db, clock: Clock, run: RunRow): Promise<void> {
  const finishedAt = new Date(clock.now());
  const all = await loadCandidates(tx, run.id);
  if (run.buildersPerCandidate + run.verifiersPerCandidate + run.criticsPerCandidate === 0) {
    // Nobody was asked what the candidates are worth, so none is worth more than another.
    await updateRun(tx, run.id, { status: "COMPLETED", finishedAt });
    return;
  }
  const scored = (
    await loadCandidateWork(
      tx,
      all.filter((each) => each.state === "in"),
    )
  ).map((work) => ({
    work,
    number: work.candidate.number,
    terms: termsOf(work),
  }));
  const ranked = rankCandidates(scored.filter((each) => !each.terms.eliminated));
  const ranks = new Map(ranked.map(({ candidate, rank }) => [candidate.work.candidate.id, rank]));
  for (const { work, terms } of scored) {
    await updateCandidate(tx, work.candidate.id, {
      terms,
      score: terms.score,
      rank: ranks.get(work.candidate.id) ?? null,
      ...(terms.eliminated ? { state: "eliminated" as const, reason: whyEliminated(work, terms) } : {}),
    });
  }
  const duplicates = await loadCandidateWork(
    tx,
    all.filter((each) => each.state === "duplicate"),
  );
  await insertContributions(
    tx,
    [
      ...scored.flatMap(({ work, terms }) => contributionsOf(work, terms)),
      ...duplicates.map((work) => toRow("SCOUT", work.scout, scoreScout({ isDuplicate: true, score: 0 }))),
    ].map((each) => ({ ...each, runId: run.id, at: finishedAt })),
  );
  const winner = ranked[0]?.candidate.work.candidate.id;
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
  const { candidate, scout, plans, verifications, critiques, plan } = work;
  const termsBySlot = <Each extends { slot_id: number }>(list: readonly Each[], slotId: number) =>
    list.find((each) => each.slot_id === slotId) as Each;
  return [
    toRow("SCOUT", scout, scoreScout({ isDuplicate: candidate.state === "duplicate", score: terms.score })),
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
