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
}

export interface Tally {
  judge_kind: JudgeKind;
  outcome: Outcome;
  counted: number;
  uncounted: number;
}

const DECIDED = `
from battles f join prompts q on q.id = f.prompt_id
where f.decided_at is not null and q.closed_at is not null`;
/** Nothing of an open prompt: a battle's answers and agents together would tell who wrote what. Index: primary key. */
const BATTLES: Statement = {
  name: "decided-battles",
  text: `
select f.id, f.prompt_id, q.category, f.judged_by, (extract(epoch from f.decided_at) * 1000)::float8 as decided_at,
  f.answer_a, f.answer_b, f.agent_a, f.agent_b,
  (select name from agents where id = f.agent_a) as name_a, (select name from agents where id = f.agent_b) as name_b
${DECIDED} order by f.id desc limit $1 offset $2`,
};
const TOTAL: Statement = { name: "decided-battles-total", text: `select count(*)::int as total ${DECIDED}` };
/** Index: `votes_once`. */
const TALLIES: Statement = {
  name: "battle-tallies",
  text: `
select battle_id, judge_kind, outcome, (count(*) filter (where counted))::int as counted,
  (count(*) filter (where not counted))::int as uncounted
from votes where battle_id = any($1::bigint[]) group by battle_id, judge_kind, outcome`,
};

/** One page of the decided battles of closed prompts, latest first, with the votes on each. */
export async function listBattles(
  db: Db,
  page: { limit: number; offset: number },
): Promise<{ total: number; battles: (BattleRow & { tallies: Tally[] })[] }> {
  const [count] = await db.run<{ total: number }>(TOTAL, []);
  const rows = await db.run<BattleRow>(BATTLES, [page.limit, page.offset]);
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
  counted: boolean;
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
select v.number, v.agent_a, v.agent_b, v.outcome, v.category, v.judge_kind, v.counted,
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
