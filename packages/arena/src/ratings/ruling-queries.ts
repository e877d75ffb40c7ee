import { desc, eq, inArray, sql } from "drizzle-orm";
import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";
import { agents, rulings, rulingVotes } from "../db/schema.ts";
import type { Standing } from "./elo.ts";
import { parseStandingKey } from "./log-replay.ts";
import type { RulingChoice, RulingKind } from "./ruling-schemas.ts";

/** A vote that a ruling is about. */
export interface ChosenVote {
  number: number;
  battle_id: number;
  counted: boolean;
}

/** More would hold the log's lock for minutes; by numbers it can be done in steps. */
export const CHOSEN_MAX = 200_000;

/**
 * Votes by what is asked for; what is null is not asked for. A release is about those that its ruling struck, all others
 * about votes that none has struck. Read by primary key; rulings are few.
 */
const CHOOSE: Statement = {
  name: "choose-votes",
  text: `
select v.number, v.battle_id, v.counted from votes v
where v.number > $1 and v.number <= $2
  and v.ruling_id is not distinct from $3::int
  and ($4::bigint[] is null or v.number = any($4::bigint[]))
  and ($5::bigint[] is null or v.battle_id = any($5::bigint[]))
  and ($6::int is null or v.battle_id in (select id from battles where prompt_id = $6))
  and ($7::int is null or v.agent_a = $7 or v.agent_b = $7)
  and ($10::bigint is null or v.battle_id in (
    select f.id from battles f
    where f.prompt_id = (select prompt_id from tasks where id = $10) and $10 in (f.answer_a, f.answer_b)))
  and ($8::text is null or v.judge_kind = $8) and ($9::text is null or v.judge_id = $9)
order by v.number limit ${CHOSEN_MAX + 1}`,
};
const POSITION: Statement = {
  name: "log-position",
  text: `
select value as position, (select coalesce(max(id), 0) from rulings) as ruling_id from counters where name = 'votes'`,
};
const STRIKE: Statement = {
  name: "strike-votes",
  text: `update votes set ruling_id = $1 where number = any($2::bigint[])`,
};
const SET_ELOS: Statement = {
  name: "set-vote-elos",
  text: `
update votes v set elo_a = i.elo_a, elo_b = i.elo_b
from unnest($1::bigint[], $2::float8[], $3::float8[]) as i(number, elo_a, elo_b)
where v.number = i.number and v.number = any($1::bigint[])`,
};
const CLEAR_ELOS: Statement = {
  name: "clear-vote-elos",
  text: `update votes set elo_a = null, elo_b = null where number = any($1::bigint[])`,
};
const CLEAR_STANDINGS: Statement = { name: "clear-standings", text: `delete from standings` };
const INSERT_STANDINGS: Statement = {
  name: "insert-standings",
  text: `
insert into standings (agent_id, category, elo, battles, wins, losses, ties, both_bad)
select * from unnest($1::int[], $2::text[], $3::float8[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[])`,
};
/** A battle keeps the time of its first verdict: it is shown as decided, with the ruling. Index: `votes_once`. */
const RECOUNT_BATTLES: Statement = {
  name: "recount-battles",
  text: `
update battles b set votes = (
    select count(*) from votes v where v.battle_id = b.id and v.counted and v.ruling_id is null
  )
where b.id = any($1::bigint[])`,
};
/** Answers by id, as voting locks them. Indexes: `tasks` and `battles` by primary key, `battles_pair`. */
const RECOUNT_ANSWERS: Statement = {
  name: "recount-answers",
  text: `
with answers as (
  select t.id from tasks t
  where t.id = any(array(select unnest(array[answer_a, answer_b]) from battles where id = any($1::bigint[])))
  order by t.id for no key update of t
)
update tasks t set votes = (
    select coalesce(sum(b.votes), 0) from battles b
    where b.prompt_id = t.prompt_id and t.id in (b.answer_a, b.answer_b) and b.judged_by = 'people'
  )
where t.id in (select id from answers)`,
};
/** Indexes: `battles_agent_a`. */
const RECOUNT_MEETINGS: Statement = {
  name: "recount-meetings",
  text: `
with pairs as (
  select distinct least(agent_a, agent_b) as a, greatest(agent_a, agent_b) as b from battles where id = any($1::bigint[])
)
update meetings m set votes = (
    select coalesce(sum(f.votes), 0) from battles f
    where f.decided_at is not null and f.judged_by = 'people'
      and ((f.agent_a = m.agent_a and f.agent_b = m.agent_b) or (f.agent_a = m.agent_b and f.agent_b = m.agent_a))
  )
from pairs where m.agent_a = pairs.a and m.agent_b = pairs.b`,
};
/** Battles that can be shown again: of people, to an open prompt, with both answers in view. */
const REOPENABLE: Statement = {
  name: "reopenable-battles",
  text: `
select f.id from battles f join prompts q on q.id = f.prompt_id
join tasks ta on ta.id = f.answer_a join tasks tb on tb.id = f.answer_b
where f.id = any($1::bigint[]) and f.judged_by = 'people' and not f.replaced and q.closed_at is null
  and ta.votable and tb.votable`,
};
const REPLACE: Statement = {
  name: "replace-battles",
  text: `update battles set replaced = true where id = any($1::bigint[])`,
};
const REOPEN: Statement = {
  name: "reopen-battles",
  text: `
insert into battles (prompt_id, answer_a, answer_b, agent_a, agent_b, judged_by, created_at, rejudges)
select prompt_id, answer_a, answer_b, agent_a, agent_b, judged_by, $2, id from battles where id = any($1::bigint[])`,
};
const EXPIRE_LIVE: Statement = {
  name: "expire-replaced",
  text: `update presentations set state = 'expired' where state = 'live' and battle_id = any($1::bigint[])`,
};

