import { inArray, sql } from "drizzle-orm";
import { toTimestamp } from "../db/clock.ts";
import type { Database, Db, Statement } from "../db/database.ts";
import { battles, prompts } from "../db/schema.ts";
import type { Clock } from "../ports.ts";
import type { Outcome } from "../ratings/elo.ts";
import { type Check, evaluateCheck } from "./checks.ts";
import { appendVotes, type JudgeKind, lockVoteCounter, type NewVote } from "./vote-log.ts";

const ANSWERS_PER_PASS = 500;

const UNJUDGED: Statement = {
  name: "unjudged-answers",
  text: `
select t.id, t.agent_id, t.prompt_id, a.account_id, case when p.check is not null then t.response end as response
from tasks t join agents a on a.id = t.agent_id join prompts p on p.id = t.prompt_id
where t.state = 'completed' and t.kind = 'main' and not t.test and t.judged_at is null
order by t.id limit ${ANSWERS_PER_PASS} for update of t skip locked`,
};
const WAITING: Statement = {
  name: "answers-waiting",
  text: `select exists (select from tasks
where state = 'completed' and kind = 'main' and not test and judged_at is null) as waiting`,
};
const MARK: Statement = {
  name: "mark-judged",
  text: `
update tasks t set judged_at = $1, check_right = i.check_right
from unnest($2::bigint[], $3::boolean[]) as i(id, check_right) where t.id = i.id`,
};
const COUNT_ANSWERS: Statement = {
  name: "count-answers",
  text: `
update prompts p set answers = p.answers + i.more, opened_at = coalesce(p.opened_at, $1)
from unnest($2::int[], $3::int[]) as i(id, more) where p.id = i.id`,
};
/** The latest judged answers to some prompts that no later one has been compared with. Index: `tasks_answers`. */
const UNFOLLOWED: Statement = {
  name: "unfollowed-answers",
  text: `
select t.id, t.agent_id, t.prompt_id, a.account_id, t.check_right
from tasks t join agents a on a.id = t.agent_id
where t.prompt_id = any($1::int[]) and t.kind = 'main' and t.state = 'completed'
  and t.judged_at is not null and t.check_right is not null and not t.check_followed
order by t.id`,
};
const FOLLOW: Statement = {
  name: "follow-answers",
  text: `update tasks set check_followed = true where id = any($1::bigint[])`,
};

interface Answer {
  id: number;
  agent_id: number;
  prompt_id: number;
  account_id: number;
}
type Checked = Answer & { check_right: boolean };

export interface JudgingOptions {
  db: Database;
  clock: Clock;
  ratingJudges: readonly JudgeKind[];
  /** Told how many valid answers each prompt got, after the pass is committed. */
  onCounted: (promptId: number, answers: number) => void;
}

/**
 * Takes up answers that no pass has seen: counts them, opens their prompts, and where a prompt has a check lets it judge
 * each answer against the one before it (so that an answer is in at most two battles). Idempotent: what it has done is
 * marked in the same transaction. Answers to a prompt that closed meanwhile are marked and never judged.
 *
 * @returns whether there may be more at once
 */
export async function judgingStep(options: JudgingOptions): Promise<boolean> {
  // Asked first, because the pass itself begins with the lock that all voting waits for.
  const [look] = await options.db.run<{ waiting: boolean }>(WAITING, []);
  if (look?.waiting !== true) return false;
  const counts = await options.db.transaction((tx) => judgeAnswers(tx, options));
  for (const [promptId, answers] of counts.byPrompt) options.onCounted(promptId, answers);
  return counts.taken === ANSWERS_PER_PASS;
}

