import type { Db, Statement } from "../db/database.ts";

export interface SampledAgent {
  id: number;
  name: string;
  opponents: number;
  shown: number;
  votes: number;
  total: number;
}

/** A row for each two agents that judges were ever shown together; read whole. */
const AGENTS: Statement = {
  name: "sampling-by-agent",
  text: `
with sides as (
  select agent_a as id, shown, votes from meetings union all select agent_b, shown, votes from meetings
)
select a.id, a.name, count(*)::int as opponents, sum(s.shown)::int as shown, sum(s.votes)::int as votes,
  count(*) over ()::int as total
from sides s join agents a on a.id = s.id group by a.id, a.name order by shown desc, a.id limit $1 offset $2`,
};
const TOTALS: Statement = {
  name: "sampling-totals",
  text: `
select count(*)::int as pairs, coalesce(sum(shown), 0)::int as shown, coalesce(sum(votes), 0)::int as votes,
  coalesce(min(votes), 0)::int as votes_least, coalesce(max(votes), 0)::int as votes_most
from meetings`,
};
/** Index: votes by primary key; the latest thousand. */
const JUDGES: Statement = {
  name: "sampling-judges",
  text: `
select v.judge_kind, count(*)::int as votes,
  (count(*) filter (where v.counted and v.ruling_id is null))::int as counted
from (select judge_kind, counted, ruling_id from votes order by number desc limit 1000) v
group by v.judge_kind order by v.judge_kind`,
};

export interface SamplingTotals {
  pairs: number;
  shown: number;
  votes: number;
  votes_least: number;
  votes_most: number;
}

export function loadSampledAgents(db: Db, page: { limit: number; offset: number }): Promise<SampledAgent[]> {
  return db.run<SampledAgent>(AGENTS, [page.limit, page.offset]);
}

export async function loadSamplingTotals(db: Db): Promise<SamplingTotals> {
  const [row] = await db.run<SamplingTotals>(TOTALS, []);
  return row as SamplingTotals;
}

export interface JudgeShare {
  judge_kind: "account" | "check" | "anonymous" | "model";
  votes: number;
  counted: number;
}

/** Who cast the latest thousand votes. */
export function loadJudgeShares(db: Db): Promise<JudgeShare[]> {
  return db.run<JudgeShare>(JUDGES, []);
}
