import { toTimestamp } from "../db/clock.ts";
import { type Db, lookedUpByKey, type Statement } from "../db/database.ts";
import type { NextTask } from "./task-inserts.ts";

/** A push agent whose turn it is. */
export interface Turn {
  agentId: number;
  /** Tells a later statement whether somebody else decided on this turn meanwhile. */
  taken: number;
  url: string;
  secretSealed: string;
  gymComplete: boolean;
  /** Its last task failed, so that a good answer has something to end. */
  hasFaults: boolean;
  /** A test task that waits for it, which asks for no turn and no pause. */
  testTaskId: number | undefined;
  /** Set when it may have nothing now: how long to let it be. */
  restSeconds: number | undefined;
  /** That is because another node calls it at this moment, which may be over in the next. */
  isAtWork: boolean;
}

/** A task that is on its way to a webhook. */
export interface PushWork {
  taskId: number;
  agentId: number;
  kind: "gym" | "main";
  test: boolean;
  url: string;
  secretSealed: string;
  hasFaults: boolean;
  promptId: number;
  prompt: string;
  category: string;
  deadlineSeconds: number;
}

/** What is decided on a turn: the prompt that the agent is sent, or how long it is let be. */
export type Decision = { turn: Turn; task: NextTask } | { turn: Turn; restSeconds: number };

/** How long an agent is let be that had its tasks of the day, or that is barred; lifting a bar ends the rest at once. */
const BARRED_SECONDS = 60;
/** How long one is let be that another node's task keeps at work beyond its gap. */
const AT_WORK_SECONDS = 1;

/**
 * Whose turn it is, and whether it may have a task. Nothing is taken yet: choosing prompts takes a node's memory, and a
 * statement that did all would wait for it. Who may not have one is named too, to be put to rest, or many of these would
 * stand before the limit and keep all others waiting.
 *
 * Indexes: `push_turns_due`, `tasks_test_queued`, agents by primary key, `tasks_running` per agent. No locks.
 */
const TURNS: Statement = {
  name: "push-turns",
  text: `
with turns as (
  (select agent_id, taken, null::bigint as test_task_id from push_turns
   where next_at <= $1 and agent_id not in (select unnest($3::int[])) order by next_at limit $2)
  union all
  (select p.agent_id, p.taken, t.id
   from (select agent_id, min(id) as id from tasks where state = 'queued' and test group by agent_id) t
   cross join lateral (
     select agent_id, taken from push_turns where agent_id = t.agent_id and (
       select true from tasks where agent_id = t.agent_id and state = 'running' order by id limit 1
     ) is null offset 0
   ) p
   where t.agent_id not in (select unnest($3::int[])) limit $2)
)
select t.agent_id, t.taken, t.test_task_id, a.url, a.secret_sealed, a.gym_complete, a.has_faults,
  case when a.is_gone or (a.is_barred and t.test_task_id is null) then ${BARRED_SECONDS}
    when a.is_at_work then ${AT_WORK_SECONDS}
    when t.test_task_id is not null then null
    when a.slowed_until > $1 then extract(epoch from a.slowed_until - $1::timestamptz)::float8
    when a.is_spent then ${BARRED_SECONDS}
  end as rest_seconds, a.is_at_work
from turns t cross join lateral (
  select url, secret_sealed, gym_completed_at is not null as gym_complete, fault_streak > 0 as has_faults, slowed_until,
    coalesce(deactivated_at, suspended_at, banned_at) is not null or url is null as is_gone,
    paused_at is not null or ping_error is not null as is_barred,
    (select true from tasks where agent_id = t.agent_id and state = 'running' order by id limit 1) is not null as is_at_work,
    max_tasks_per_day is not null and max_tasks_per_day <= (
      select count(*) from tasks
      where agent_id = t.agent_id and started_at > $1::timestamptz - interval '1 day' and not test
    ) as is_spent
  from agents where id = t.agent_id offset 0
) a`,
};