export async function loadPosition(db: Db): Promise<{ position: number; ruling_id: number }> {
  const [row] = await db.run<{ position: number; ruling_id: number }>(POSITION, []);
  if (row === undefined) throw new Error("the vote counter's row is missing from the table counters");
  return row;
}

export function chooseVotes(db: Db, choice: RulingChoice, after: number, until: number): Promise<ChosenVote[]> {
  return db.run<ChosenVote>(CHOOSE, [
    Math.max(after, (choice.from ?? 1) - 1),
    Math.min(until, choice.to ?? until),
    choice.ruling_id ?? null,
    choice.numbers ?? null,
    choice.battle_ids ?? null,
    choice.prompt_id ?? null,
    choice.agent_id ?? null,
    choice.judge?.kind ?? null,
    choice.judge?.id ?? null,
    choice.answer_id ?? null,
  ]);
}

export async function findRuling(db: Db, id: number) {
  const [row] = await db.orm.select().from(rulings).where(eq(rulings.id, id));
  return row;
}

export async function insertRuling(
  tx: Db,
  ruling: { kind: RulingKind; choice: RulingChoice; reason: string; decidedBy: string; now: number; position: number },
  numbers: readonly number[],
): Promise<number> {
  const { kind, choice, reason, decidedBy, now, position } = ruling;
  const [row] = await tx.orm
    .insert(rulings)
    .values({ kind, choice, reason, decidedBy, decidedAt: new Date(now), position })
    .returning({ id: rulings.id });
  const { id } = row as { id: number };
  for (const chunk of chunks(numbers)) {
    await tx.orm.insert(rulingVotes).values(chunk.map((number) => ({ rulingId: id, number })));
  }
  return id;
}

export async function strikeVotes(tx: Db, rulingId: number | null, numbers: readonly number[]): Promise<void> {
  for (const chunk of chunks(numbers)) await tx.run(STRIKE, [rulingId, chunk]);
}

export async function rewriteElos(
  tx: Db,
  elos: { numbers: number[]; a: number[]; b: number[] },
  cleared: readonly number[],
): Promise<void> {
  for (const chunk of chunks(cleared)) await tx.run(CLEAR_ELOS, [chunk]);
  for (let at = 0; at < elos.numbers.length; at += CHUNK) {
    const part = (list: number[]) => list.slice(at, at + CHUNK);
    await tx.run(SET_ELOS, [part(elos.numbers), part(elos.a), part(elos.b)]);
  }
}

export async function rewriteStandings(tx: Db, standings: ReadonlyMap<string, Standing>): Promise<void> {
  await tx.run(CLEAR_STANDINGS, []);
  const rows = [...standings].map(([key, standing]) => ({ ...parseStandingKey(key), ...standing }));
  rows.sort((x, y) => x.agentId - y.agentId || (x.category < y.category ? -1 : 1));
  for (const chunk of chunks(rows)) {
    await tx.run(INSERT_STANDINGS, [
      chunk.map((row) => row.agentId),
      chunk.map((row) => row.category),
      chunk.map((row) => row.elo),
      chunk.map((row) => row.battles),
      chunk.map((row) => row.wins),
      chunk.map((row) => row.losses),
      chunk.map((row) => row.ties),
      chunk.map((row) => row.bothBad),
    ]);
  }
}

export async function recountBattles(tx: Db, battleIds: readonly number[]): Promise<void> {
  for (const chunk of chunks(battleIds)) await tx.run(RECOUNT_BATTLES, [chunk]);
  for (const chunk of chunks(battleIds)) {
    await tx.run(RECOUNT_ANSWERS, [chunk]);
    await tx.run(RECOUNT_MEETINGS, [chunk]);
  }
}

export async function findReopenable(db: Db, battleIds: readonly number[]): Promise<number[]> {
  return (await db.run<{ id: number }>(REOPENABLE, [battleIds])).map((row) => row.id);
}

/** Puts new battles in the place of some: judges see them as if they had never been decided. */
export async function reopenBattles(tx: Db, battleIds: readonly number[], now: number): Promise<void> {
  await tx.run(EXPIRE_LIVE, [battleIds]);
  await tx.run(REPLACE, [battleIds]);
  await tx.run(REOPEN, [battleIds, toTimestamp(now)]);
}

export async function listRulings(db: Db, page: { limit: number; offset: number }) {
  const votes = sql<number>`(select count(*) from ruling_votes v where v.ruling_id = ${rulings.id})::int`;
  const total = sql<number>`count(*) over ()::int`;
  const liftedBy = sql<number | null>`(
    select min(r.id)::int from rulings r where r.kind = 'release' and (r.choice->>'ruling_id')::int = rulings.id)`;
  return db.orm
    .select({ ruling: rulings, votes, liftedBy, total })
    .from(rulings)
    .orderBy(desc(rulings.id))
    .limit(page.limit)
    .offset(page.offset);
}

export async function loadNames(db: Db, agentIds: readonly number[]): Promise<Map<number, string>> {
  if (agentIds.length === 0) return new Map();
  const rows = await db.orm
    .select({ id: agents.id, name: agents.name })
    .from(agents)
    .where(inArray(agents.id, [...agentIds]));
  return new Map(rows.map((row) => [row.id, row.name]));
}

const CHUNK = 5_000;
function* chunks<Item>(list: readonly Item[]): Generator<Item[]> {
  for (let at = 0; at < list.length; at += CHUNK) yield list.slice(at, at + CHUNK);
}
