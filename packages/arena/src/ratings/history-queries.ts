import type { Db, Statement } from "../db/database.ts";
import { TIER_BOUNDS } from "./tiers.ts";

/** Votes that count now: no ruling stands against them, and an agent against itself is no battle. */
export const COUNTS = "v.counted and v.ruling_id is null and v.agent_a <> v.agent_b";

export interface HistoryPoint {
  number: number;
  /** Such as `2030-01-31`, UTC. The log tells no time of day, which could tie an answer to an agent. */
  day: string;
  elo: number;
  opponent_id: number;
}
interface HistoryRow extends HistoryPoint {
  total: number;
  elo_before: number | null;
  is_point: boolean;
  is_change: boolean;
}

/**
 * An agent's Elo after its battles: some `$2` of them evenly, first and last included, and each that led to another
 * tier. Indexes: `votes_agent_a`, `votes_agent_b`.
 */
const HISTORY: Statement = {
  name: "rating-history",
  text: `
with steps as (
  select v.number, v.cast_at, v.elo_a as elo, v.agent_b as opponent_id from votes v where v.agent_a = $1 and ${COUNTS}
  union all
  select v.number, v.cast_at, v.elo_b, v.agent_a from votes v where v.agent_b = $1 and ${COUNTS}
), placed as (
  select number, cast_at, elo, opponent_id, row_number() over (order by number) as place,
    count(*) over () as total, lag(elo) over (order by number) as elo_before
  from steps where elo is not null
), marked as (
  select *, place = 1 or place = total or place % ceil(total / $2::float8)::bigint = 0 as is_point,
    width_bucket(elo, $3::float8[]) <> width_bucket(coalesce(elo_before, $4), $3::float8[]) as is_change
  from placed
)
select number, to_char(cast_at at time zone 'UTC', 'YYYY-MM-DD') as day, elo, opponent_id, total::int, elo_before,
  is_point, is_change
from marked where is_point or is_change order by number`,
};

export interface RatingHistory {
  /** Battles that count. */
  total: number;
  points: HistoryPoint[];
  changes: (HistoryPoint & { elo_before: number })[];
}

export async function loadHistory(
  db: Db,
  agentId: number,
  { points, startElo }: { points: number; startElo: number },
): Promise<RatingHistory> {
  const rows = await db.run<HistoryRow>(HISTORY, [agentId, points, TIER_BOUNDS, startElo]);
  return {
    total: rows[0]?.total ?? 0,
    points: rows.filter((row) => row.is_point),
    changes: rows.filter((row) => row.is_change).map((row) => ({ ...row, elo_before: row.elo_before ?? startElo })),
  };
}

export interface ResultRow {
  battles: number;
  wins: number;
  losses: number;
  ties: number;
  both_bad: number;
}
export interface OpponentRow extends ResultRow {
  id: number;
  name: string;
  elo: number | null;
  total: number;
}

/** Indexes: `votes_agent_a`, `votes_agent_b`. */
const OPPONENTS: Statement = {
  name: "results-by-opponent",
  text: `
with met as (
  select v.agent_b as id, v.outcome from votes v where v.agent_a = $1 and ${COUNTS} and ($2 = '' or v.category = $2)
  union all
  select v.agent_a, case v.outcome when 'a' then 'b' when 'b' then 'a' else v.outcome end
  from votes v where v.agent_b = $1 and ${COUNTS} and ($2 = '' or v.category = $2)
), counted as (
  select id, count(*)::int as battles, (count(*) filter (where outcome = 'a'))::int as wins,
    (count(*) filter (where outcome = 'b'))::int as losses, (count(*) filter (where outcome = 'tie'))::int as ties,
    (count(*) filter (where outcome = 'both_bad'))::int as both_bad
  from met group by id
)
select c.id, a.name, s.elo, c.battles, c.wins, c.losses, c.ties, c.both_bad, count(*) over ()::int as total
from counted c join agents a on a.id = c.id left join standings s on s.agent_id = c.id and s.category = ''
order by c.battles desc, c.id limit $3 offset $4`,
};

export async function loadOpponents(
  db: Db,
  agentId: number,
  category: string,
  page: { limit: number; offset: number },
): Promise<OpponentRow[]> {
  return db.run<OpponentRow>(OPPONENTS, [agentId, category, page.limit, page.offset]);
}

export interface CategoryRow extends ResultRow {
  category: string;
  elo: number;
  rating: number | null;
  ci_low: number | null;
  ci_high: number | null;
}

/** By primary keys. */
const CATEGORIES: Statement = {
  name: "results-by-category",
  text: `
select s.category, s.elo, s.battles, s.wins, s.losses, s.ties, s.both_bad, r.rating, r.ci_low, r.ci_high
from standings s left join ranking_items r on r.category = s.category and r.agent_id = s.agent_id
where s.agent_id = $1 and s.category <> '' and s.battles > 0 order by s.battles desc, s.category`,
};

export function loadCategories(db: Db, agentId: number): Promise<CategoryRow[]> {
  return db.run<CategoryRow>(CATEGORIES, [agentId]);
}

export interface MeetingRow {
  a: number;
  b: number;
  wins_a: number;
  wins_b: number;
  ties: number;
  both_bad: number;
}

/** Index: `votes_agent_a`. The smaller id is a. */
const MATRIX: Statement = {
  name: "head-to-head",
  text: `
select least(v.agent_a, v.agent_b) as a, greatest(v.agent_a, v.agent_b) as b,
  (count(*) filter (where v.outcome = case when v.agent_a < v.agent_b then 'a' else 'b' end))::int as wins_a,
  (count(*) filter (where v.outcome = case when v.agent_a < v.agent_b then 'b' else 'a' end))::int as wins_b,
  (count(*) filter (where v.outcome = 'tie'))::int as ties,
  (count(*) filter (where v.outcome = 'both_bad'))::int as both_bad
from votes v
where v.agent_a = any($1::int[]) and v.agent_b = any($1::int[]) and ${COUNTS} and ($2 = '' or v.category = $2)
group by 1, 2 order by 1, 2`,
};

export function loadMatrix(db: Db, agentIds: readonly number[], category: string): Promise<MeetingRow[]> {
  return db.run<MeetingRow>(MATRIX, [agentIds, category]);
}
