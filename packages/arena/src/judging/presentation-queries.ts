import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";
import type { Judge } from "./judges.ts";
import type { Pair } from "./pair-queries.ts";

/** What a judge sees, left and right as on their screen. */
export interface Showing {
  id: string;
  prompt: string;
  category: string;
  response_a: string;
  response_b: string;
  expires_at: number;
}

/** Any number that no other lock of ours by two numbers uses. */
const JUDGE_LOCK = 4_600_002;
const ROWS = 500;

const LOCK_JUDGE: Statement = { name: "lock-judge", text: `select pg_advisory_xact_lock($1::int, hashtext($2))` };
/** Index: `presentations_expiry`. Locks: the overdue ones that no vote holds at this moment. */
const EXPIRE: Statement = {
  name: "expire-presentations",
  text: `
update presentations p set state = 'expired'
from (
  select id from presentations where state = 'live' and expires_at <= $1 order by expires_at limit ${ROWS}
  for update skip locked
) due
where p.id = due.id returning p.id`,
};
/** Index: `presentations_judge`. */
const HELD: Statement = {
  name: "held-presentations",
  text: `
select id from presentations
where judge_kind = $1 and judge_id = $2 and state = 'live' and expires_at > $3 order by created_at, id`,
};
/**
 * Refuses a prompt that has closed. Its row is held until the presentation is in, in a way that lets answers be counted
 * but no one close it; who closes looks for live presentations once it has the row.
 */
const HOLD_PROMPT: Statement = {
  name: "hold-open-prompt",
  text: `select id from prompts where id = $1 and closed_at is null for key share`,
};
/** Nothing when another judge was shown the pair first in this moment. Index: `battles_pair`. */
const START_BATTLE: Statement = {
  name: "start-battle",
  text: `
insert into battles (prompt_id, answer_a, answer_b, agent_a, agent_b, judged_by, created_at)
values ($1, $2, $3, $4, $5, 'people', $6)
on conflict (answer_a, answer_b, judged_by) where not replaced do nothing returning id`,
};
/** Nothing when the battle is before another judge. Index: `presentations_live`. */
const SHOW: Statement = {
  name: "show-battle",
  text: `
insert into presentations
  (id, battle_id, judge_kind, judge_id, answer_a, answer_b, flipped, state, created_at, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, 'live', $8, $9)
on conflict (battle_id) where state = 'live' do nothing returning id`,
};
/** Locks the pair's row to the end: two judges who are shown the same two agents in one moment go one after the other. */
const MEET: Statement = {
  name: "count-showing",
  text: `
insert into meetings (agent_a, agent_b, shown, votes) values (least($1::int, $2::int), greatest($1::int, $2::int), 1, 0)
on conflict (agent_a, agent_b) do update set shown = meetings.shown + 1`,
};
const SHOWING: Statement = {
  name: "load-showing",
  text: `
select p.id, q.prompt, q.category, (extract(epoch from p.expires_at) * 1000)::float8 as expires_at,
  case when p.flipped then b.response else a.response end as response_a,
  case when p.flipped then a.response else b.response end as response_b
from presentations p
join battles f on f.id = p.battle_id join prompts q on q.id = f.prompt_id
join tasks a on a.id = p.answer_a join tasks b on b.id = p.answer_b
where p.id = $1`,
};

/** Lets one call of a judge at a time, on any node, decide what they see next. */
export async function lockJudge(tx: Db, judge: Judge): Promise<void> {
  await tx.run(LOCK_JUDGE, [JUDGE_LOCK, `${judge.kind} ${judge.id}`]);
}

/** Frees the battles whose time before a judge is over. Returns how many, at most 500. */
export async function expirePresentations(db: Db, now: number): Promise<number> {
  return (await db.run(EXPIRE, [toTimestamp(now)])).length;
}

/** The presentations that a judge has before them, oldest first. */
export async function listHeld(tx: Db, judge: Judge, now: number): Promise<string[]> {
  const rows = await tx.run<{ id: string }>(HELD, [judge.kind, judge.id, toTimestamp(now)]);
  return rows.map((row) => row.id);
}

/** Shows a pair to a judge. @returns false when it is before another judge by now, or its prompt has closed */
export async function showPair(
  tx: Db,
  judge: Judge,
  pair: Pair,
  as: { id: string; flipped: boolean; now: number; expiresAt: number },
): Promise<boolean> {
  const [prompt] = await tx.run(HOLD_PROMPT, [pair.prompt_id]);
  if (prompt === undefined) return false;
  const first = { answer: pair.first_id, agent: pair.first_agent };
  const second = { answer: pair.second_id, agent: pair.second_agent };
  const [a, b] = first.answer < second.answer ? [first, second] : [second, first];
  const now = toTimestamp(as.now);
  let battleId = pair.battle_id;
  if (battleId === null) {
    const params = [pair.prompt_id, a.answer, b.answer, a.agent, b.agent, now];
    battleId = (await tx.run<{ id: number }>(START_BATTLE, params))[0]?.id ?? null;
  }
  if (battleId === null) return false;
  const shown = await tx.run(SHOW, [
    as.id,
    battleId,
    judge.kind,
    judge.id,
    a.answer,
    b.answer,
    as.flipped,
    now,
    toTimestamp(as.expiresAt),
  ]);
  if (shown.length === 0) return false;
  await tx.run(MEET, [a.agent, b.agent]);
  return true;
}

export async function loadShowing(db: Db, presentationId: string): Promise<Showing> {
  const [row] = await db.run<Showing>(SHOWING, [presentationId]);
  if (row === undefined) throw new Error(`presentation ${presentationId} is gone`);
  return row;
}
