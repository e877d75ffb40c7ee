import type { Db, Statement } from "../db/database.ts";
import { battles } from "../db/schema.ts";

/** An answer with what its prompt's check says of it. */
export interface CheckedAnswer {
  id: number;
  agent_id: number;
  prompt_id: number;
  account_id: number;
  check_right: boolean;
}

/** The latest visible answers to some prompts that no later one has been compared with. Index: `tasks_answers`. */
const UNFOLLOWED: Statement = {
  name: "unfollowed-answers",
  text: `
select t.id, t.agent_id, t.prompt_id, a.account_id, t.check_right
from tasks t join agents a on a.id = t.agent_id
where t.prompt_id = any($1::int[]) and t.kind = 'main' and t.state = 'completed'
  and t.judged_at is not null and t.check_right is not null and not t.check_followed and t.hidden_at is null
order by t.id`,
};
const FOLLOW: Statement = {
  name: "follow-answers",
  text: `update tasks set check_followed = true where id = any($1::bigint[])`,
};

export function loadUnfollowed(tx: Db, promptIds: readonly number[]): Promise<CheckedAnswer[]> {
  return tx.run<CheckedAnswer>(UNFOLLOWED, [promptIds]);
}

export async function followAnswers(tx: Db, answerIds: readonly number[]): Promise<void> {
  await tx.run(FOLLOW, [answerIds]);
}

/** Adds a battle for each pair, decided at once where the check counts; returns their ids in the order of the pairs. */
export async function insertCheckBattles(
  tx: Db,
  pairs: readonly { a: CheckedAnswer; b: CheckedAnswer; rejudges?: number }[],
  { counted, now }: { counted: boolean; now: Date },
): Promise<number[]> {
  const rows = await tx.orm
    .insert(battles)
    .values(
      pairs.map(({ a, b, rejudges }) => ({
        promptId: a.prompt_id,
        answerA: a.id,
        answerB: b.id,
        agentA: a.agent_id,
        agentB: b.agent_id,
        judgedBy: "check" as const,
        votes: counted ? 1 : 0,
        createdAt: now,
        decidedAt: counted ? now : null,
        rejudges,
      })),
    )
    .returning({ id: battles.id });
  return rows.map((row) => row.id);
}
