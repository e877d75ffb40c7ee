import { PHASE_ROLE, type Phase, parseOutput } from "@agon/protocol";
import type { Db } from "../db/database.ts";
import type { RunStepOptions } from "./run-options.ts";
import {
  type Answer,
  insertContributions,
  loadAnswers,
  loadSlotTasks,
  type RunRow,
  type SlotRow,
  type SlotTask,
  updateSlot,
} from "./step-queries.ts";

/** A slot is given to this many agents before it fails through them. */
const TRIES = 2;
/** Each loss is a node of ours that died; a slot that met three of them is not tried for ever. */
const LOSSES = 3;

/** Takes up what became of the tasks of a phase, and gives up slots that waited too long. Returns the slots as they are then. */
export async function settleSlots(tx: Db, options: RunStepOptions, run: RunRow, slots: SlotRow[]): Promise<SlotRow[]> {
  const now = options.ports.clock.now();
  const open = slots.filter((slot) => slot.state === "waiting" || slot.state === "working");
  const tasks = new Map(
    (
      await loadSlotTasks(
        tx,
        open.map((slot) => slot.id),
      )
    ).map((task) => [task.id, task]),
  );
  const ended = open.flatMap((slot) => {
    const task = slot.state === "working" ? tasks.get(slot.taskId as number) : undefined;
    return task === undefined || task.state === "queued" || task.state === "running" ? [] : [{ slot, task }];
  });
  const answers = await loadAnswers(
    tx,
    ended.filter(({ task }) => task.state === "completed").map(({ task }) => task.id),
  );
  const changes = new Map<number, Partial<SlotRow>>();
  for (const { slot, task } of ended) {
    const change = toChange(slot, task, answers.get(task.id), now);
    if (change.blamed) await blame(tx, run, slot, task, now);
    changes.set(slot.id, change.slot);
  }
  for (const slot of open) {
    const state = changes.get(slot.id)?.state ?? slot.state;
    const since = changes.get(slot.id)?.waitingSince ?? slot.waitingSince;
    if (state !== "waiting" || now - since.getTime() < options.settings.slotWaitSeconds * 1000) continue;
    const detail = `no agent was free within ${options.settings.slotWaitSeconds} s`;
    changes.set(slot.id, {
      ...changes.get(slot.id),
      state: "failed",
      cause: "arena",
      detail,
      finishedAt: new Date(now),
    });
  }
  for (const [id, change] of changes) await updateSlot(tx, id, change);
  return slots.map((slot) => ({ ...slot, ...changes.get(slot.id) }));
}

function toChange(
  slot: SlotRow,
  task: SlotTask,
  answer: Answer | undefined,
  now: number,
): { slot: Partial<SlotRow>; blamed: boolean } {
  if (task.state === "completed") {
    const complaint = complainAbout(slot, answer?.response);
    if (complaint === undefined) {
      return { slot: { state: "done", cause: null, detail: null, finishedAt: new Date(now) }, blamed: false };
    }
    return { slot: afterFailure(slot, "invalid", complaint, now), blamed: true };
  }
  if (task.state === "cancelled" && !task.started) {
    // Nobody's fault, and nobody's try; the wait goes on from where it began, or it could go on for ever.
    return { slot: { state: "waiting" }, blamed: false };
  }
  const cause = task.state === "cancelled" ? "arena" : (task.cause ?? "arena");
  const detail = task.error ?? (task.state === "timeout" ? "no answer within the deadline" : "the task was withdrawn");
  if (cause === "arena") return { slot: afterLoss(slot, detail, now), blamed: false };
  return { slot: afterFailure(slot, cause, detail, now), blamed: true };
}

function afterFailure(
  slot: SlotRow,
  cause: NonNullable<SlotTask["cause"]>,
  detail: string,
  now: number,
): Partial<SlotRow> {
  const tries = slot.tries + 1;
  const change = { tries, cause, detail };
  return tries < TRIES
    ? { ...change, state: "waiting", waitingSince: new Date(now) }
    : { ...change, state: "failed", finishedAt: new Date(now) };
}

function afterLoss(slot: SlotRow, detail: string, now: number): Partial<SlotRow> {
  const losses = slot.losses + 1;
  return losses < LOSSES
    ? { losses, state: "waiting", waitingSince: new Date(now) }
    : { losses, state: "failed", cause: "arena", detail, finishedAt: new Date(now) };
}

/** Whoever recorded an answer has checked it; an answer that came by a way that did not is no reason to stop a run. */
function complainAbout(slot: SlotRow, response: string | undefined): string | undefined {
  try {
    const parsed = parseOutput(slot.phase, JSON.parse(response ?? ""), slot.candidateId);
    return parsed.ok ? undefined : parsed.detail;
  } catch {
    return "the answer is not JSON";
  }
}

/** An agent's failure is worth nothing, whatever becomes of the run. */
async function blame(tx: Db, run: RunRow, slot: SlotRow, task: SlotTask, now: number): Promise<void> {
  const role = PHASE_ROLE[slot.phase as Phase];
  const at = new Date(now);
  await insertContributions(tx, [
    {
      taskId: task.id,
      runId: run.id,
      slotId: slot.id,
      agentId: task.agent_id,
      role,
      score: 0,
      terms: { failed: 0 },
      at,
    },
  ]);
}
