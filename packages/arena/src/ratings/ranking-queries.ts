import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";
import type { CategoryRanking, Tally } from "./ranking-book.ts";

/** Any number that no other lock of ours by two numbers uses. */
const RANKING_LOCK = 4_600_003;

const LOCK: Statement = {
  name: "try-ranking-lock",
  text: `select pg_try_advisory_xact_lock($1::int, 0) as held`,
};
/** By primary keys, but for the agents that are not on the board, which are few. */
const STATE: Statement = {
  name: "ranking-state",
  text: `
select c.value as position, (select coalesce(max(id), 0) from rulings) as ruling_id,
  r.position as covered_position, r.ruling_id as covered_ruling_id,
  (select value from facts where name = 'ranking-hidden') as covered_hidden,
  array(
    select id from agents
    where deactivated_at is not null or suspended_at is not null or banned_at is not null order by id
  ) as hidden
from counters c left join rankings r on r.category = '' where c.name = 'votes'`,
};
/** A stretch of the log by what its votes say. Index: votes by primary key. 20,000 votes take some 15 ms. */
const TALLIES: Statement = {
  name: "ranking-tallies",
  text: `
select category, agent_a, agent_b, outcome, count(*)::int as votes from votes
where number > $1 and number <= $2 and counted and ruling_id is null and agent_a <> agent_b
group by category, agent_a, agent_b, outcome`,
};
const SAVE: Statement = {
  name: "save-ranking",
  text: `
insert into rankings
  (category, position, ruling_id, fitted_at, fit_ms, battles, both_bad, components, log_likelihood, problem)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, null)
on conflict (category) do update set position = excluded.position, ruling_id = excluded.ruling_id,
  fitted_at = excluded.fitted_at, fit_ms = excluded.fit_ms, battles = excluded.battles, both_bad = excluded.both_bad,
  components = excluded.components, log_likelihood = excluded.log_likelihood, problem = null`,
};
const SAVE_PROBLEM: Statement = {
  name: "save-ranking-problem",
  text: `
insert into rankings
  (category, position, ruling_id, fitted_at, fit_ms, battles, both_bad, components, log_likelihood, problem)
values ($1, 0, 0, $2, $3, 0, 0, 0, 0, $4)
on conflict (category) do update set problem = excluded.problem`,
};
const CLEAR_ITEMS: Statement = { name: "clear-ranking", text: `delete from ranking_items where category = $1` };
const SAVE_ITEMS: Statement = {
  name: "save-ranking-items",
  text: `
insert into ranking_items (category, agent_id, rating, se, ci_low, ci_high, rank_low, rank_high, component)
select $1, * from unnest($2::int[], $3::float8[], $4::float8[], $5::float8[], $6::float8[], $7::int[], $8::int[], $9::int[])`,
};
/** Categories in which nothing changed are as good as made anew. */
const MOVE_ON: Statement = {
  name: "move-rankings-on",
  text: `update rankings set position = $1, ruling_id = $2 where problem is null`,
};
const DROP_OTHERS: Statement = {
  name: "drop-rankings",
  text: `delete from rankings where not (category = any($1::text[]))`,
};
const DROP_OTHER_ITEMS: Statement = {
  name: "drop-ranking-items",
  text: `delete from ranking_items where not (category = any($1::text[]))`,
};
const SAVE_HIDDEN: Statement = {
  name: "save-ranking-hidden",
  text: `
insert into facts (name, value) values ('ranking-hidden', $1) on conflict (name) do update set value = excluded.value`,
};

/** Where the log stands and how far the published rankings go; covered ones are null before the first. */
export interface RankingState {
  position: number;
  ruling_id: number;
  covered_position: number | null;
  covered_ruling_id: number | null;
  covered_hidden: string | null;
  /** Agents that hold no rank. */
  hidden: number[];
}

/** Takes the right to publish for the rest of the transaction. @returns false when another node has it */
export async function tryRankingLock(tx: Db): Promise<boolean> {
  const [row] = await tx.run<{ held: boolean }>(LOCK, [RANKING_LOCK]);
  return row?.held === true;
}

export async function loadRankingState(db: Db): Promise<RankingState> {
  const [row] = await db.run<RankingState>(STATE, []);
  if (row === undefined) throw new Error("the vote counter's row is missing from the table counters");
  return row;
}

export function loadTallies(db: Db, after: number, until: number): Promise<Tally[]> {
  return db.run<Tally>(TALLIES, [after, until]);
}

export interface RankingCover {
  position: number;
  rulingId: number;
  hidden: string;
  now: number;
}

/** Publishes rankings; `isWhole` says that there are no others. One that has a problem leaves the one before it. */
export async function saveRankings(
  tx: Db,
  rankings: readonly CategoryRanking[],
  cover: RankingCover,
  isWhole: boolean,
): Promise<void> {
  const now = toTimestamp(cover.now);
  for (const ranking of rankings) {
    const { category, fitMs, battles, bothBad, components, logLikelihood, problem, agents } = ranking;
    if (problem !== null) {
      await tx.run(SAVE_PROBLEM, [category, now, fitMs, problem]);
      continue;
    }
    const { position, rulingId } = cover;
    await tx.run(SAVE, [category, position, rulingId, now, fitMs, battles, bothBad, components, logLikelihood]);
    await tx.run(CLEAR_ITEMS, [category]);
    await tx.run(SAVE_ITEMS, [
      category,
      agents.map((agent) => agent.agentId),
      agents.map((agent) => agent.rating),
      agents.map((agent) => agent.se),
      agents.map((agent) => agent.ciLow),
      agents.map((agent) => agent.ciHigh),
      agents.map((agent) => agent.rankLow),
      agents.map((agent) => agent.rankHigh),
      agents.map((agent) => agent.component),
    ]);
  }
  if (isWhole) {
    const kept = rankings.map((ranking) => ranking.category);
    await tx.run(DROP_OTHERS, [kept]);
    await tx.run(DROP_OTHER_ITEMS, [kept]);
  }
  await tx.run(MOVE_ON, [cover.position, cover.rulingId]);
  await tx.run(SAVE_HIDDEN, [cover.hidden]);
}
