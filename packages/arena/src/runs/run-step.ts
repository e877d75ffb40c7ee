import type { Phase } from "@agon/protocol";
import type { Db } from "../db/database.ts";
import { endPhase } from "./phase-ends.ts";
import type { QueuedAgent, RunStepOptions } from "./run-options.ts";
import { assignSlots } from "./slot-assignment.ts";
import { settleSlots } from "./slot-outcomes.ts";
import { loadDueRuns, loadPhaseSlots, lockOpenRun, type RunRow } from "./step-queries.ts";

const RUNS_PER_READ = 50;

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
  for (let after = 0; ; ) {
    const due = await loadDueRuns(options.db, after, RUNS_PER_READ);
    for (const run of due) {
      try {
        await carryOn(options, run);
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

async function carryOn(options: RunStepOptions, { id, number }: { id: string; number: number }): Promise<void> {
  const queued = await options.db.transaction(async (tx) => {
    const run = await lockOpenRun(tx, id);
    return run === undefined ? undefined : passThroughPhases(tx, options, run);
  });
  if (queued === undefined) return;
  for (const agent of queued) options.onQueued(agent);
  options.onChanged(number);
}

async function passThroughPhases(tx: Db, options: RunStepOptions, locked: RunRow): Promise<QueuedAgent[]> {
  let run = locked;
  for (;;) {
    const phase = run.status as Phase;
    const slots = await settleSlots(tx, options, run, await loadPhaseSlots(tx, run.id, phase));
    const isOpen = slots.some((slot) => slot.state === "waiting" || slot.state === "working");
    if (isOpen) return assignSlots(tx, options, run, slots);
    const next = await endPhase(tx, options, run, slots);
    if (next === undefined) return [];
    run = next;
  }
}
