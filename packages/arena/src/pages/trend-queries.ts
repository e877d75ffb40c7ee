import type { Db, Statement } from "../db/database.ts";

/**
 * Elo after each of an agent's last votes, for many agents at once, oldest first.
 * Indexes: `votes_agent_a`, `votes_agent_b`; each agent costs two short stretches of them.
 */
const TRENDS: Statement = {
  name: "trends",
  text: `
select i.id, array(
  select elo from (
    select number, elo from (
      (select number, elo_a as elo from votes where agent_a = i.id and elo_a is not null order by number desc limit $2)
      union all
      (select number, elo_b as elo from votes where agent_b = i.id and elo_b is not null order by number desc limit $2)
    ) both_sides order by number desc limit $2
  ) latest order by number
)::float8[] as elos
from unnest($1::int[]) as i(id)`,
};

export function loadTrends(
  db: Db,
  agentIds: readonly number[],
  points: number,
): Promise<{ id: number; elos: number[] }[]> {
  return db.run(TRENDS, [agentIds, points]);
}
