import type { Db, Statement } from "../db/database.ts";
import type { Outcome } from "../ratings/elo.ts";
import type { JudgeKind } from "./vote-log.ts";

export interface BattleRow {
  id: number;
  prompt_id: number;
  category: string;
  judged_by: "people" | "check";
  decided_at: number;
  answer_a: number;
  answer_b: number;
  agent_a: number;
  agent_b: number;
  name_a: string;
  name_b: string;
  rejudges: number | null;
  /** The latest ruling that struck a vote on it. */
  ruling_id: number | null;
  ruling_kind: string | null;
  ruling_reason: string | null;
}

/** Which battles are listed; what is undefined does not matter. */
export interface BattleFilter {
  agentId: number | undefined;
  category: string;
}

export interface Tally {
  judge_kind: JudgeKind;
  outcome: Outcome;
  counted: number;
  uncounted: number;
}

/** An agent's are read by two indexes, so that a page costs no more than what the agent has. */
const decided = (side: "" | "a" | "b") => `
from battles f join prompts q on q.id = f.prompt_id
where f.decided_at is not null and q.closed_at is not null and ($1 = '' or q.category = $1)
  ${side === "" ? "" : `and f.agent_${side} = $2`}`;
const COLUMNS = `
f.id, f.prompt_id, q.category, f.judged_by, (extract(epoch from f.decided_at) * 1000)::float8 as decided_at,
  f.answer_a, f.answer_b, f.agent_a, f.agent_b, f.rejudges`;
/** What a ruling adds to each battle of a page. Index: `votes_once`. */
const withRulings = (page: string) => `
select p.*, (select name from agents where id = p.agent_a) as name_a,
  (select name from agents where id = p.agent_b) as name_b, r.id as ruling_id, r.kind as ruling_kind, r.reason as ruling_reason
from (${page}) p
left join lateral (select max(v.ruling_id) as id from votes v where v.battle_id = p.id) struck on true
left join rulings r on r.id = struck.id order by p.id desc`;
/**
 * Nothing of an open prompt: a battle's answers and agents together would tell who wrote what. Index: `battles_decided`.
 */
const BATTLES: Statement = {
  name: "decided-battles",
  text: withRulings(`select ${COLUMNS} ${decided("")} order by f.id desc limit $2 offset $3`),
};
const TOTAL: Statement = { name: "decided-battles-total", text: `select count(*)::int as total ${decided("")}` };
/** Indexes: `battles_agent_a`, `battles_agent_b`. */
const AGENT_BATTLES: Statement = {
  name: "decided-battles-of-agent",
  text: withRulings(
    `select ${COLUMNS} ${decided("a")} union all select ${COLUMNS} ${decided("b")} order by id desc limit $3 offset $4`,
  ),
};
const AGENT_TOTAL: Statement = {
  name: "decided-battles-of-agent-total",
  text: `select (select count(*) ${decided("a")})::int + (select count(*) ${decided("b")})::int as total`,
};
/** Index: `votes_once`. */
const TALLIES: Statement = {
  name: "battle-tallies",
  text: `
select battle_id, judge_kind, outcome, (count(*) filter (where counted and ruling_id is null))::int as counted,
  (count(*) filter (where not counted or ruling_id is not null))::int as uncounted
from votes where battle_id = any($1::bigint[]) group by battle_id, judge_kind, outcome`,
};

/** One page of the decided battles of closed prompts, latest first, with the votes on each. */
export async function listBattles(
  db: Db,
  { agentId, category }: BattleFilter,
  page: { limit: number; offset: number },
): Promise<{ total: number; battles: (BattleRow & { tallies: Tally[] })[] }> {
  const filter = agentId === undefined ? [category] : [category, agentId];
  const [count] = await db.run<{ total: number }>(agentId === undefined ? TOTAL : AGENT_TOTAL, filter);
  const listing = agentId === undefined ? BATTLES : AGENT_BATTLES;
  const rows = await db.run<BattleRow>(listing, [...filter, page.limit, page.offset]);
  const tallies = await db.run<Tally & { battle_id: number }>(TALLIES, [rows.map((row) => row.id)]);
  const battles = rows.map((row) => ({ ...row, tallies: tallies.filter((tally) => tally.battle_id === row.id) }));
  return { total: count?.total ?? 0, battles };
}

export interface ExportedVote {
  number: number;
  agent_a: number;
  agent_b: number;
  outcome: Outcome;
  category: string;
  judge_kind: JudgeKind;
  /** Whether it counts now. */
  counted: boolean;
  /** The ruling that keeps it from counting. */
  ruling_id: number | null;
  /** Such as `2030-01-31`, UTC. */
  day: string;
  /** Set for closed prompts. */
  prompt_id: number | null;
  battle_id: number | null;
  answer_a: number | null;
  answer_b: number | null;
}

/**
 * A stretch of the vote log by number, so that a page costs the same wherever it is. Of open prompts only what no answer
 * can be tied to an agent by. Index: votes by primary key.
 */
const EXPORT: Statement = {
  name: "export-votes",
  text: `
select v.number, v.agent_a, v.agent_b, v.outcome, v.category, v.judge_kind,
  v.counted and v.ruling_id is null as counted, v.ruling_id,
  to_char(v.cast_at at time zone 'UTC', 'YYYY-MM-DD') as day,
  q.id as prompt_id, case when q.id is not null then f.id end as battle_id,
  case when q.id is not null then f.answer_a end as answer_a, case when q.id is not null then f.answer_b end as answer_b
from votes v join battles f on f.id = v.battle_id
left join prompts q on q.id = f.prompt_id and q.closed_at is not null
where v.number > $1 order by v.number limit $2`,
};

export function loadVotesAfter(db: Db, number: number, limit: number): Promise<ExportedVote[]> {
  return db.run<ExportedVote>(EXPORT, [number, limit]);
}
