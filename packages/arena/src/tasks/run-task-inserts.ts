import { DISPATCH_BODY_MAX_BYTES, type DispatchPayload, PHASE_KIND, type Phase, utf8Length } from "@agon/protocol";
import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";
import type { Clock, Random } from "../ports.ts";

export interface RunTaskSettings {
  scoutDeadlineSeconds: number;
  buildDeadlineSeconds: number;
  verifyDeadlineSeconds: number;
  critiqueDeadlineSeconds: number;
  claimBySeconds: number;
}

/** A task of a run for one agent; the task's own id is added here. */
export interface NewRunTask extends Omit<DispatchPayload, "taskId" | "role"> {
  agentId: number;
  /** Undefined for a test task, whose run and candidate exist only on the wire. */
  slotId: number | undefined;
}

/**
 * Task and payload in one statement: a task without a payload could be claimed and would have nothing to send. The
 * payload is kept as text, byte for byte what is signed and sent.
 */
const QUEUE: Statement = {
  name: "queue-run-task",
  text: `
with made as (
  insert into tasks (uuid, agent_id, kind, state, test, deadline_seconds, inserted_at, claim_by, run_id, slot_id, candidate_id)
  values ($1, $2, $3, 'queued', $4, $5, $6, $6::timestamptz + make_interval(secs => $7), $8, $9, $10)
  returning id
), kept as (
  insert into task_payloads (task_id, payload) select id, $11 from made
)
select id from made`,
};

/**
 * Queues a task of a run. Whether the agent may have it is for the caller to know, who holds the agent's row meanwhile.
 *
 * @returns the task's decimal id
 * @throws RangeError for a payload that would not fit into a dispatch: messages are cut where they are made
 */
export async function queueRunTask(
  tx: Db,
  ports: { clock: Clock; random: Random },
  settings: RunTaskSettings,
  task: NewRunTask,
): Promise<number> {
  const uuid = ports.random.uuid();
  const { phase, runId, candidateId } = task;
  const payload: DispatchPayload = {
    taskId: uuid,
    runId,
    phase,
    role: phase,
    candidateId,
    goal: task.goal,
    launchpadName: task.launchpadName,
    messages: task.messages,
  };
  const body = JSON.stringify(payload);
  if (utf8Length(body) >= DISPATCH_BODY_MAX_BYTES) {
    throw new RangeError(`a ${phase} task of ${utf8Length(body)} bytes does not fit into a dispatch`);
  }
  const [row] = await tx.run<{ id: number }>(QUEUE, [
    uuid,
    task.agentId,
    PHASE_KIND[phase],
    task.slotId === undefined,
    deadlineOf(settings, phase),
    toTimestamp(ports.clock.now()),
    settings.claimBySeconds,
    runId,
    task.slotId ?? null,
    candidateId,
    body,
  ]);
  return (row as { id: number }).id;
}

function deadlineOf(settings: RunTaskSettings, phase: Phase): number {
  switch (phase) {
    case "SCOUT":
      return settings.scoutDeadlineSeconds;
    case "BUILD":
      return settings.buildDeadlineSeconds;
    case "VERIFY":
      return settings.verifyDeadlineSeconds;
    case "CRITIQUE":
      return settings.critiqueDeadlineSeconds;
  }
}
