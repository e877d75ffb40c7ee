import type { Db, Statement } from "../db/database.ts";
import { COUNTS } from "./history-queries.ts";

export interface PromptTally {
  prompt_id: number;
  prompt: string;
  category: string;
  votes: number;
  decided: number;
  ties: number;
  both_bad: number;
  /** Decided votes on two agents whose published ratings differ, and those of them that the higher one won. */
  compared: number;
  as_rated: number;
  total: number;
}

/**
 * Closed prompts only: how often an open one separates agents would tell its judges what to expect. The latest votes are
 * looked at, not the whole log: everybody may ask, and 10,000 take 30 ms on the embedded database. The ratings are read
 * once and joined by a hash; looked up vote by vote they took most of the time. Index: votes by primary key.
 */
const tallies = (name: string, order: string): Statement => ({
  name,
  text: `
with rated as materialized (
  select agent_id, rating from ranking_items where category = ''
), latest as (
  select v.battle_id, v.outcome, v.agent_a, v.agent_b from votes v
  where v.number > (select value from counters where name = 'votes') - 10000 and ${COUNTS}
), judged as (
  select f.prompt_id, count(*)::int as votes,
    (count(*) filter (where v.outcome in ('a', 'b')))::int as decided,
    (count(*) filter (where v.outcome = 'tie'))::int as ties,
    (count(*) filter (where v.outcome = 'both_bad'))::int as both_bad,
    (count(*) filter (where v.outcome in ('a', 'b') and ra.rating <> rb.rating))::int as compared,
    (count(*) filter (where v.outcome = case when ra.rating > rb.rating then 'a' when ra.rating < rb.rating then 'b' end))::int as as_rated
  from latest v join battles f on f.id = v.battle_id
  left join rated ra on ra.agent_id = v.agent_a
  left join rated rb on rb.agent_id = v.agent_b
  group by f.prompt_id
)
select j.*, left(p.prompt, 200) as prompt, p.category, count(*) over ()::int as total
from judged j join prompts p on p.id = j.prompt_id
where p.closed_at is not null and j.votes >= $1 and ($2 = '' or p.category = $2)
order by ${order}, j.votes desc, j.prompt_id limit $3 offset $4`,
});
const BY_ORDER = {
  separates: tallies("prompt-tallies", "j.decided::float8 / j.votes desc"),
  ties: tallies("prompt-tallies-ties", "(j.ties + j.both_bad)::float8 / j.votes desc"),
};
export type TallyOrder = keyof typeof BY_ORDER;

export function loadPromptTallies(
  db: Db,
  choice: { order: TallyOrder; leastVotes: number; category: string },
  page: { limit: number; offset: number },
): Promise<PromptTally[]> {
  return db.run<PromptTally>(BY_ORDER[choice.order], [choice.leastVotes, choice.category, page.limit, page.offset]);
}
