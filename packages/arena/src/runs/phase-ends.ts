import { cleanText, PHASES, type Phase, truncateUtf8 } from "@agon/protocol";
import type { Db } from "../db/database.ts";
import { planStructure } from "./contribution-scores.ts";
import { loadCandidateWork, loadWork, type Work } from "./materials.ts";
import { findNearDuplicates } from "./near-duplicates.ts";
import { finishRun } from "./run-finish.ts";
import type { RunStepOptions } from "./run-options.ts";
import {
  type CandidateRow,
  insertCandidates,
  insertSlots,
  loadCandidates,
  type RunRow,
  type SlotRow,
  updateCandidate,
  updateRun,
} from "./step-queries.ts";

const TITLE_MAX_BYTES = 300;
/** Why a candidate is out that got no valid answer in a phase. */
const DROPPED: Readonly<Record<Exclude<Phase, "SCOUT">, string>> = {
  BUILD: "no builder made a valid plan for it",
  VERIFY: "no verifier gave a valid answer on it",
  CRITIQUE: "no critic gave a valid answer on it",
};

/**
 * Ends a phase whose slots are all over: makes candidates of what scouts found, drops those that a phase brought
 * nothing for, and begins the next phase that the run asks for. Returns the run in that phase, undefined when it is over.
 */
export async function endPhase(
  tx: Db,
  options: RunStepOptions,
  run: RunRow,
  slots: readonly SlotRow[],
): Promise<RunRow | undefined> {
  const now = options.ports.clock.now();
  const phase = run.status as Phase;
  if (phase === "SCOUT") await makeCandidates(tx, options, run, slots);
  else await dropEmptyHanded(tx, phase, await loadCandidates(tx, run.id), slots);
  if (phase === "BUILD") await choosePlans(tx, await loadCandidates(tx, run.id));

  const left = (await loadCandidates(tx, run.id)).filter((each) => each.state === "in");
  if (left.length === 0) {
    const reason = phase === "SCOUT" ? "no scout gave a valid answer" : `no candidate was left after ${phase}`;
    await updateRun(tx, run.id, { status: "FAILED", reason, finishedAt: new Date(now) });
    return undefined;
  }
  const next = PHASES.slice(PHASES.indexOf(phase) + 1).find((each) => slotsOf(run, each) > 0);
  if (next === undefined) {
    await finishRun(tx, options.ports.clock, run);
    return undefined;
  }
  await insertSlots(tx, newSlots(run, next, left, now));
  await updateRun(tx, run.id, { status: next });
  return { ...run, status: next };
}

/** The slots of a phase: for a scout's there are no candidates yet. */
export function newSlots(
  run: Pick<RunRow, "id" | "scouts" | "buildersPerCandidate" | "verifiersPerCandidate" | "criticsPerCandidate">,
  phase: Phase,
  candidates: readonly { id: string }[],
  now: number,
) {
  const ids = phase === "SCOUT" ? [null] : candidates.map((each) => each.id);
  return ids.flatMap((candidateId) =>
    Array.from({ length: slotsOf(run, phase) }, (_, position) => ({
      runId: run.id,
      phase,
      candidateId,
      position,
      state: "waiting" as const,
      waitingSince: new Date(now),
    })),
  );
}

function slotsOf(run: Parameters<typeof newSlots>[0], phase: Phase): number {
  switch (phase) {
    case "SCOUT":
      return run.scouts;
    case "BUILD":
      return run.buildersPerCandidate;
    case "VERIFY":
      return run.verifiersPerCandidate;
    case "CRITIQUE":
      return run.criticsPerCandidate;
  }
}

async function makeCandidates(tx: Db, options: RunStepOptions, run: RunRow, slots: readonly SlotRow[]): Promise<void> {
  const found = (await loadWork(tx, "SCOUT", slots)).sort((a, b) => a.position - b.position);
  const ids = found.map(() => options.ports.random.uuid());
  const same = findNearDuplicates(
    found.map(({ output }) => ({
      title: output.candidate_title,
      text: `${output.target_customer} ${output.core_problem} ${output.proposed_solution}`,
    })),
  );
  await insertCandidates(
    tx,
    found.map((work, index) => {
      const first = same[index];
      return {
        id: ids[index] as string,
        runId: run.id,
        number: work.position + 1,
        taskId: work.taskId,
        agentId: work.agentId,
        accountId: work.accountId,
        title: truncateUtf8(cleanText(work.output.candidate_title), TITLE_MAX_BYTES, "…"),
        ...(first === undefined
          ? { state: "in" as const }
          : {
              state: "duplicate" as const,
              duplicateOf: ids[first] as string,
              reason: `nearly the same as candidate ${(found[first] as Work<unknown>).position + 1}`,
            }),
      };
    }),
  );
}

async function dropEmptyHanded(
  tx: Db,
  phase: Exclude<Phase, "SCOUT">,
  candidates: readonly CandidateRow[],
  slots: readonly SlotRow[],
): Promise<void> {
  const served = new Set(slots.filter((slot) => slot.state === "done").map((slot) => slot.candidateId));
  for (const { id, state } of candidates) {
    if (state === "in" && !served.has(id)) await updateCandidate(tx, id, { state: "dropped", reason: DROPPED[phase] });
  }
}

/** Of several plans the one that is thought through furthest goes on; of equal ones the one in the earlier slot. */
async function choosePlans(tx: Db, candidates: readonly CandidateRow[]): Promise<void> {
  const works = await loadCandidateWork(
    tx,
    candidates.filter((each) => each.state === "in"),
  );
  for (const { candidate, plans } of works) {
    const [best] = [...plans].sort(
      (a, b) => planStructure(b.output) - planStructure(a.output) || a.position - b.position,
    );
    if (best !== undefined) await updateCandidate(tx, candidate.id, { planTaskId: best.taskId });
  }
}
