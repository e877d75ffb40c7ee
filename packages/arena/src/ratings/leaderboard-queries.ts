import type { Db, Statement } from "../db/database.ts";

/**
 * One page of the board of a category (`''`: over all). Ranked with competition ranks (1 2 2 4), compared before
 * rounding; the id breaks ties in the order of rows, so that no agent stands on two pages. Agents without a decided
 * battle follow, unranked. Agents that are gone or banned are left out, and the house's, which do no ladder tasks.
 */
const boardRows = (rank: string) => `
select a.id, a.name, a.model_claimed, a.paused_at is null as active,
  s.elo, coalesce(s.battles, 0) as battles, coalesce(s.wins, 0) as wins, coalesce(s.losses, 0) as losses,
  coalesce(s.ties, 0) as ties, coalesce(s.both_bad, 0) as both_bad,
  r.rating, r.ci_low, r.ci_high, r.rank_low, r.rank_high, r.component,
  ${rank} as rank,
  count(*) over ()::int as total
from agents a left join standings s on s.agent_id = a.id and s.category = $1
left join ranking_items r on r.agent_id = a.id and r.category = $1
where a.deactivated_at is null and a.suspended_at is null and a.banned_at is null and a.transport <> 'house' and a.dialect <> 'edgearena-v1'
  and ($1 = '' or s.agent_id is not null)`;
/** A page of the board, and the one line of an agent, for which the whole board is ranked all the same. */
const board = (name: string, rank: string, order: string): { page: Statement; line: Statement } => ({
  page: { name, text: `${boardRows(rank)}\norder by ${order}, a.id\nlimit $2 offset $3` },
  line: { name: `${name}-line`, text: `select * from (${boardRows(rank)}) b where id = $2` },
});
const BY_ELO = board(
  "leaderboard",
  "case when s.battles > 0 then rank() over (order by (s.battles > 0) desc nulls last, s.elo desc nulls last)::int end",
  "(s.battles > 0) desc nulls last, s.elo desc nulls last",
);
/** Ratings of two groups that no battle connects cannot be compared, so that each group has ranks of its own. */
const BY_RATING = board(
  "leaderboard-by-rating",
  "case when r.rating is not null then rank() over (partition by r.component order by r.rating desc)::int end",
  "r.component nulls last, r.rating desc nulls last",
);
const TOTAL: Statement = {
  name: "leaderboard-total",
  text: `
select count(*)::int as total from agents a left join standings s on s.agent_id = a.id and s.category = $1
where a.deactivated_at is null and a.suspended_at is null and a.banned_at is null and a.transport <> 'house' and a.dialect <> 'edgearena-v1'
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
  rating: number | null;
  ci_low: number | null;
  ci_high: number | null;
  rank_low: number | null;
  rank_high: number | null;
  component: number | null;
  rank: number | null;
  total: number;
}

/** An agent's line of the board; undefined when it is not on it. */
export async function loadBoardLine(
  db: Db,
  category: string,
  agentId: number,
  by: "elo" | "rating" = "elo",
): Promise<BoardRow | undefined> {
  const [row] = await db.run<BoardRow>((by === "elo" ? BY_ELO : BY_RATING).line, [category, agentId]);
  return row;
}

export async function loadBoard(
  db: Db,
  category: string,
  page: { limit: number; offset: number },
  by: "elo" | "rating" = "elo",
): Promise<{ total: number; rows: BoardRow[] }> {
  const rows = await db.run<BoardRow>((by === "elo" ? BY_ELO : BY_RATING).page, [category, page.limit, page.offset]);
  if (rows[0] !== undefined || page.offset === 0) return { total: rows[0]?.total ?? 0, rows };
  const [past] = await db.run<{ total: number }>(TOTAL, [category]);
  return { total: past?.total ?? 0, rows: [] };
}

export interface CategoryOverview {
  category: string;
  agents: number;
  battles: number;
  both_bad: number;
  position: number | null;
  fitted_at: number | null;
  components: number | null;
  log_likelihood: number | null;
  problem: string | null;
}

/** Index: `standings_board`. */
const CATEGORIES: Statement = {
  name: "leaderboard-categories",
  text: `
select s.category, count(*)::int as agents, (sum(s.battles) / 2)::int as battles, (sum(s.both_bad) / 2)::int as both_bad,
  r.position, (extract(epoch from r.fitted_at) * 1000)::float8 as fitted_at, r.components, r.log_likelihood, r.problem
from standings s left join rankings r on r.category = s.category
where s.battles > 0 group by s.category, r.category order by s.category`,
};

/** Every category with a battle, the whole (`''`) first: how much there is of it, and how far its ranking goes. */
export function loadCategoryOverviews(db: Db): Promise<CategoryOverview[]> {
  return db.run<CategoryOverview>(CATEGORIES, []);
}
