import type { Db, Statement } from "../db/database.ts";
import type { Judge } from "./judges.ts";

/** Two answers that may be shown to a judge. `first_id` and `second_id` are in no order. */
export interface Pair {
  prompt_id: number;
  first_id: number;
  first_agent: number;
  second_id: number;
  second_agent: number;
  /** Null when the two have never been shown together. */
  battle_id: number | null;
  /** Counted votes on this pair. */
  votes: number;
  /** Counted votes on its answers. */
  answer_votes: number;
  /** One of the answers names itself, so that a vote would not count. */
  names_itself: boolean;
}

/** What is known of the two agents of a pair. */
export interface Acquaintance {
  /** Counted votes on battles of these two, whatever the prompt. */
  votes: number;
  /** Their ratings' intervals overlap, or one has none yet, or no battle connects them: a vote would tell who is better. */
  is_undecided: boolean;
}

/** Answers looked at for a pair without votes. Beyond it there may be more such pairs, but the search has to end. */
const FRESH_ANSWERS = 128;
/** Partners of one answer, and pairs in all, to choose among: judges who come in one moment must not all reach for one. */
const FRESH_PARTNERS = 4;
const CHOICE = 64;

const SEEN = `
seen as materialized (
  select unnest(array[answer_a, answer_b]) as id from presentations where judge_kind = $1 and judge_id = $2
)`;

/** Partners for an answer `x`, best first: of another account, not seen, and not before a judge together with it now. */
const partners = (account: string, condition: string, order: string, limit: number) => `
  select t.id, t.agent_id, t.votes, t.names_itself, b.id as battle_id, coalesce(b.votes, 0) as pair_votes
  from tasks t join agents a on a.id = t.agent_id
  left join battles b
    on b.answer_a = least(t.id, x.id) and b.answer_b = greatest(t.id, x.id) and b.judged_by = 'people' and not b.replaced
  where t.votable and t.prompt_id = x.prompt_id and a.account_id <> ${account}
    and a.account_id is distinct from $3 and t.id not in (select id from seen) ${condition}
    and not exists (select from presentations p where p.battle_id = b.id and p.state = 'live')
    and not exists (
      select from meetings m where m.agent_a = least(t.agent_id, x.agent_id)
        and m.agent_b = greatest(t.agent_id, x.agent_id) and m.votes >= $4
    )
  order by ${order} t.id limit ${limit}`;

const COLUMNS = `
select x.prompt_id, x.id as first_id, x.agent_id as first_agent, y.id as second_id, y.agent_id as second_agent,
  y.battle_id, y.pair_votes as votes, x.votes + y.votes as answer_votes, x.names_itself or y.names_itself as names_itself`;

/**
 * Pairs without a counted vote. Nothing can be shown less, so the search ends with the first that it finds. An answer
 * with few votes has few partners that it has met, so it is found after a few steps, however many answers a prompt has.
 * Indexes: `tasks_votable`, `tasks_partners`, `battles_pair`, `presentations_live`, `presentations_judge`, meetings by
 * primary key. No locks.
 * Among 100,000 answers: 2 ms. Its inner order leaves `names_itself` out, or the outer one would be sorted again.
 */
const FRESH_PAIRS: Statement = {
  name: "fresh-pairs",
  text: `
with ${SEEN}
${COLUMNS}
from (
  select t.id, t.prompt_id, t.agent_id, t.votes, t.names_itself, a.account_id
  from tasks t join agents a on a.id = t.agent_id
  where t.votable and not t.names_itself and a.account_id is distinct from $3 and t.id not in (select id from seen)
  order by t.votes, t.id limit ${FRESH_ANSWERS}
) x
cross join lateral (${partners("x.account_id", "and not t.names_itself and coalesce(b.votes, 0) = 0", "t.votes,", FRESH_PARTNERS)}) y
order by x.votes, x.id limit ${CHOICE}`,
};

/**
 * For each answer with few votes its partner with the fewest votes on the pair; last those that name themselves, since
 * votes on them do not count. Each step reads all answers to a prompt, but the search gets here only where nearly all
 * pairs have a vote, and a prompt closes at a few votes for each answer. Indexes as above. No locks. Not written with
 * the answers as a query of their own: that would be sorted whole before the first step.
 */
const LEAST_PAIRS: Statement = {
  name: "least-pairs",
  text: `
with ${SEEN}
${COLUMNS}
from tasks x join agents o on o.id = x.agent_id
cross join lateral (${partners("o.account_id", "", "t.names_itself, coalesce(b.votes, 0), t.votes,", 1)}) y
where x.votable and o.account_id is distinct from $3 and x.id not in (select id from seen)
order by x.names_itself, x.votes, x.id limit ${CHOICE}`,
};

/** By primary keys. The pairs come as two arrays, the smaller id in the first. */
const ACQUAINTANCES: Statement = {
  name: "pair-acquaintances",
  text: `
select p.a, p.b, coalesce(m.votes, 0) as votes,
  coalesce(ra.component <> rb.component or (ra.ci_low < rb.ci_high and rb.ci_low < ra.ci_high), true) as is_undecided
from unnest($1::int[], $2::int[]) as p(a, b)
left join meetings m on m.agent_a = p.a and m.agent_b = p.b
left join ranking_items ra on ra.category = '' and ra.agent_id = p.a
left join ranking_items rb on rb.category = '' and rb.agent_id = p.b`,
};

/**
 * Pairs for a judge, the ones shown least; empty when there is nothing (more) for them.
 *
 * @param others were faster at the pairs without a vote: the last few of those are what everybody reaches for, while
 *   there is enough with one
 */
export async function findPairs(tx: Db, judge: Judge, pairVotesMax: number, others = false): Promise<Pair[]> {
  const params = [judge.kind, judge.id, judge.accountId ?? null, pairVotesMax === 0 ? NO_LIMIT : pairVotesMax];
  if (others) return tx.run<Pair>(LEAST_PAIRS, params);
  const fresh = await tx.run<Pair>(FRESH_PAIRS, params);
  return fresh.length > 0 ? fresh : tx.run<Pair>(LEAST_PAIRS, params);
}

const NO_LIMIT = 2_147_483_647;

/** What is known of the agents of some pairs. */
export async function loadAcquaintances(tx: Db, pairs: readonly Pair[]): Promise<(pair: Pair) => Acquaintance> {
  const keyOf = (a: number, b: number) => `${Math.min(a, b)} ${Math.max(a, b)}`;
  const ids = new Map(pairs.map(({ first_agent: a, second_agent: b }) => [keyOf(a, b), [a, b].sort((x, y) => x - y)]));
  const rows = await tx.run<Acquaintance & { a: number; b: number }>(ACQUAINTANCES, [
    [...ids.values()].map(([a]) => a),
    [...ids.values()].map(([, b]) => b),
  ]);
  const known = new Map(rows.map((row) => [keyOf(row.a, row.b), row]));
  return (pair) => known.get(keyOf(pair.first_agent, pair.second_agent)) as Acquaintance;
}
