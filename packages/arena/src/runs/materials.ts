import {
  type BuildOutput,
  type CritiqueOutput,
  type Phase,
  type PhaseOutput,
  parseOutput,
  type ScoutOutput,
  type VerifyOutput,
} from "@agon/protocol";
import type { Db } from "../db/database.ts";
import type { Material } from "./messages.ts";
import { type Answer, type CandidateRow, loadAnswers, loadPhaseSlots, type SlotRow } from "./step-queries.ts";

/** A valid answer in its slot. */
export interface Work<Output> {
  slotId: number;
  taskId: number;
  agentId: number;
  accountId: number;
  position: number;
  output: Output;
}

/** All that was made of one candidate, each list in the order of its slots. */
export interface CandidateWork {
  candidate: CandidateRow;
  scout: Work<ScoutOutput>;
  plans: Work<BuildOutput>[];
  verifications: Work<VerifyOutput>[];
  critiques: Work<CritiqueOutput>[];
  /** The plan that goes on with the candidate. */
  plan: Work<BuildOutput> | undefined;
}

/** Reads what is stored as an output of a phase. It was checked before it was stored as done. */
export function readOutput<P extends Phase>(phase: P, response: string): PhaseOutput[P] {
  const parsed = parseOutput(phase, JSON.parse(response));
  if (!parsed.ok) throw new Error(`a stored ${phase} answer is not in shape: ${parsed.detail}`);
  return parsed.output;
}

/** The valid answers of a phase's done slots. */
export async function loadWork<P extends Phase>(
  tx: Db,
  phase: P,
  slots: readonly SlotRow[],
): Promise<(Work<PhaseOutput[P]> & { candidateId: string | null })[]> {
  const done = slots.filter((slot) => slot.state === "done");
  const answers = await loadAnswers(
    tx,
    done.map((slot) => slot.taskId as number),
  );
  return done.map((slot) => {
    const taskId = slot.taskId as number;
    const answer = answers.get(taskId);
    if (answer === undefined) throw new Error(`slot ${slot.id} is done without an answer`);
    return {
      slotId: slot.id,
      taskId,
      agentId: answer.agent_id,
      accountId: answer.account_id,
      position: slot.position,
      candidateId: slot.candidateId,
      output: readOutput(phase, answer.response),
    };
  });
}

/**
 * What a task on this candidate is to work on. Only that: all that a run has may be tens of megabytes, and a pass that
 * looks for agents comes by every two seconds.
 */
export async function loadMaterial(tx: Db, candidate: CandidateRow, phase: Phase): Promise<Material> {
  const slots = phase === "CRITIQUE" ? await loadPhaseSlots(tx, candidate.runId, "VERIFY") : [];
  const verified = slots.filter((slot) => slot.state === "done" && slot.candidateId === candidate.id);
  const ids = [candidate.taskId, candidate.planTaskId, ...verified.map((slot) => slot.taskId)];
  const answers = await loadAnswers(
    tx,
    ids.filter((id) => id !== null),
  );
  const read = <P extends Phase>(of: P, taskId: number) => readOutput(of, (answers.get(taskId) as Answer).response);
  return {
    candidateId: candidate.id,
    found: read("SCOUT", candidate.taskId),
    plan: candidate.planTaskId === null ? undefined : read("BUILD", candidate.planTaskId),
    verifications: verified.map((slot) => read("VERIFY", slot.taskId as number)),
  };
}

/** What the run has of each of these candidates. */
export async function loadCandidateWork(tx: Db, candidates: readonly CandidateRow[]): Promise<CandidateWork[]> {
  const runId = candidates[0]?.runId;
  if (runId === undefined) return [];
  const load = async <P extends Phase>(phase: P) => loadWork(tx, phase, await loadPhaseSlots(tx, runId, phase));
  const scouts = await load("SCOUT");
  const plans = await load("BUILD");
  const verifications = await load("VERIFY");
  const critiques = await load("CRITIQUE");
  return candidates.map((candidate) => {
    const ownPlans = plans.filter((each) => each.candidateId === candidate.id);
    const scout = scouts.find((each) => each.taskId === candidate.taskId);
    if (scout === undefined) throw new Error(`candidate ${candidate.id} has no scout`);
    return {
      candidate,
      scout,
      plans: ownPlans,
      verifications: verifications.filter((each) => each.candidateId === candidate.id),
      critiques: critiques.filter((each) => each.candidateId === candidate.id),
      plan: ownPlans.find((each) => each.taskId === candidate.planTaskId),
    };
  });
}
