import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";

/**
 * The gym prompt that each agent should get next: one without a good answer of its own and not in work, the least tried
 * first, so that one that erred comes again after the others. `remaining` counts all without a good answer.
 * Indexes: `tasks_agent`, for an agent in its gym has few tasks, and `tasks_gym_in_work`.
 */
const NEXT_GYM: Statement = {
  name: "next-gym",
  text: `
select i.agent_id, g.id as prompt_id, coalesce(g.remaining, 0) as remaining
from unnest($1::int[]) as i(agent_id)
left join lateral (
  select case when not t.in_work then p.id end as id, count(*) over ()::int as remaining
  from prompts p
  left join lateral (
    select count(*) as tries, coalesce(bool_or(state = 'completed'), false) as good,
      (select true from tasks
        where agent_id = i.agent_id and prompt_id = p.id and kind = 'gym' and not test and state in ('queued', 'running') limit 1
      ) is not null as in_work
    from tasks where agent_id = i.agent_id and prompt_id = p.id and kind = 'gym' and not test and started_at is not null
  ) t on true
  where p.kind = 'gym' and p.retired_at is null and not t.good
  order by t.in_work, t.tries, p.id limit 1
) g on true`,
};

const COMPLETE_GYM: Statement = {
  name: "complete-gym",
  text: `
update agents a set gym_completed_at = $2
where a.id = any($1::int[]) and a.gym_completed_at is null and not exists (
  select from prompts p where p.kind = 'gym' and p.retired_at is null and not exists (
    select from tasks t where t.agent_id = a.id and t.prompt_id = p.id and t.kind = 'gym' and t.state = 'completed' and not t.test
      and t.started_at is not null
  )
)
returning a.id`,
};

/** For each agent still in the gym: the prompt to try next, if any, and how many are left. */
export async function nextGymPrompts(
  db: Db,
  agentIds: readonly number[],
): Promise<Map<number, { promptId: number | undefined; left: number }>> {
  const rows = await db.run<{ agent_id: number; prompt_id: number | null; remaining: number }>(NEXT_GYM, [agentIds]);
  return new Map(
    rows.map((row) => [row.agent_id, { promptId: row.prompt_id ?? undefined, left: row.remaining }] as const),
  );
}

/** Notes which of these agents have a good answer to each gym prompt. Only they get prompts of the main pool. */
export async function completeGym(db: Db, agentIds: readonly number[], now: number): Promise<Set<number>> {
  const rows = await db.run<{ id: number }>(COMPLETE_GYM, [agentIds, toTimestamp(now)]);
  return new Set(rows.map((row) => row.id));
}
