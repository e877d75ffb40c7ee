import type { Phase } from "@agon/protocol";
import type { Db } from "../db/database.ts";
import { endPhase } from "./phase-ends.ts";
import type { QueuedAgent, RunPass, RunStepOptions } from "./run-options.ts";
import { assignSlots, loadEligible } from "./slot-assignment.ts";
import { settleSlots } from "./slot-outcomes.ts";
import { type DueRun, loadDueRuns, loadPhaseSlots, lockOpenRun, type RunRow } from "./step-queries.ts";

const RUNS_PER_READ = 200;

/**
 * Carries on every run that has something to carry on:
 *
 *   SCOUT → BUILD → VERIFY → CRITIQUE → COMPLETED
 *     └───────┴────────┴────────┴─────→ FAILED (no candidate is left)
 *   each of the four ────────────────→ CANCELLED (by its owner)
 *
 * Within a phase a slot goes waiting → working → done or failed, and back to waiting when its task brought nothing and
 * another agent may try. The phase ends when none is open. Phases that a run asks no slots for are passed over.
 *
 * Idempotent: what to do is read from the states of slots and tasks, under the lock of the run's row, and done in the
 * same transaction; a node that dies in the middle has done nothing.
 */
export async function runsStep(options: RunStepOptions): Promise<boolean> {
  const pass: RunPass = { ...options, eligible: new Map() };
  for (let after = 0; ; ) {
    const due = await loadDueRuns(options.db, after, RUNS_PER_READ);
    for (const run of due) {
      try {
        if (await isWorthALook(pass, run)) await carryOn(pass, run);
      } catch (error) {
        // One run that cannot go on must not keep the others from it.
        options.log.error({ err: error, run: run.id }, "a run was not carried on and will be tried again");
      }
    }
    const last = due.at(-1);
    if (last === undefined || due.length < RUNS_PER_READ) return false;
    after = last.number;
  }
}

/** A run that waits for agents while none is free is let be until its slots have waited long enough to be given up. */
async function isWorthALook(pass: RunPass, run: DueRun): Promise<boolean> {
  if (run.has_news || run.waiting_since === null) return true;
  if (pass.ports.clock.now() - run.waiting_since >= pass.settings.slotWaitSeconds * 1000) return true;
  return (await loadEligible(pass.db, pass, run.phase)).some((each) => each.isFree);
}

async function carryOn(pass: RunPass, { id, number }: { id: string; number: number }): Promise<void> {
  const queued = await pass.db.transaction(async (tx) => {
    const run = await lockOpenRun(tx, id);
    return run === undefined ? undefined : passThroughPhases(tx, pass, run);
  });
  if (queued === undefined) return;
  for (const agent of queued) pass.onQueued(agent);
  pass.onChanged(number);
}

async function passThroughPhases(tx: Db, pass: RunPass, locked: RunRow): Promise<QueuedAgent[]> {
  let run = locked;
  for (;;) {
    const phase = run.status as Phase;
    const slots = await settleSlots(tx, pass, run, await loadPhaseSlots(tx, run.id, phase));
    const isOpen = slots.some((slot) => slot.state === "waiting" || slot.state === "working");
    if (isOpen) return assignSlots(tx, pass, run, slots);
    const next = await endPhase(tx, pass, run, slots);
    if (next === undefined) return [];
    run = next;
  }
}
