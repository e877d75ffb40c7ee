import type { Database, Db } from "../db/database.ts";
import type { Clock } from "../ports.ts";
import {
  countAnswers,
  type Finding,
  loadUnjudged,
  lockOpenPrompts,
  makeVotable,
  markJudged,
  type UnjudgedAnswer,
} from "./answer-queries.ts";
import { fightByCheck } from "./check-battles.ts";
import { type Check, evaluateCheck } from "./checks.ts";
import { namesItself } from "./names-itself.ts";
import { type JudgeKind, lockVoteCounter } from "./vote-log.ts";

/** Reading through this much takes some 50 ms, for which nothing else runs on this node. */
const PER_PASS = { answers: 200, bytes: 512 * 1024 };

export interface JudgingOptions {
  db: Database;
  clock: Clock;
  ratingJudges: readonly JudgeKind[];
  /** Told how many valid answers each prompt got, after the pass is committed. */
  onCounted: (promptId: number, answers: number) => void;
}

/**
 * Takes up answers that no pass has seen: counts them, opens their prompts, shows them to judges, and where a prompt has
 * a check lets it judge each answer against the one before it (so that an answer is in at most two such battles).
 * Idempotent: what it has done is marked in the same transaction. Answers to a prompt that closed meanwhile are marked
 * and never judged.
 *
 * @returns whether there may be more at once
 */
export async function judgingStep(options: JudgingOptions): Promise<boolean> {
  const answers = await loadUnjudged(options.db, PER_PASS);
  if (answers.length === 0) return false;
  // Before the transaction: it begins with the lock that all voting waits for.
  const findings = new Map(answers.map((answer) => [answer.id, lookThrough(answer)]));
  const counts = await options.db.transaction((tx) => takeUp(tx, options, answers, findings));
  for (const [promptId, more] of counts) options.onCounted(promptId, more);
  return true;
}

function lookThrough(answer: UnjudgedAnswer): Finding {
  return {
    checkRight: answer.check === null ? null : evaluateCheck(answer.check as Check, answer.response).right,
    namesItself: namesItself(answer.response, {
      agent: answer.name,
      username: answer.username,
      displayName: answer.display_name,
      ownerHandle: answer.owner_handle,
      model: answer.model_claimed,
    }),
  };
}

async function takeUp(
  tx: Db,
  options: JudgingOptions,
  answers: readonly UnjudgedAnswer[],
  findings: ReadonlyMap<number, Finding>,
): Promise<Map<number, number>> {
  const now = options.clock.now();
  const lastNumber = await lockVoteCounter(tx);
  const taken = await markJudged(tx, findings, now);
  const open = await lockOpenPrompts(
    tx,
    answers.map((answer) => answer.prompt_id),
  );
  const valid = answers.filter((answer) => taken.has(answer.id) && open.has(answer.prompt_id));
  if (valid.length === 0) return new Map();

  const counts = new Map<number, number>();
  for (const { prompt_id } of valid) counts.set(prompt_id, (counts.get(prompt_id) ?? 0) + 1);
  await countAnswers(tx, counts, now);
  await makeVotable(
    tx,
    [...counts.keys()],
    valid.map((answer) => answer.id),
  );
  const checked = valid.flatMap((answer) => {
    const check_right = findings.get(answer.id)?.checkRight;
    return typeof check_right === "boolean" ? [{ ...answer, check_right }] : [];
  });
  const counted = options.ratingJudges.includes("check");
  if (checked.length > 0)
    await fightByCheck(tx, { lastNumber, counted, categories: open, now: new Date(now) }, checked);
  return counts;
}
