import type { Db } from "../db/database.ts";
import type { Outcome } from "../ratings/elo.ts";
import { type CheckedAnswer, followAnswers, insertCheckBattles, loadUnfollowed } from "./check-battle-queries.ts";
import { appendVotes, type NewVote } from "./vote-log.ts";

export interface CheckRound {
  lastNumber: number;
  /** Whether a check is a judge whose votes count. */
  counted: boolean;
  categories: ReadonlyMap<number, string>;
  now: Date;
}

/**
 * Pairs each newly checked answer with the latest earlier one of another account that has no follower yet. Two agents
 * of one account never meet: an owner could otherwise feed one agent to the other.
 */
export async function fightByCheck(tx: Db, round: CheckRound, checked: readonly CheckedAnswer[]): Promise<void> {
  const isNew = new Set(checked.map((answer) => answer.id));
  const waiting = new Map<number, CheckedAnswer[]>();
  const promptIds = [...new Set(checked.map((answer) => answer.prompt_id))];
  for (const answer of await loadUnfollowed(tx, promptIds)) {
    if (isNew.has(answer.id)) continue;
    waiting.set(answer.prompt_id, [...(waiting.get(answer.prompt_id) ?? []), answer]);
  }
  const followed: number[] = [];
  const pairs: { a: CheckedAnswer; b: CheckedAnswer }[] = [];
  for (const answer of checked) {
    const line = waiting.get(answer.prompt_id) ?? [];
    const before = line.findLast((each) => each.account_id !== answer.account_id);
    waiting.set(answer.prompt_id, [...line.filter((each) => each !== before), answer]);
    if (before === undefined) continue;
    followed.push(before.id);
    pairs.push(before.id < answer.id ? { a: before, b: answer } : { a: answer, b: before });
  }
  if (pairs.length === 0) return;

  await followAnswers(tx, followed);
  const battleIds = await insertCheckBattles(tx, pairs, round);
  const votes = pairs.map(({ a, b }, index): NewVote => {
    return {
      battleId: battleIds[index] as number,
      judgeKind: "check",
      judgeId: "check",
      outcome: outcomeOfChecks(a.check_right, b.check_right),
      agentA: a.agent_id,
      agentB: b.agent_id,
      category: round.categories.get(a.prompt_id) as string,
      counted: round.counted,
    };
  });
  await appendVotes(tx, round.lastNumber, votes, round.now);
}

/** What a check's findings on two answers come to. */
export function outcomeOfChecks(aRight: boolean, bRight: boolean): Outcome {
  if (aRight === bRight) return aRight ? "tie" : "both_bad";
  return aRight ? "a" : "b";
}
