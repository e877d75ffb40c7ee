import type { RunKind } from "@agon/protocol";
import { toTimestamp } from "../db/clock.ts";
import type { Database, Statement } from "../db/database.ts";
import type { Clock } from "../ports.ts";

/** A run task that left the queue for the URL of its agent. */
export interface RunWork {
  taskId: number;
  /** The taskId of the wire. */
  uuid: string;
  agentId: number;
  kind: RunKind;
  test: boolean;
  url: string;
  secretSealed: string;
  candidateId: string | null;
  deadlineSeconds: number;
  /** The dispatch as JSON, byte for byte what is signed and sent. */
  payload: string;
}

/** How many tasks more an agent may have now. */
const ROOM = `(case when a.status = 'PROBATION' then 1 else a.max_concurrent end
      - (select count(*) from tasks t where t.agent_id = a.id and t.state = 'running'))`;
const HAS_DAY = `(a.max_tasks_per_day is null or a.max_tasks_per_day > (
      select count(*) from tasks t where t.agent_id = a.id and t.started_at > $1::timestamptz - interval '1 day' and not t.test
    ))`;

/** Index: `tasks_run_queued`. */
const WAITING: Statement = {
  name: "run-tasks-waiting",
  text: `select true from tasks where state = 'queued' and kind in ('scout', 'build', 'verify', 'critique') limit 1`,
};

/**
 * The agents that may be sent something, locked; those that another node is looking at are left to it. Only agents with
 * room stand before the limit, or so many that are busy would keep all others waiting.
 *
 * Index: `tasks_run_queued`, a handful of rows at any time, since what nobody claims is withdrawn soon. All of them are
 * looked at: behind a limit, what waits for busy agents would keep the others' tasks out of sight.
 */
const LOCK: Statement = {
  name: "lock-run-agents",
  text: `
with waiting as (
  select distinct agent_id from tasks where state = 'queued' and kind in ('scout', 'build', 'verify', 'critique')
)
select a.id from agents a
where a.id = any(array(select agent_id from waiting)) and a.transport = 'push' and a.dialect = 'edgearena-v1' and a.url is not null
  and a.status in ('ACTIVE', 'DEGRADED', 'PROBATION') and (a.cooldown_until is null or a.cooldown_until <= $1)
  and coalesce(a.deactivated_at, a.suspended_at, a.banned_at) is null
  and ${ROOM} > 0 and (${HAS_DAY}
    or (select true from tasks t where t.agent_id = a.id and t.state = 'queued' and t.test limit 1) is not null)
order by a.id limit $2 for update of a skip locked`,
};

/**
 * A statement of its own, after the lock: its snapshot then holds whatever the last holder of the lock has claimed, and
 * the count of running tasks is right. In one statement with the lock it could be older than the lock.
 *
 * Indexes: `tasks_running` and `tasks_queued` per agent.
 */
const CLAIM: Statement = {
  name: "claim-run-tasks",
  text: `
with ready as (
  select a.id, a.url, a.secret_sealed,
    ${ROOM} as room, ${HAS_DAY} as has_day
  from agents a where a.id = any($2::int[])
), picked as (
  select t.*, r.url, r.secret_sealed from ready r cross join lateral (
    select id, uuid, agent_id, kind, test, candidate_id, deadline_seconds from tasks
    where agent_id = r.id and state = 'queued' and kind in ('scout', 'build', 'verify', 'critique')
      and (claim_by is null or claim_by > $1) and (test or r.has_day)
    order by id limit greatest(r.room, 0) for update skip locked
  ) t
), claimed as (
  update tasks t set state = 'running', started_at = $1,
    deadline_at = $1::timestamptz + make_interval(secs => t.deadline_seconds)
  where t.id = any(array(select id from picked))
)
select p.*, q.payload
from picked p cross join lateral (select payload from task_payloads where task_id = p.id offset 0) q
order by p.id`,
};

interface Row {
  id: number;
  uuid: string;
  agent_id: number;
  kind: RunKind;
  test: boolean;
  candidate_id: string | null;
  deadline_seconds: number;
  url: string;
  secret_sealed: string;
  payload: string;
}

/**
 * Claims run tasks for at most `limit` push agents, each as many as it has room for. They begin when their agents are
 * locked: by a clock read before that, a task could have begun before the one ended that made room for it, and its
 * deadline would count our own waiting.
 */
export async function claimRunTasks(db: Database, clock: Clock, limit: number): Promise<RunWork[]> {
  // It is asked with each pass, also by an arena without runs: no transaction for nothing.
  if ((await db.run(WAITING, [])).length === 0) return [];
  return db.transaction(async (tx) => {
    const locked = await tx.run<{ id: number }>(LOCK, [toTimestamp(clock.now()), limit]);
    if (locked.length === 0) return [];
    const ids = locked.map((row) => row.id);
    const rows = await tx.run<Row>(CLAIM, [toTimestamp(clock.now()), ids]);
    return rows.map((row) => ({
      taskId: row.id,
      uuid: row.uuid,
      agentId: row.agent_id,
      kind: row.kind,
      test: row.test,
      url: row.url,
      secretSealed: row.secret_sealed,
      candidateId: row.candidate_id,
      deadlineSeconds: row.deadline_seconds,
      payload: row.payload,
    }));
  });
}

const ACKNOWLEDGE: Statement = {
  name: "acknowledge-task",
  text: `update tasks set acknowledged_at = $2 where id = $1 and state = 'running'`,
};

/** Remembers that the agent will call back, so that its silence at the deadline is its own and not ours. */
export async function acknowledgeTask(db: Database, taskId: number, now: number): Promise<void> {
  await db.run(ACKNOWLEDGE, [taskId, toTimestamp(now)]);
}
