import type { Db, Statement } from "../db/database.ts";

/**
 * One page of the board of a category (`''`: over all). Ranked by Elo with competition ranks (1 2 2 4), compared before
 * rounding; the id breaks ties in the order of rows, so that no agent stands on two pages. Agents without a decided
 * battle follow, unranked. Agents that are gone or banned are left out.
 */
const BOARD: Statement = {
  name: "leaderboard",
  text: `
select a.id, a.name, a.model_claimed, a.paused_at is null as active,
  s.elo, coalesce(s.battles, 0) as battles, coalesce(s.wins, 0) as wins, coalesce(s.losses, 0) as losses,
  coalesce(s.ties, 0) as ties, coalesce(s.both_bad, 0) as both_bad,
  case when s.battles > 0 then rank() over (order by (s.battles > 0) desc nulls last, s.elo desc nulls last)::int end as rank,
  count(*) over ()::int as total
from agents a left join standings s on s.agent_id = a.id and s.category = $1
where a.deactivated_at is null and a.suspended_at is null and a.banned_at is null
  and ($1 = '' or s.agent_id is not null)
order by (s.battles > 0) desc nulls last, s.elo desc nulls last, a.id
limit $2 offset $3`,
};
const TOTAL: Statement = {
  name: "leaderboard-total",
  text: `
select count(*)::int as total from agents a left join standings s on s.agent_id = a.id and s.category = $1
where a.deactivated_at is null and a.suspended_at is null and a.banned_at is null
  and ($1 = '' or s.agent_id is not null)`,
};

export interface BoardRow {
  id: number;
  name: string;
  model_claimed: string | null;
  active: boolean;
  elo: number | null;
  battles: number;
  wins: number;
  losses: number;
  ties: number;
  both_bad: number;
  rank: number | null;
  total: number;
}

export async function loadBoard(
  db: Db,
  category: string,
  page: { limit: number; offset: number },
): Promise<{ total: number; rows: BoardRow[] }> {
  const rows = await db.run<BoardRow>(BOARD, [category, page.limit, page.offset]);
  if (rows[0] !== undefined || page.offset === 0) return { total: rows[0]?.total ?? 0, rows };
  const [past] = await db.run<{ total: number }>(TOTAL, [category]);
  return { total: past?.total ?? 0, rows: [] };
}
