import { toTimestamp } from "../db/clock.ts";
import { type Db, lookedUpByKey, type Statement } from "../db/database.ts";

/** An answer that no pass has taken up, with what it is judged by. */
export interface UnjudgedAnswer {
  id: number;
  agent_id: number;
  account_id: number;
  prompt_id: number;
  response: string;
  check: unknown;
  name: string;
  username: string;
  display_name: string | null;
  owner_handle: string;
  model_claimed: string | null;
}

/** What a pass found out about an answer. */
export interface Finding {
  /** Null when its prompt has no check. */
  checkRight: boolean | null;
  namesItself: boolean;
}

/**
 * The oldest answers that no pass has taken up, as many as have `$2` bytes together, but one at least: they are all read
 * into memory and looked through letter by letter. Index: `tasks_unjudged`. No lock; `MARK` sorts out who was first.
 */
const UNJUDGED: Statement = {
  name: "unjudged-answers",
  text: `
with sized as (
  select id, sum(octet_length(response)) over (order by id) - octet_length(response) as bytes_before
  from (
    select id, response from tasks
    where state = 'completed' and kind = 'main' and not test and judged_at is null order by id limit $1
  ) waiting
)
select t.id, t.agent_id, t.prompt_id, t.response, a.account_id, p.check,
  a.name, a.owner_handle, a.model_claimed, o.username, o.display_name
from sized s join tasks t on t.id = s.id join agents a on a.id = t.agent_id join accounts o on o.id = a.account_id
join prompts p on p.id = t.prompt_id
where s.bytes_before < $2 and ${lookedUpByKey("s.id")} order by t.id`,
};
/**
 * Notes findings. An answer to an open prompt that has answers before judges becomes votable with that, in one version of
 * its row; only what begins a prompt's life is left to `MAKE_VOTABLE`. Index: `tasks_partners`, tasks by primary key.
 */
const MARK: Statement = {
  name: "mark-judged",
  text: `
update tasks t set judged_at = $1, check_right = i.check_right, names_itself = i.names_itself,
  votable = i.is_open and t.hidden_at is null
    and (select true from tasks v where v.prompt_id = t.prompt_id and v.votable limit 1) is not null
from unnest($2::bigint[], $3::boolean[], $4::boolean[], $5::boolean[]) as i(id, check_right, names_itself, is_open)
where ${lookedUpByKey("i.id")} and t.id = i.id and t.judged_at is null
returning t.id, t.votable, t.hidden_at is not null as hidden`,
};
const LOCK_OPEN: Statement = {
  name: "lock-open-prompts",
  text: `select id, category from prompts where id = any($1::int[]) and closed_at is null order by id for no key update`,
};
const COUNT: Statement = {
  name: "count-answers",
  text: `
update prompts p set answers = p.answers + i.more, opened_at = coalesce(p.opened_at, $1)
from unnest($2::int[], $3::int[]) as i(id, more) where ${lookedUpByKey("i.id")} and p.id = i.id`,
};
/**
 * Makes new answers to open prompts votable, and with the first answer of a second account those that waited for it.
 * The answers that wait at a prompt are of one account, so one of them speaks for all: were they read each time, a
 * prompt that one owner's many agents answer would cost more with each of them.
 * Indexes: `tasks_partners`, `tasks_answers`, tasks by primary key.
 */
const MAKE_VOTABLE: Statement = {
  name: "make-votable",
  text: `
with fresh as (
  select t.id, t.prompt_id, a.account_id, (select true from tasks v where v.prompt_id = t.prompt_id and v.votable limit 1) as paired, (
    select (select account_id from agents where id = o.agent_id) from tasks o
    where o.prompt_id = t.prompt_id and o.kind = 'main' and o.state = 'completed' and not o.test
      and o.judged_at is not null and o.hidden_at is null limit 1
  ) as waiting_account
  from tasks t cross join lateral (select account_id from agents where id = t.agent_id offset 0) a
  where t.id = any($1::bigint[]) and t.hidden_at is null
), ready as (
  select t.id from tasks t
  where t.prompt_id = any(array(select distinct prompt_id from fresh where paired is null and account_id <> waiting_account))
    and t.kind = 'main' and t.state = 'completed' and not t.test and t.judged_at is not null and t.hidden_at is null
  union
  select id from fresh where paired
)
update tasks t set votable = true where t.id = any(array(select id from ready))`,
};

export function loadUnjudged(db: Db, most: { answers: number; bytes: number }): Promise<UnjudgedAnswer[]> {
  return db.run<UnjudgedAnswer>(UNJUDGED, [most.answers, most.bytes]);
}

/** Notes findings on answers that nobody has taken up since; returns these without hidden ones, and which are votable. */
export async function markJudged(
  tx: Db,
  findings: readonly (Finding & { answerId: number; isOpen: boolean })[],
  now: number,
): Promise<ReadonlyMap<number, { votable: boolean }>> {
  const rows = await tx.run<{ id: number; votable: boolean; hidden: boolean }>(MARK, [
    toTimestamp(now),
    findings.map((finding) => finding.answerId),
    findings.map((finding) => finding.checkRight),
    findings.map((finding) => finding.namesItself),
    findings.map((finding) => finding.isOpen),
  ]);
  return new Map(rows.filter((row) => !row.hidden).map((row) => [row.id, row]));
}

/** The open ones of some prompts with their categories, locked so that none closes meanwhile. */
export async function lockOpenPrompts(tx: Db, promptIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await tx.run<{ id: number; category: string }>(LOCK_OPEN, [[...new Set(promptIds)]]);
  return new Map(rows.map((row) => [row.id, row.category]));
}

/** Adds to the counts of valid answers; the first one opens its prompt. */
export async function countAnswers(tx: Db, more: ReadonlyMap<number, number>, now: number): Promise<void> {
  await tx.run(COUNT, [toTimestamp(now), [...more.keys()], [...more.values()]]);
}

export async function makeVotable(tx: Db, newAnswerIds: readonly number[]): Promise<void> {
  if (newAnswerIds.length === 0) return;
  await tx.run(MAKE_VOTABLE, [newAnswerIds]);
}
