import { KIND_PHASE, type Phase, type RunKind } from "@agon/protocol";
import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";

/** A task of a run that a house agent has taken. */
export interface HouseWork {
  taskId: number;
  agentId: number;
  phase: Phase;
  candidateId: string | null;
  deadlineSeconds: number;
  /** For the agent that asks a model; the other answers from templates. */
  asksModel: boolean;
  /** The dispatch as JSON, the same that an agent outside would be sent. */
  payload: string;
}

/**
 * Takes what is queued for house agents. Index: `tasks_run_queued`. Locks: the tasks, skipping those that another node
 * takes at this moment. A node without a model leaves the model's tasks to those that have one; with none of these they
 * are withdrawn like all that nobody claims.
 */
const CLAIM: Statement = {
  name: "claim-house-tasks",
  text: `
with picked as (
  select t.id, a.model_claimed is not null as asks_model from tasks t join agents a on a.id = t.agent_id
  where t.state = 'queued' and t.kind in ('scout', 'build', 'verify', 'critique') and a.transport = 'house'
    and (a.model_claimed is null or $2) and (t.claim_by is null or t.claim_by > $1)
  order by t.id limit $3 for update of t skip locked
), claimed as (
  update tasks t set state = 'running', started_at = $1, deadline_at = $1::timestamptz + make_interval(secs => t.deadline_seconds)
  from picked p where t.id = p.id
  returning t.id, t.agent_id, t.kind, t.candidate_id, t.deadline_seconds, p.asks_model
)
select c.*, p.payload from claimed c join task_payloads p on p.task_id = c.id order by c.id`,
};

interface Row {
  id: number;
  agent_id: number;
  kind: RunKind;
  candidate_id: string | null;
  deadline_seconds: number;
  asks_model: boolean;
  payload: string;
}

export async function claimHouseTasks(
  db: Db,
  now: number,
  options: { hasModel: boolean; limit: number },
): Promise<HouseWork[]> {
  const rows = await db.run<Row>(CLAIM, [toTimestamp(now), options.hasModel, options.limit]);
  return rows.map((row) => ({
    taskId: row.id,
    agentId: row.agent_id,
    phase: KIND_PHASE[row.kind],
    candidateId: row.candidate_id,
    deadlineSeconds: row.deadline_seconds,
    asksModel: row.asks_model,
    payload: row.payload,
  }));
}
