import type { WorkKind } from "@agon/protocol";
import { type Batcher, createBatcher } from "../db/batch.ts";
import { toTimestamp } from "../db/clock.ts";
import { type Db, lookedUpByKey, type Statement } from "../db/database.ts";
import type { Clock } from "../ports.ts";
import { type Gate, gateSql } from "./agent-gate.ts";

/** One look of a poll for work. */
export interface Claim {
  agentId: number;
  secretHash: string;
  /** Tasks that the caller says it is working on; they are not handed to it again. */
  holding: readonly number[];
  /** A poll that has waited gets new work only, or what another poll's broken connection left behind. */
  parked: boolean;
}

export interface ClaimedWork {
  taskId: number;
  kind: WorkKind;
  /** Of a ladder task. */
  prompt: { id: number; text: string; category: string } | undefined;
  /** Of a run task: its id on the wire, and the dispatch as JSON. */
  dispatch: { uuid: string; payload: string } | undefined;
  /** Time left, whole seconds. */
  secondsLeft: number;
  /** Whether it left the queue just now, or had been handed out before. */
  isNew: boolean;
}

export interface ClaimResult {
  gate: Gate;
  work: ClaimedWork | undefined;
  /** The agent may take one more task, so it is worth making one. */
  hasRoom: boolean;
  /** When the agent's present pause ends, in ms since the epoch. */
  slowedUntil: number | undefined;
  gymComplete: boolean;
}

/**
 * Claims for many agents at once, one row in and one row out per agent.
 *
 * Indexes: agents by primary key, `tasks_running` and `tasks_queued`. Locks: the queued row it takes, skipping locked
 * ones. A task once claimed never goes back to the queue: it stays the agent's and is handed out again while at least
 * `$6` seconds remain, unless the caller holds it. Authentication is part of the statement (see gateSql).
 * Counting the running tasks and taking a queued one see the same snapshot; a task queued after another claim of the
 * same agent is visible only together with that claim, so the agent's limit holds without locking the agent's row.
 */
const CLAIM: Statement = {
  name: "claim-tasks",
  text: `
with polls as (
  select i.agent_id, i.holding::bigint[] as holding, i.parked, ${gateSql("i.secret_hash")} as gate,
    a.max_concurrent, a.gym_completed_at is not null as gym_complete,
    a.paused_at is not null or (a.max_tasks_per_day is not null and a.max_tasks_per_day <= (
      select count(*) from tasks t
      where t.agent_id = a.id and t.started_at > $5::timestamptz - interval '1 day' and not t.test
    )) as resting,
    case when a.slowed_until > $5 then a.slowed_until end as slowed_until
  from unnest($1::int[], $2::text[], $3::text[], $4::boolean[]) as i(agent_id, secret_hash, holding, parked)
  left join agents a on a.id = i.agent_id
  where ${lookedUpByKey("i.agent_id")}
), offers as (
  select p.*, o.*, gate = 'open' and o.id is null and max_concurrent > (
    select count(*) from tasks where agent_id = p.agent_id and state = 'running'
  ) as has_room
  from polls p left join lateral (
    select id, uuid, kind, prompt_id, undelivered, floor(extract(epoch from deadline_at - $5::timestamptz))::int as seconds_left
    from tasks
    where p.gate = 'open' and agent_id = p.agent_id and state = 'running' and id <> all(p.holding)
      and deadline_at >= $5::timestamptz + make_interval(secs => $6) and (undelivered or not p.parked)
    order by id limit 1
  ) o on true
), delivered as (
  update tasks t set undelivered = false
  where t.id = any(array(select id from offers where undelivered)) and t.undelivered
  returning t.id
), picked as (
  select o.*, t.* from offers o left join lateral (
    select id as new_id, uuid as new_uuid, kind as new_kind, prompt_id as new_prompt_id, deadline_seconds from tasks
    where o.has_room and agent_id = o.agent_id and state = 'queued'
      and (test or (not o.resting and (o.slowed_until is null or kind not in ('gym', 'main'))))
    order by claim_by, id limit 1 for update skip locked
  ) t on true
), claimed as (
  update tasks t set state = 'running', started_at = $5, deadline_at = $5::timestamptz + make_interval(secs => t.deadline_seconds)
  where t.id = any(array(select new_id from picked where new_id is not null))
), handed as (
  select agent_id, gate, gym_complete, slowed_until, has_room and slowed_until is null and not resting as has_room,
    new_id as task_id, new_kind as kind, new_prompt_id as prompt_id, deadline_seconds as seconds_left, true as is_new,
    new_uuid as uuid
  from picked where id is null
  union all
  select agent_id, gate, gym_complete, slowed_until, false, case when is_theirs then id end, kind, prompt_id, seconds_left,
    false, uuid
  from (select *, not parked or exists (select from delivered d where d.id = picked.id) as is_theirs from picked) p
  where id is not null
)
select h.agent_id, h.gate, h.gym_complete, (extract(epoch from h.slowed_until) * 1000)::float8 as slowed_until, h.has_room,
  h.task_id, h.kind, h.prompt_id, h.seconds_left, h.is_new, q.prompt, q.category, h.uuid,
  case when h.task_id is not null and h.kind not in ('gym', 'main') then (
    select payload from task_payloads where task_id = h.task_id
  ) end as payload
from handed h left join lateral (select prompt, category from prompts where id = h.prompt_id offset 0) q on true`,
};

