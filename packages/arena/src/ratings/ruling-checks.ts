import type { Db, Statement } from "../db/database.ts";
import { insertCheckBattles } from "../judging/check-battle-queries.ts";
import { outcomeOfChecks } from "../judging/check-battles.ts";
import { type Check, evaluateCheck } from "../judging/checks.ts";
import { appendVotes, type JudgeKind, type NewVote } from "../judging/vote-log.ts";

interface CheckedSide {
  id: number;
  agent_id: number;
  account_id: number;
  prompt_id: number;
  check_right: boolean;
}

/** A battle that its prompt's check decides again, as the check is now. */
export interface Recheck {
  battleId: number;
  category: string;
  a: CheckedSide;
  b: CheckedSide;
}

interface BattleRow {
  battle_id: number;
  prompt_id: number;
  category: string;
  check: unknown;
  answer_a: number;
  answer_b: number;
  agent_a: number;
  agent_b: number;
  account_a: number;
  account_b: number;
  response_a: string;
  response_b: string;
}

/** All by primary keys. */
const CHECK_BATTLES: Statement = {
  name: "rejudged-check-battles",
  text: `
select f.id as battle_id, f.prompt_id, q.category, q.check, f.answer_a, f.answer_b, f.agent_a, f.agent_b,
  aa.account_id as account_a, ab.account_id as account_b, ta.response as response_a, tb.response as response_b
from battles f join prompts q on q.id = f.prompt_id
join tasks ta on ta.id = f.answer_a join tasks tb on tb.id = f.answer_b
join agents aa on aa.id = f.agent_a join agents ab on ab.id = f.agent_b
where f.id = any($1::bigint[]) and f.judged_by = 'check' and not f.replaced and q.check is not null
  and ta.hidden_at is null and tb.hidden_at is null order by f.id`,
};
const REPLACE: Statement = {
  name: "replace-check-battles",
  text: `update battles set replaced = true where id = any($1::bigint[])`,
};
const SET_RIGHT: Statement = {
  name: "set-check-right",
  text: `
update tasks t set check_right = i.check_right from unnest($1::bigint[], $2::boolean[]) as i(id, check_right)
where t.id = i.id and t.id = any($1::bigint[])`,
};
/** Answers are read into memory a few at a time. */
const PER_READ = 50;

/** Asks the checks of some battles again. Battles that cannot be decided now are left out: they stay without a verdict. */
export async function recheck(db: Db, battleIds: readonly number[]): Promise<Recheck[]> {
  const rechecks: Recheck[] = [];
  for (let at = 0; at < battleIds.length; at += PER_READ) {
    for (const row of await db.run<BattleRow>(CHECK_BATTLES, [battleIds.slice(at, at + PER_READ)])) {
      const check = row.check as Check;
      const [rightA, rightB] = [evaluateCheck(check, row.response_a).right, evaluateCheck(check, row.response_b).right];
      if (rightA === null || rightB === null) continue;
      const { prompt_id, category } = row;
      const a = { id: row.answer_a, agent_id: row.agent_a, account_id: row.account_a, prompt_id, check_right: rightA };
      const b = { id: row.answer_b, agent_id: row.agent_b, account_id: row.account_b, prompt_id, check_right: rightB };
      rechecks.push({ battleId: row.battle_id, category, a, b });
    }
  }
  return rechecks;
}

/** Puts new battles with new verdicts in the place of those that were decided wrongly. */
export async function applyRechecks(
  tx: Db,
  rechecks: readonly Recheck[],
  { lastNumber, counted, now }: { lastNumber: number; counted: boolean; now: Date },
): Promise<void> {
  if (rechecks.length === 0) return;
  await tx.run(REPLACE, [rechecks.map((each) => each.battleId)]);
  const right = new Map(rechecks.flatMap(({ a, b }) => [a, b]).map((side) => [side.id, side.check_right]));
  const ids = [...right.keys()].sort((x, y) => x - y);
  await tx.run(SET_RIGHT, [ids, ids.map((id) => right.get(id))]);
  const pairs = rechecks.map(({ a, b, battleId }) => ({ a, b, rejudges: battleId }));
  const battleIds = await insertCheckBattles(tx, pairs, { counted, now });
  const votes = rechecks.map(({ a, b, category }, index): NewVote => {
    return {
      battleId: battleIds[index] as number,
      judgeKind: "check" satisfies JudgeKind,
      judgeId: "check",
      outcome: outcomeOfChecks(a.check_right, b.check_right),
      agentA: a.agent_id,
      agentB: b.agent_id,
      category,
      counted,
    };
  });
  await appendVotes(tx, lastNumber, votes, now);
}
