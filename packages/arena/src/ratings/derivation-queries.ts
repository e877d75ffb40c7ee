import type { Db, Statement } from "../db/database.ts";
import type { Outcome } from "./elo.ts";
import { COUNTS, type ResultRow } from "./history-queries.ts";

/** One counted vote as the agent's side saw it: outcome `a` is a win. */
export interface EloStepRow {
  number: number;
  /** Such as `2030-01-31`, UTC. The log tells no time of day, which could tie an answer to an agent. */
  day: string;
  category: string;
  judge_kind: "account" | "check" | "anonymous" | "model";
  outcome: Outcome;
  opponent_id: number;
  opponent_name: string;
  /** Both before the vote; null: it was the first. */
  elo_before: number | null;
  opponent_elo: number | null;
  elo: number;
  total: number;
}

/**
 * A page of the votes that made an agent's Elo, the latest first, with what both sides had before each. What the
 * opponent had is in its own vote before this one. Indexes: `votes_agent_a`, `votes_agent_b`.
 */
const STEPS: Statement = {
  name: "elo-steps",
  text: `
with steps as (
  select v.number, v.cast_at, v.category, v.judge_kind, v.outcome, v.elo_a as elo, v.agent_b as opponent_id
  from votes v where v.agent_a = $1 and ${COUNTS}
  union all
  select v.number, v.cast_at, v.category, v.judge_kind,
    case v.outcome when 'a' then 'b' when 'b' then 'a' else v.outcome end, v.elo_b, v.agent_a
  from votes v where v.agent_b = $1 and ${COUNTS}
), placed as (
  select *, lag(elo) over (order by number) as elo_before, count(*) over ()::int as total
  from steps where elo is not null
), page as (select * from placed order by number desc limit $2 offset $3)
select p.number, to_char(p.cast_at at time zone 'UTC', 'YYYY-MM-DD') as day, p.category, p.judge_kind, p.outcome,
  p.opponent_id, a.name as opponent_name, p.elo_before, o.elo as opponent_elo, p.elo, p.total
from page p join agents a on a.id = p.opponent_id
left join lateral (
  select elo from (
    (select v.number, v.elo_a as elo from votes v
     where v.agent_a = p.opponent_id and v.number < p.number and ${COUNTS} order by v.number desc limit 1)
    union all
    (select v.number, v.elo_b from votes v
     where v.agent_b = p.opponent_id and v.number < p.number and ${COUNTS} order by v.number desc limit 1)
  ) before order by number desc limit 1
) o on true
order by p.number desc`,
};

export function loadEloSteps(db: Db, agentId: number, page: { limit: number; offset: number }): Promise<EloStepRow[]> {
  return db.run<EloStepRow>(STEPS, [agentId, page.limit, page.offset]);
}

export interface PublishedItem {
  rating: number;
  se: number;
  ci_low: number;
  ci_high: number;
  rank_low: number | null;
  rank_high: number | null;
  component: number;
  /** The last vote of the log that the fit knows. */
  position: number;
  fitted_at: number;
}

/** By primary keys. */
const ITEM: Statement = {
  name: "published-item",
  text: `
select i.rating, i.se, i.ci_low, i.ci_high, i.rank_low, i.rank_high, i.component, r.position,
  (extract(epoch from r.fitted_at) * 1000)::float8 as fitted_at
from ranking_items i join rankings r on r.category = i.category
where i.category = $1 and i.agent_id = $2`,
};

/** What is published of an agent; undefined before its first fit. */
export async function findPublished(db: Db, category: string, agentId: number): Promise<PublishedItem | undefined> {
  const [row] = await db.run<PublishedItem>(ITEM, [category, agentId]);
  return row;
}

export interface RatedOpponentRow extends ResultRow {
  id: number;
  name: string;
  rating: number;
}

/** Against whom the fit knows battles, most met first. Indexes: `votes_agent_a`, `votes_agent_b`. */
const OPPONENTS: Statement = {
  name: "rated-opponents",
  text: `
with met as (
  select v.agent_b as id, v.outcome from votes v
  where v.agent_a = $1 and v.number <= $3 and ${COUNTS} and ($2 = '' or v.category = $2)
  union all
  select v.agent_a, case v.outcome when 'a' then 'b' when 'b' then 'a' else v.outcome end
  from votes v where v.agent_b = $1 and v.number <= $3 and ${COUNTS} and ($2 = '' or v.category = $2)
), counted as (
  select id, count(*)::int as battles, (count(*) filter (where outcome = 'a'))::int as wins,
    (count(*) filter (where outcome = 'b'))::int as losses, (count(*) filter (where outcome = 'tie'))::int as ties,
    (count(*) filter (where outcome = 'both_bad'))::int as both_bad
  from met group by id
)
select c.id, a.name, i.rating, c.battles, c.wins, c.losses, c.ties, c.both_bad
from counted c join agents a on a.id = c.id
join ranking_items i on i.category = $2 and i.agent_id = c.id
order by c.battles desc, c.id`,
};

export function loadRatedOpponents(
  db: Db,
  agentId: number,
  category: string,
  position: number,
): Promise<RatedOpponentRow[]> {
  return db.run<RatedOpponentRow>(OPPONENTS, [agentId, category, position]);
}
