import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";
import type { Judge } from "./judges.ts";

export type PresentationState = "live" | "voted" | "skipped" | "expired";

/** A battle as it stands before the judge who is about to vote. A and B are the battle's own, not the screen's. */
export interface Ballot {
  state: PresentationState;
  expires_at: number;
  flipped: boolean;
  battle_id: number;
  category: string;
  closed: boolean;
  answer_a: number;
  answer_b: number;
  agent_a: number;
  agent_b: number;
  name_a: string;
  name_b: string;
  model_a: string | null;
  model_b: string | null;
  elo_a: number | null;
  elo_b: number | null;
  names_itself: boolean;
  hidden: boolean;
  /** The operator has put this judge's votes aside. */
  quarantined: boolean;
}

const TIME = `(extract(epoch from p.expires_at) * 1000)::float8 as expires_at`;

/** Whether and how far a judge is done with a presentation; nothing when it is not theirs. By primary key, no lock. */
const FIND: Statement = {
  name: "find-presentation",
  text: `select p.state, ${TIME} from presentations p where p.id = $1 and p.judge_kind = $2 and p.judge_id = $3`,
};
/**
 * All by primary keys. Locks: the presentation and its battle, the latter in a way that lets presentations refer to it.
 * Asked after the vote counter is taken, so that what it reads of ratings is what the votes before this one left.
 */
const LOCK_BALLOT: Statement = {
  name: "lock-ballot",
  text: `
select p.state, ${TIME}, p.flipped, f.id as battle_id, q.category, q.closed_at is not null as closed,
  f.answer_a, f.answer_b, f.agent_a, f.agent_b, aa.name as name_a, ab.name as name_b,
  aa.model_claimed as model_a, ab.model_claimed as model_b,
  (select elo from standings where agent_id = f.agent_a and category = '') as elo_a,
  (select elo from standings where agent_id = f.agent_b and category = '') as elo_b,
  ta.names_itself or tb.names_itself as names_itself,
  ta.hidden_at is not null or tb.hidden_at is not null as hidden,
  exists (
    select from rulings q where q.kind = 'quarantine' and q.choice->'judge'->>'kind' = p.judge_kind
      and q.choice->'judge'->>'id' = p.judge_id
      and not exists (select from rulings r where r.kind = 'release' and (r.choice->>'ruling_id')::int = q.id)
  ) as quarantined
from presentations p join battles f on f.id = p.battle_id join prompts q on q.id = f.prompt_id
join tasks ta on ta.id = f.answer_a join tasks tb on tb.id = f.answer_b
join agents aa on aa.id = f.agent_a join agents ab on ab.id = f.agent_b
where p.id = $1 and p.judge_kind = $2 and p.judge_id = $3
for no key update of p, f`,
};
const SKIP: Statement = {
  name: "skip-presentation",
  text: `
update presentations set state = 'skipped'
where id = $1 and judge_kind = $2 and judge_id = $3 and state = 'live' and expires_at > $4 returning id`,
};
/** Locks: presentation and battle, which the ballot holds already, then the answers by id. */
const SETTLE: Statement = {
  name: "settle-vote",
  text: `
with ended as (
  update presentations set state = 'voted' where id = $1
), battle as (
  update battles set votes = votes + 1, decided_at = coalesce(decided_at, $4) where id = $2 and $3
  returning answer_a, answer_b, agent_a, agent_b
), meeting as (
  insert into meetings (agent_a, agent_b, shown, votes)
  select least(agent_a, agent_b), greatest(agent_a, agent_b), 0, 1 from battle
  on conflict (agent_a, agent_b) do update set votes = meetings.votes + 1
), answers as (
  select t.id from battle f join tasks t on t.id in (f.answer_a, f.answer_b) order by t.id for no key update of t
)
update tasks t set votes = t.votes + 1 from answers where t.id = answers.id`,
};

export async function findPresentation(
  db: Db,
  id: string,
  judge: Judge,
): Promise<Pick<Ballot, "state" | "expires_at"> | undefined> {
  const [row] = await db.run<Pick<Ballot, "state" | "expires_at">>(FIND, [id, judge.kind, judge.id]);
  return row;
}

export async function lockBallot(tx: Db, id: string, judge: Judge): Promise<Ballot | undefined> {
  const [row] = await tx.run<Ballot>(LOCK_BALLOT, [id, judge.kind, judge.id]);
  return row;
}

/** @returns false when it was not the judge's, not live any more, or overdue */
export async function skipPresentation(db: Db, id: string, judge: Judge, now: number): Promise<boolean> {
  return (await db.run(SKIP, [id, judge.kind, judge.id, toTimestamp(now)])).length > 0;
}

/** Ends a presentation by its vote. One that counts is added to its battle and both answers; the first decides the battle. */
export async function settleVote(
  tx: Db,
  vote: { presentationId: string; battleId: number; counted: boolean; now: number },
): Promise<void> {
  await tx.run(SETTLE, [vote.presentationId, vote.battleId, vote.counted, toTimestamp(vote.now)]);
}