async function judgeAnswers(tx: Db, options: JudgingOptions) {
  const now = options.clock.now();
  const lastNumber = await lockVoteCounter(tx);
  const taken = await tx.run<Answer & { response: string | null }>(UNJUDGED, []);
  const byPrompt = new Map<number, number>();
  if (taken.length === 0) return { byPrompt, taken: 0 };

  const open = await lockPrompts(tx, taken);
  const right = taken.map((answer) => {
    const prompt = open.get(answer.prompt_id);
    if (prompt?.check == null || answer.response === null) return null;
    return evaluateCheck(prompt.check as Check, answer.response).right;
  });
  await tx.run(MARK, [toTimestamp(now), taken.map((answer) => answer.id), right]);
  for (const { prompt_id } of taken)
    if (open.has(prompt_id)) byPrompt.set(prompt_id, (byPrompt.get(prompt_id) ?? 0) + 1);
  await tx.run(COUNT_ANSWERS, [toTimestamp(now), [...byPrompt.keys()], [...byPrompt.values()]]);

  const checked = taken.flatMap((answer, index): Checked[] => {
    const check_right = right[index];
    return typeof check_right === "boolean" ? [{ ...answer, check_right }] : [];
  });
  if (checked.length > 0) await fightByCheck(tx, options, lastNumber, checked, open, new Date(now));
  return { byPrompt, taken: taken.length };
}

/** The open prompts of some answers, locked so that none closes while it is judged. */
async function lockPrompts(tx: Db, answers: readonly Answer[]) {
  const ids = [...new Set(answers.map((answer) => answer.prompt_id))].sort((a, b) => a - b);
  const rows = await tx.orm
    .select({ id: prompts.id, category: prompts.category, check: prompts.check })
    .from(prompts)
    .where(sql`${inArray(prompts.id, ids)} and ${prompts.closedAt} is null`)
    .orderBy(prompts.id)
    .for("no key update");
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Pairs each newly checked answer with the latest earlier one of another account that has no follower yet. Two agents
 * of one account never meet: an owner could otherwise feed one agent to the other.
 */
async function fightByCheck(
  tx: Db,
  options: JudgingOptions,
  lastNumber: number,
  checked: readonly Checked[],
  open: ReadonlyMap<number, { category: string }>,
  now: Date,
) {
  const isNew = new Set(checked.map((answer) => answer.id));
  const waiting = new Map<number, Checked[]>();
  for (const answer of await tx.run<Checked>(UNFOLLOWED, [[...new Set(checked.map((each) => each.prompt_id))]])) {
    if (isNew.has(answer.id)) continue;
    waiting.set(answer.prompt_id, [...(waiting.get(answer.prompt_id) ?? []), answer]);
  }
  const pairs: { a: Checked; b: Checked }[] = [];
  for (const answer of checked) {
    const line = waiting.get(answer.prompt_id) ?? [];
    const before = line.findLast((each) => each.account_id !== answer.account_id);
    if (before !== undefined) pairs.push({ a: before, b: answer });
    waiting.set(answer.prompt_id, [...line.filter((each) => each !== before), answer]);
  }
  if (pairs.length === 0) return;

  const counted = options.ratingJudges.includes("check");
  await tx.run(FOLLOW, [pairs.map((pair) => pair.a.id)]);
  const made = await tx.orm
    .insert(battles)
    .values(
      pairs.map(({ a, b }) => ({
        promptId: a.prompt_id,
        answerA: a.id,
        answerB: b.id,
        agentA: a.agent_id,
        agentB: b.agent_id,
        judgedBy: "check" as const,
        votes: counted ? 1 : 0,
        createdAt: now,
        decidedAt: counted ? now : null,
      })),
    )
    .returning({ id: battles.id });
  const votes = pairs.map(({ a, b }, index): NewVote => {
    return {
      battleId: (made[index] as { id: number }).id,
      judgeKind: "check",
      judgeId: "check",
      outcome: outcomeOf(a.check_right, b.check_right),
      agentA: a.agent_id,
      agentB: b.agent_id,
      category: (open.get(a.prompt_id) as { category: string }).category,
      counted,
    };
  });
  await appendVotes(tx, lastNumber, votes, now);
}

function outcomeOf(aRight: boolean, bRight: boolean): Outcome {
  if (aRight === bRight) return aRight ? "tie" : "both_bad";
  return aRight ? "a" : "b";
}
