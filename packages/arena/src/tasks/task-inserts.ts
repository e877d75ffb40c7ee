import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";
import type { Clock } from "../ports.ts";

/** A prompt chosen for an agent. */
export interface NextTask {
  agentId: number;
  kind: "gym" | "main";
  promptId: number;
}

/**
 * Queues ladder tasks for many agents, with the assignment of each main one. What is not (or no longer) allowed is left
 * out silently: an agent that has one queued already, a prompt it was given before, a prompt that closed meanwhile. Only
 * when another node wins in the very same moment does the assignment's key refuse the statement; whoever batches retries
 * row by row.
 *
 * Indexes: prompts and assignments by primary key, a look-up per row: written as joins, both tables are read whole and
 * hashed while they are small, and the plan is kept when they are not. `tasks_one_ahead` and `tasks_gym_in_work` decide conflicts. The task
 * goes in first: an assignment without a task would be a prompt lost to the agent for ever.
 */
const QUEUE: Statement = {
  name: "queue-ladder-tasks",
  text: `
with input as (
  select * from unnest($1::int[], $2::text[], $3::int[]) as i(agent_id, kind, prompt_id) order by agent_id
), made as (
  insert into tasks (agent_id, kind, prompt_id, state, deadline_seconds, inserted_at)
  select i.agent_id, i.kind, i.prompt_id, 'queued', coalesce(p.deadline_seconds, $5), $4
  from input i cross join lateral (
    select deadline_seconds from prompts where id = i.prompt_id and retired_at is null and closed_at is null offset 0
  ) p
  where i.kind = 'gym'
    or (select true from assignments s where s.agent_id = i.agent_id and s.prompt_id = i.prompt_id) is null
  on conflict do nothing
  returning id, agent_id, kind, prompt_id
), assigned as (
  insert into assignments (agent_id, prompt_id) select agent_id, prompt_id from made where kind = 'main'
)
select agent_id from made`,
};

/** Queues the chosen tasks; returns the agents that have one more now. */
export async function queueLadderTasks(
  db: Db,
  clock: Clock,
  tasks: readonly NextTask[],
  deadlineSeconds: number,
): Promise<Set<number>> {
  const rows = await db.run<{ agent_id: number }>(QUEUE, [
    tasks.map((task) => task.agentId),
    tasks.map((task) => task.kind),
    tasks.map((task) => task.promptId),
    toTimestamp(clock.now()),
    deadlineSeconds,
  ]);
  return new Set(rows.map((row) => row.agent_id));
}
