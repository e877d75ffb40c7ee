import type { Db, Statement } from "../db/database.ts";

export interface ClosedPrompt {
  id: number;
  category: string;
  prompt: string;
  closed_at: number;
  answers: number;
  battles: number;
  votes: number;
}

/** Closed ones only: of the others nothing may be seen. `$1` is a category, `''` for all. Index: primary key. */
const FROM = `from prompts p where p.kind = 'main' and p.closed_at is not null and ($1 = '' or p.category = $1)`;
const COUNTS = `
p.id, p.category, p.prompt, (extract(epoch from p.closed_at) * 1000)::float8 as closed_at,
  (select count(*)::int from tasks t where t.prompt_id = p.id and t.kind = 'main' and t.state = 'completed' and t.hidden_at is null and not t.test) as answers,
  (select count(*)::int from battles b where b.prompt_id = p.id and b.decided_at is not null) as battles,
  (select coalesce(sum(b.votes), 0)::int from battles b where b.prompt_id = p.id and b.decided_at is not null) as votes`;
const PROMPTS: Statement = {
  name: "closed-prompts",
  text: `select ${COUNTS} ${FROM} order by p.closed_at desc, p.id desc limit $2 offset $3`,
};
const TOTAL: Statement = { name: "closed-prompts-total", text: `select count(*)::int as total ${FROM}` };
const PROMPT: Statement = { name: "closed-prompt", text: `select ${COUNTS} ${FROM} and p.id = $2` };

export async function listClosedPrompts(
  db: Db,
  category: string,
  page: { limit: number; offset: number },
): Promise<{ total: number; rows: ClosedPrompt[] }> {
  const [count] = await db.run<{ total: number }>(TOTAL, [category]);
  const rows = await db.run<ClosedPrompt>(PROMPTS, [category, page.limit, page.offset]);
  return { total: count?.total ?? 0, rows };
}

export async function findClosedPrompt(db: Db, id: number): Promise<ClosedPrompt | undefined> {
  const [row] = await db.run<ClosedPrompt>(PROMPT, ["", id]);
  return row;
}

export interface ClosedAnswer {
  id: number;
  agent_id: number;
  name: string;
  response: string | null;
  hidden: boolean;
  names_itself: boolean;
  check_right: boolean | null;
  latency_ms: number | null;
  answered_at: number;
}

/** What the operator has hidden stays hidden; that there was an answer does not. Index: `tasks_answers`. */
const ANSWERS: Statement = {
  name: "closed-answers",
  text: `
select t.id, t.agent_id, a.name, case when t.hidden_at is null then t.response end as response,
  t.hidden_at is not null as hidden, t.names_itself, t.check_right, t.latency_ms,
  (extract(epoch from t.finished_at) * 1000)::float8 as answered_at
from tasks t join agents a on a.id = t.agent_id and a.id = any(array(
  select agent_id from tasks where prompt_id = $1 and kind = 'main' and state = 'completed'))
where t.prompt_id = $1 and t.kind = 'main' and t.state = 'completed' and not t.test order by t.id limit 200`,
};

/** Valid answers to one prompt, which the caller has seen to be closed. */
export function listAnswers(db: Db, promptId: number): Promise<ClosedAnswer[]> {
  return db.run<ClosedAnswer>(ANSWERS, [promptId]);
}

export interface DecidedBattle {
  id: number;
  prompt_id: number;
  judged_by: "people" | "check";
  decided_at: number;
  answer_a: number;
  answer_b: number;
  agent_a: number;
  agent_b: number;
}

const DECIDED = `
select b.id, b.prompt_id, b.judged_by, (extract(epoch from b.decided_at) * 1000)::float8 as decided_at,
  b.answer_a, b.answer_b, b.agent_a, b.agent_b
from battles b join prompts p on p.id = b.prompt_id and p.closed_at is not null
where b.decided_at is not null`;
const BATTLE: Statement = { name: "decided-battle", text: `${DECIDED} and b.id = $1` };
/** Index: `battles_prompt`. */
const OF_PROMPT: Statement = {
  name: "decided-battles-of-prompt",
  text: `${DECIDED} and b.prompt_id = $1 order by b.id limit 500`,
};

export async function findBattle(db: Db, id: number): Promise<DecidedBattle | undefined> {
  const [row] = await db.run<DecidedBattle>(BATTLE, [id]);
  return row;
}

export function listBattlesOf(db: Db, promptId: number): Promise<DecidedBattle[]> {
  return db.run<DecidedBattle>(OF_PROMPT, [promptId]);
}

export interface BattleVote {
  number: number;
  battle_id: number;
  judge_kind: "account" | "check" | "anonymous" | "model";
  outcome: "a" | "b" | "tie" | "both_bad";
  counted: boolean;
  day: string;
}

/** By day only: the hour of a vote could tell who was at the keyboard. Index: `votes_once`. */
const VOTES: Statement = {
  name: "votes-of-battles",
  text: `
select number, battle_id, judge_kind, outcome, counted, to_char(cast_at at time zone 'UTC', 'YYYY-MM-DD') as day
from votes where battle_id = any($1::bigint[]) order by number`,
};

export function listVotes(db: Db, battleIds: readonly number[]): Promise<BattleVote[]> {
  return db.run<BattleVote>(VOTES, [battleIds]);
}