interface Row {
  agent_id: number;
  gate: Gate;
  gym_complete: boolean;
  slowed_until: number | null;
  has_room: boolean;
  task_id: number | null;
  kind: WorkKind;
  prompt_id: number;
  seconds_left: number;
  is_new: boolean;
  prompt: string;
  category: string;
  uuid: string;
  payload: string | null;
}

/** Least time left that makes handing a task out again worth while, in seconds. */
const REOFFER_SECONDS = 10;

/** Claims of one node, gathered into statements; one claim per agent and statement. */
export function createClaims(db: Db, clock: Clock): Batcher<Claim, ClaimResult> {
  return createBatcher<Claim, ClaimResult>({
    keyOf: (claim) => claim.agentId,
    async run(claims) {
      const rows = await db.run<Row>(CLAIM, [
        claims.map((claim) => claim.agentId),
        claims.map((claim) => claim.secretHash),
        claims.map((claim) => `{${claim.holding.join(",")}}`),
        claims.map((claim) => claim.parked),
        toTimestamp(clock.now()),
        REOFFER_SECONDS,
      ]);
      const byAgent = new Map(rows.map((row) => [row.agent_id, toResult(row)]));
      return claims.map((claim) => byAgent.get(claim.agentId) as ClaimResult);
    },
  });
}

function toResult(row: Row): ClaimResult {
  return {
    gate: row.gate,
    hasRoom: row.has_room,
    gymComplete: row.gym_complete,
    slowedUntil: row.slowed_until ?? undefined,
    work:
      row.task_id === null
        ? undefined
        : {
            taskId: row.task_id,
            kind: row.kind,
            prompt: row.payload === null ? { id: row.prompt_id, text: row.prompt, category: row.category } : undefined,
            dispatch: row.payload === null ? undefined : { uuid: row.uuid, payload: row.payload },
            secondsLeft: row.seconds_left,
            isNew: row.is_new,
          },
  };
}

/** Index: `tasks_wire`. */
const RUN_TASKS: Statement = {
  name: "find-run-tasks",
  text: `select id, uuid, candidate_id from tasks
where uuid = any($2::uuid[]) and agent_id = $1 and kind in ('scout', 'build', 'verify', 'critique')`,
};

/** An agent's run tasks by their ids on the wire; those it does not have are left out. */
export async function findRunTasks(
  db: Db,
  agentId: number,
  uuids: readonly string[],
): Promise<{ id: number; uuid: string; candidate_id: string | null }[]> {
  return uuids.length === 0 ? [] : db.run(RUN_TASKS, [agentId, uuids]);
}

const GATE: Statement = {
  name: "agent-gate",
  text: `select i.agent_id, ${gateSql("i.secret_hash")} as gate
from unnest($1::int[], $2::text[]) as i(agent_id, secret_hash) left join agents a on a.id = i.agent_id`,
};

/** The gate alone, for calls that will be refused for another reason unless this one comes first. */
export async function loadGate(db: Db, agentId: number, secretHash: string): Promise<Gate> {
  const [row] = await db.run<{ gate: Gate }>(GATE, [[agentId], [secretHash]]);
  return row?.gate ?? "unknown";
}

const BROKE_OFF: Statement = {
  name: "task-broke-off",
  text: `update tasks set undelivered = true where id = $1 and state = 'running'`,
};

/** Remembers that the response which handed a task out closed unfinished, so that a parked poll may have it. */
export async function markUndelivered(db: Db, taskId: number): Promise<void> {
  await db.run(BROKE_OFF, [taskId]);
}