interface TurnRow {
  agent_id: number;
  taken: number;
  test_task_id: number | null;
  url: string;
  secret_sealed: string;
  gym_complete: boolean;
  has_faults: boolean;
  rest_seconds: number | null;
  is_at_work: boolean;
}

/**
 * The turns that have come, the oldest first, and those agents for which a test task waits.
 *
 * @param query.atWork agents that this node is calling now; they are left out without a look
 */
export async function loadTurns(
  db: Db,
  now: number,
  query: { limit: number; atWork: readonly number[] },
): Promise<Turn[]> {
  const rows = await db.run<TurnRow>(TURNS, [toTimestamp(now), query.limit, query.atWork]);
  return rows.map((row) => ({
    agentId: row.agent_id,
    taken: row.taken,
    url: row.url,
    secretSealed: row.secret_sealed,
    gymComplete: row.gym_complete,
    hasFaults: row.has_faults,
    testTaskId: row.test_task_id ?? undefined,
    restSeconds: row.rest_seconds ?? undefined,
    isAtWork: row.is_at_work,
  }));
}

/**
 * Takes turns: begins a task for each that has a prompt, and puts off the others. A turn on which another node decided
 * meanwhile is left alone; one whose prompt closed, or was given to the agent before, stays where it is.
 *
 * The task begins as running. Queued first, it would be written once more, and each version of it enters its indexes
 * anew. Whether the turn is still ours is told by its number, not by its time: without a gap that would not move, and two
 * nodes could call an agent at once. (A row that changed since is looked at again by PostgreSQL, with this condition.)
 *
 * Indexes: prompts, assignments and turns by primary key, `tasks_gym_in_work`. Locks: turns in the order of agents.
 * Written without `on conflict`, which would look every new row up in three more indexes: whoever holds the turn is alone.
 */
const TAKE: Statement = {
  name: "take-turns",
  text: `
with input as (
  select * from unnest($2::int[], $3::int[], $4::text[], $5::int[], $6::float8[])
    as i(agent_id, taken, kind, prompt_id, rest_seconds)
  where ${lookedUpByKey("agent_id")} order by agent_id
), fitting as materialized (
  select i.*, p.*, p.prompt is not null and case i.kind when 'main'
      then (select true from assignments s where s.agent_id = i.agent_id and s.prompt_id = i.prompt_id)
      else (select true from tasks t where t.agent_id = i.agent_id and t.prompt_id = i.prompt_id
        and state in ('queued', 'running') and kind = 'gym' and not test limit 1)
    end is null as fits
  from input i left join lateral (
    select prompt, category, coalesce(deadline_seconds, $8) as deadline_seconds from prompts
    where id = i.prompt_id and retired_at is null and closed_at is null offset 0
  ) p on true
), turned as (
  update push_turns t set taken = t.taken + 1, resting = f.rest_seconds is not null,
    next_at = case when f.fits then $1::timestamptz + make_interval(secs => $7)
      when f.rest_seconds is not null then $1::timestamptz + make_interval(secs => f.rest_seconds)
      else t.next_at end
  from fitting f where t.agent_id = f.agent_id and t.taken = f.taken
  returning t.agent_id, f.kind, f.prompt_id, f.prompt, f.category, f.deadline_seconds, f.fits
), begun as (
  select *, case when fits then nextval('tasks_id_seq') end as task_id from turned where kind is not null
), made as (
  insert into tasks (id, agent_id, kind, prompt_id, state, deadline_seconds, inserted_at, started_at, deadline_at)
  overriding system value
  select task_id, agent_id, kind, prompt_id, 'running', deadline_seconds, $1, $1,
    $1::timestamptz + make_interval(secs => deadline_seconds)
  from begun where fits
), assigned as (
  insert into assignments (agent_id, prompt_id) select agent_id, prompt_id from begun where fits and kind = 'main'
)
select task_id, agent_id, prompt, category, deadline_seconds from begun`,
};

interface BegunRow {
  task_id: number;
  agent_id: number;
  prompt: string;
  category: string;
  deadline_seconds: number;
}

