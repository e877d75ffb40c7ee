import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";
import type { Clock } from "../ports.ts";
import { slowdownSql } from "./slowdown.ts";
import type { RecordSettings } from "./task-records.ts";

const ROWS = 500;
/**
 * Beyond deadline and grace the sweep waits this much longer: a report that arrived in time may still be on its way to
 * the database, and it would be wrong to call it late because we were slow.
 */
const MARGIN_SECONDS = 1;

/**
 * A pushed task is ended by its dispatcher, a house agent's by that. One that only the sweep finds was lost by us: cause
 * `arena`, which touches nothing of the agent. One that the agent had acknowledged has no dispatcher waiting any more,
 * and is looked for apart.
 *
 * Index: `tasks_deadline`. Locks: the expired tasks in the order of agent and id, skipping those that a report is
 * changing at this moment; then the agents whose failures in a row change, by id.
 */
const EXPIRE: Statement = {
  name: "expire-tasks",
  text: `
with due as (
  select id from tasks
  where state = 'running' and deadline_at < $1::timestamptz - make_interval(secs => $2) and acknowledged_at is null
  order by agent_id, id limit ${ROWS} for update skip locked
), done as (
  update tasks t set state = 'timeout', finished_at = $1, cause = case a.transport when 'pull' then 'timeout' else 'arena' end
  from due, agents a where t.id = due.id and a.id = t.agent_id
  returning t.agent_id, t.kind not in ('gym', 'main') as of_run, t.test or t.kind not in ('gym', 'main') or a.transport <> 'pull' as exempt
), failed as (
  select distinct agent_id from done where not exempt
), paused as (
  select a.id from agents a join failed f on f.agent_id = a.id order by a.id for update of a
), failing as (
  update agents a set ${slowdownSql("$1", "$3", "$4", "'timeout'")} from paused p where a.id = p.id
)
select agent_id, of_run from done`,
};

/**
 * Queued ladder tasks whose agent may not have them any more, or whose prompt takes no more answers, and those of push
 * agents: an earlier version queued them, and nobody claims them now that pushed tasks begin as running. Nothing was
 * handed out, so the assignment goes too.
 *
 * Indexes: `tasks_queued`, read whole (few rows per agent); agents and prompts by primary key.
 */
const WITHDRAW: Statement = {
  name: "withdraw-tasks",
  text: `
with due as (
  select t.id from tasks t join agents a on a.id = t.agent_id left join prompts p on p.id = t.prompt_id
  where t.state = 'queued' and t.kind in ('gym', 'main')
    and (
      coalesce(a.deactivated_at, a.suspended_at, a.banned_at, p.closed_at, p.retired_at) is not null
      or (a.transport = 'push' and not t.test)
    )
  order by t.agent_id, t.id limit ${ROWS} for update of t skip locked
), done as (
  update tasks t set state = 'cancelled', finished_at = $1 from due where t.id = due.id
  returning t.agent_id, t.prompt_id, t.kind
), freed as (
  delete from assignments s using done d where d.kind = 'main' and s.agent_id = d.agent_id and s.prompt_id = d.prompt_id
)
select agent_id from done`,
};

/** Index: `tasks_deadline`. Locks nothing: recording the outcome is a race that the first one wins. */
const UNANSWERED: Statement = {
  name: "acknowledged-unanswered",
  text: `
select id, agent_id from tasks
where state = 'running' and deadline_at < $1::timestamptz - make_interval(secs => $2) and acknowledged_at is not null
order by agent_id, id limit ${ROWS}`,
};

/** Run tasks that nobody claimed in time: nobody's fault. Index: `tasks_run_queued`. */
const UNCLAIMED: Statement = {
  name: "withdraw-run-tasks",
  text: `
update tasks set state = 'cancelled', finished_at = $1 where id = any(array(
  select id from tasks
  where state = 'queued' and kind in ('scout', 'build', 'verify', 'critique') and claim_by <= $1
  order by agent_id, id limit ${ROWS} for update skip locked
)) and state = 'queued'
returning agent_id`,
};

export interface SweepSettings extends RecordSettings {
  /** Ends the task of an agent that had said it would call back, and did not. */
  endUnanswered: (task: { taskId: number; agentId: number }) => Promise<unknown>;
}

/** What one sweep ended: agents that have room again, and whether tasks of runs were among it. */
export interface Swept {
  agents: number[];
  ofRuns: boolean;
  /** Agents that were given a prompt back. */
  givenBack: number[];
  more: boolean;
}

/** One sweep: running tasks past their time, then queued ones that nobody may have. */
export async function sweepTasks(db: Db, clock: Clock, settings: SweepSettings): Promise<Swept> {
  const now = toTimestamp(clock.now());
  const expired = await db.run<{ agent_id: number; of_run: boolean }>(EXPIRE, [
    now,
    settings.resultGraceSeconds + MARGIN_SECONDS,
    settings.slowdownSeconds,
    settings.slowdownMaxSeconds,
  ]);
  const unanswered = await db.run<{ id: number; agent_id: number }>(UNANSWERED, [now, MARGIN_SECONDS]);
  await Promise.all(unanswered.map((row) => settings.endUnanswered({ taskId: row.id, agentId: row.agent_id })));
  const withdrawn = await db.run<{ agent_id: number }>(WITHDRAW, [now]);
  const unclaimed = await db.run<{ agent_id: number }>(UNCLAIMED, [now]);
  const ended = [expired, unanswered, withdrawn, unclaimed];
  return {
    agents: [...new Set(ended.flat().map((row) => row.agent_id))],
    ofRuns: expired.some((row) => row.of_run) || unanswered.length + unclaimed.length > 0,
    givenBack: withdrawn.map((row) => row.agent_id),
    more: ended.some((rows) => rows.length === ROWS),
  };
}
