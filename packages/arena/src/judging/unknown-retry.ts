import type { Database } from "../db/database.ts";
import type { Clock } from "../ports.ts";
import { lockOpenPrompts } from "./answer-queries.ts";
import type { CheckedAnswer } from "./check-battle-queries.ts";
import { fightByCheck } from "./check-battles.ts";
import { type Check, evaluateCheck } from "./checks.ts";
import { loadUnchecked, settleUnchecked } from "./unknown-queries.ts";
import { type JudgeKind, lockVoteCounter } from "./vote-log.ts";

const PER_READ = 50;

/** Asks the checks that came to nothing again, after the operator has mended them. @returns how many now say something */
export async function retryUnknown(options: {
  db: Database;
  clock: Clock;
  ratingJudges: readonly JudgeKind[];
}): Promise<{ retried: number; settled: number }> {
  const { db, clock } = options;
  let [retried, settled, last] = [0, 0, 0];
  for (;;) {
    const answers = await loadUnchecked(db, last, PER_READ);
    const [final] = answers.slice(-1);
    if (final === undefined) return { retried, settled };
    last = final.id;
    retried += answers.length;
    const found = new Map<number, boolean>();
    for (const { id, check, response } of answers) {
      const { right } = evaluateCheck(check as Check, response);
      if (right !== null) found.set(id, right);
    }
    if (found.size === 0) continue;
    settled += await db.transaction(async (tx) => {
      const lastNumber = await lockVoteCounter(tx);
      const fresh = await settleUnchecked(tx, found);
      const open = await lockOpenPrompts(
        tx,
        answers.map((answer) => answer.prompt_id),
      );
      const checked = answers.flatMap((answer): CheckedAnswer[] => {
        const check_right = found.get(answer.id);
        const isReady = check_right !== undefined && fresh.has(answer.id) && open.has(answer.prompt_id);
        return isReady ? [{ ...answer, check_right }] : [];
      });
      const counted = options.ratingJudges.includes("check");
      const now = new Date(clock.now());
      if (checked.length > 0) await fightByCheck(tx, { lastNumber, counted, categories: open, now }, checked);
      return fresh.size;
    });
  }
}
