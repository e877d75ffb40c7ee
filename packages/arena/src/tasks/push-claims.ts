import { toTimestamp } from "../db/clock.ts";
import { type Db, lookedUpByKey, type Statement } from "../db/database.ts";

/** A task that left the queue for a webhook. */
export interface PushWork {
  taskId: number;
  agentId: number;
  kind: "gym" | "main";
  test: boolean;
  url: string;
  secretSealed: string;
  promptId: number;
  prompt: string;
  category: string;
  deadlineSeconds: number;
}

/** A push agent whose turn it is but that has nothing queued. */
export interface IdleAgent {
  agentId: number;
  gymComplete: boolean;
}

/** How long an agent that had its tasks of the day is let be before they are counted again. */
const SPENT_SECONDS = 60;

/**
 * Whose turn it is among the push agents, and the task of each, claimed.
 *
 * Whoever cannot have a task now must not stand before the limit, or many of them would keep all others from theirs:
 * agents at work and slowed ones are left out, and those that had their day's tasks are put off for a while.
 *
 * Indexes: `agents_push` by the next turn, `tasks_test_queued` for test tasks (which wait for no turn and no pause),
 * then `tasks_queued` and `tasks_running` per agent. Locks: the agents' rows, skipping those that another node is
 * looking at, so that none is sent two tasks at once; then the claimed tasks, of which one that was withdrawn in this
 * very moment is left out. (That is told by its times, so that no plan can read the index of all queued tasks instead.)
 */
const CLAIM: Statement = {
  name: "claim-pushes",
  text: `
with turns as (
  (select id from agents
   where transport = 'push' and ping_error is null and deactivated_at is null and suspended_at is null and banned_at is null
     and next_push_at <= $1 and paused_at is null and dialect = 'tesserax'
     and (slowed_until is null or slowed_until <= $1)
     and (select true from tasks t where t.agent_id = agents.id and t.state = 'running' order by t.id limit 1) is null
   order by next_push_at limit $2)
  union
  (select agent_id from tasks where state = 'queued' and test limit $2)
), ready as (
  select a.* from (select id from turns order by id) turn cross join lateral (
    select a.id, a.url, a.secret_sealed, a.gym_completed_at is not null as gym_complete,
      a.is_due and not a.is_spent as has_turn, a.is_due and a.is_spent as is_spent
    from (
      select *, next_push_at <= $1 and paused_at is null and (slowed_until is null or slowed_until <= $1) as is_due,
        max_tasks_per_day is not null and max_tasks_per_day <= (
          select count(*) from tasks t
          where t.agent_id = agents.id and t.started_at > $1::timestamptz - interval '1 day' and not t.test
        ) as is_spent
      from agents
    ) a
    where a.id = turn.id and a.transport = 'push' and a.dialect = 'tesserax' and a.url is not null
      and coalesce(a.deactivated_at, a.suspended_at, a.banned_at) is null
      and (select true from tasks t where t.agent_id = a.id and t.state = 'running' order by t.id limit 1) is null
    offset 0 for update of a skip locked
  ) a
), picked as (
  select r.*, t.* from ready r left join lateral (
    select id as task_id, kind, test, prompt_id, deadline_seconds from tasks
    where agent_id = r.id and state = 'queued' and (test or r.has_turn) order by test desc, id limit 1
  ) t on true
), claimed as (
  update tasks t set state = 'running', started_at = $1,
    deadline_at = $1::timestamptz + make_interval(secs => t.deadline_seconds)
  where t.id = any(array(select task_id from picked where task_id is not null))
    and t.started_at is null and t.finished_at is null
  returning t.id
), gap as (
  update agents a set next_push_at = $1::timestamptz + make_interval(secs => $3)
  where a.id = any(array(select id from picked where task_id is not null and not test))
), spent as (
  update agents a set next_push_at = $1::timestamptz + make_interval(secs => ${SPENT_SECONDS})
  where a.id = any(array(select id from picked where is_spent and task_id is null))
)
select p.id as agent_id, p.gym_complete, p.has_turn, p.url, p.secret_sealed,
  p.task_id, p.kind, p.test, p.prompt_id, p.deadline_seconds, q.prompt, q.category
from picked p left join lateral (select prompt, category from prompts where id = p.prompt_id offset 0) q on true
where p.task_id is null or p.task_id in (select id from claimed)`,
};

interface Row {
  agent_id: number;
  gym_complete: boolean;
  has_turn: boolean;
  url: string;
  secret_sealed: string;
  task_id: number | null;
  kind: "gym" | "main";
  test: boolean;
  prompt_id: number;
  deadline_seconds: number;
  prompt: string;
  category: string;
}

/** Claims at most `limit` tasks; also names the agents whose turn it is and that have nothing queued. */
export async function claimPushes(
  db: Db,
  now: number,
  settings: { limit: number; gapSeconds: number },
): Promise<{ work: PushWork[]; idle: IdleAgent[] }> {
  const rows = await db.run<Row>(CLAIM, [toTimestamp(now), settings.limit, settings.gapSeconds]);
  const work: PushWork[] = [];
  const idle: IdleAgent[] = [];
  for (const row of rows) {
    if (row.task_id !== null) work.push(toWork(row, row.task_id));
    else if (row.has_turn) idle.push({ agentId: row.agent_id, gymComplete: row.gym_complete });
  }
  return { work, idle };
}

function toWork(row: Row, taskId: number): PushWork {
  return {
    taskId,
    agentId: row.agent_id,
    kind: row.kind,
    test: row.test,
    url: row.url,
    secretSealed: row.secret_sealed,
    promptId: row.prompt_id,
    prompt: row.prompt,
    category: row.category,
    deadlineSeconds: row.deadline_seconds,
  };
}

const REST: Statement = {
  name: "rest-pushes",
  text: `update agents a set next_push_at = $1::timestamptz + make_interval(secs => $2)
from (select id from unnest($3::int[]) as i(id) where ${lookedUpByKey("id")} order by id) i where a.id = i.id and a.next_push_at <= $1
  and (select true from tasks t where t.agent_id = a.id and t.state = 'queued' order by t.id limit 1) is null
returning a.id`,
};

/**
 * Puts off the next turn of agents for which there is nothing, so that each pass does not ask for them anew. One for
 * which a task was made ahead meanwhile, and which therefore found nothing more, keeps its turn.
 *
 * @returns how many were put off
 */
export async function restPushes(db: Db, now: number, seconds: number, agentIds: readonly number[]): Promise<number> {
  if (agentIds.length === 0) return 0;
  return (await db.run(REST, [toTimestamp(now), seconds, agentIds])).length;
}
