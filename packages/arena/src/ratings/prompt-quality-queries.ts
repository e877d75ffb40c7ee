import type { Db, Statement } from "../db/database.ts";

export interface PromptQuality {
  prompt_id: number;
  prompt: string;
  category: string;
  votes: number;
  both_bad: number;
  total: number;
}

/** The latest votes are looked at, not the whole log: prompts that closed long ago cannot be mended. Index: primary key. */
const QUALITY: Statement = {
  name: "prompt-quality",
  text: `
with latest as (
  select battle_id, outcome from votes
  where number > (select value from counters where name = 'votes') - 50000 and counted and ruling_id is null
), judged as (
  select f.prompt_id, count(*)::int as votes, (count(*) filter (where v.outcome = 'both_bad'))::int as both_bad
  from latest v join battles f on f.id = v.battle_id group by f.prompt_id
)
select j.prompt_id, left(q.prompt, 200) as prompt, q.category, j.votes, j.both_bad, count(*) over ()::int as total
from judged j join prompts q on q.id = j.prompt_id where j.both_bad > 0
order by j.both_bad::float8 / j.votes desc, j.votes desc, j.prompt_id limit $1 offset $2`,
};

export function loadPromptQuality(db: Db, page: { limit: number; offset: number }): Promise<PromptQuality[]> {
  return db.run<PromptQuality>(QUALITY, [page.limit, page.offset]);
}