/**
 * Acts on decisions. Of prompts, some may be `refused`, though the turn was ours: the memory that proposed them is not
 * right any more. Whose turn went to somebody else is in neither list.
 */
export async function takeTurns(
  db: Db,
  now: number,
  settings: { gapSeconds: number; deadlineSeconds: number },
  decisions: readonly Decision[],
): Promise<{ work: PushWork[]; refused: NextTask[] }> {
  const sorted = [...decisions].sort((a, b) => a.turn.agentId - b.turn.agentId);
  const rows = await db.run<Omit<BegunRow, "task_id"> & { task_id: number | null }>(TAKE, [
    toTimestamp(now),
    sorted.map(({ turn }) => turn.agentId),
    sorted.map(({ turn }) => turn.taken),
    sorted.map((each) => ("task" in each ? each.task.kind : null)),
    sorted.map((each) => ("task" in each ? each.task.promptId : null)),
    sorted.map((each) => ("task" in each ? null : each.restSeconds)),
    settings.gapSeconds,
    settings.deadlineSeconds,
  ]);
  const taken = new Map(rows.map((row) => [row.agent_id, row]));
  const work: PushWork[] = [];
  const refused: NextTask[] = [];
  for (const each of sorted) {
    const row = taken.get(each.turn.agentId);
    if (row === undefined || !("task" in each)) continue;
    const { kind, promptId } = each.task;
    if (row.task_id === null) refused.push(each.task);
    else work.push(toWork(each.turn, { ...row, task_id: row.task_id, kind, test: false, promptId }));
  }
  return { work, refused };
}

function toWork(turn: Turn, begun: BegunRow & Pick<PushWork, "kind" | "test" | "promptId">): PushWork {
  return {
    taskId: begun.task_id,
    agentId: turn.agentId,
    kind: begun.kind,
    test: begun.test,
    url: turn.url,
    secretSealed: turn.secretSealed,
    hasFaults: turn.hasFaults,
    promptId: begun.promptId,
    prompt: begun.prompt,
    category: begun.category,
    deadlineSeconds: begun.deadline_seconds,
  };
}

/**
 * Takes turns for test tasks, which are queued already, and moves the number of each turn, so that nobody begins another
 * task beside it. The time of the next turn stays. A task that was withdrawn in this very moment is left out.
 */
const TAKE_TESTS: Statement = {
  name: "take-test-turns",
  text: `
with turned as (
  update push_turns t set taken = t.taken + 1
  from (
    select * from unnest($2::int[], $3::int[], $4::bigint[]) as i(agent_id, taken, task_id)
    where ${lookedUpByKey("agent_id")} order by agent_id
  ) i where t.agent_id = i.agent_id and t.taken = i.taken
  returning i.task_id
), begun as (
  update tasks t set state = 'running', started_at = $1,
    deadline_at = $1::timestamptz + make_interval(secs => t.deadline_seconds)
  where t.id = any(array(select task_id from turned)) and t.started_at is null and t.finished_at is null
  returning t.id as task_id, t.agent_id, t.prompt_id, t.deadline_seconds
)
select b.*, p.* from begun b cross join lateral (select prompt, category from prompts where id = b.prompt_id offset 0) p`,
};

/** Begins the test tasks of turns that have one. */
export async function takeTestTurns(db: Db, now: number, turns: readonly Turn[]): Promise<PushWork[]> {
  if (turns.length === 0) return [];
  const byAgent = new Map(turns.map((turn) => [turn.agentId, turn]));
  const sorted = [...turns].sort((a, b) => a.agentId - b.agentId);
  const rows = await db.run<BegunRow & { prompt_id: number }>(TAKE_TESTS, [
    toTimestamp(now),
    sorted.map((turn) => turn.agentId),
    sorted.map((turn) => turn.taken),
    sorted.map((turn) => turn.testTaskId),
  ]);
  return rows.map((row) =>
    toWork(byAgent.get(row.agent_id) as Turn, { ...row, kind: "gym", test: true, promptId: row.prompt_id }),
  );
}
