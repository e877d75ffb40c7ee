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
import { noteUnknown, type UnknownGate } from "./unknown-queries.ts";
import { type JudgeKind, lockVoteCounter } from "./vote-log.ts";

/** Reading through this much takes some 50 ms, for which nothing else runs on this node. */
const PER_PASS = { answers: 200, bytes: 512 * 1024 };

export interface JudgingOptions {
  db: Database;
  clock: Clock;
  ratingJudges: readonly JudgeKind[];
  /** Told how many valid answers each prompt got, after the pass is committed. */
  onCounted: (promptId: number, answers: number) => void;
  /** Told what could not be found out, for the operator's eyes. */
  onUnknown: (gates: readonly UnknownGate[]) => void;
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
  const unknown: UnknownGate[] = [];
  const findings = new Map(answers.map((answer) => [answer.id, lookThrough(answer, unknown)]));
  const counts = await options.db.transaction(async (tx) => {
    const taken = await takeUp(tx, options, answers, findings);
    await noteUnknown(tx, unknown, options.clock.now());
    return taken;
  });
  if (unknown.length > 0) options.onUnknown(unknown);
  for (const [promptId, more] of counts) options.onCounted(promptId, more);
  return true;
}

/** What cannot be found out goes to `unknown`, and is held against nobody: the answer is then neither right nor wrong. */
function lookThrough(answer: UnjudgedAnswer, unknown: UnknownGate[]): Finding {
  const checked = answer.check === null ? undefined : evaluateCheck(answer.check as Check, answer.response);
  if (checked?.right === null) unknown.push({ answerId: answer.id, gate: "check", detail: checked.detail });
  return { checkRight: checked?.right ?? null, namesItself: findNames(answer, unknown) };
}

function findNames(answer: UnjudgedAnswer, unknown: UnknownGate[]): boolean {
  try {
    return namesItself(answer.response, {
      agent: answer.name,
      username: answer.username,
      displayName: answer.display_name,
      ownerHandle: answer.owner_handle,
      model: answer.model_claimed,
    });
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    unknown.push({ answerId: answer.id, gate: "names_itself", detail });
    return false;
  }
}

async function takeUp(
  tx: Db,
  options: JudgingOptions,
  answers: readonly UnjudgedAnswer[],
  findings: ReadonlyMap<number, Finding>,
): Promise<Map<number, number>> {
  const now = options.clock.now();
  const lastNumber = await lockVoteCounter(tx);
  const open = await lockOpenPrompts(
    tx,
    answers.map((answer) => answer.prompt_id),
  );
  const taken = await markJudged(
    tx,
    answers.map((answer) => ({
      ...(findings.get(answer.id) as Finding),
      answerId: answer.id,
      isOpen: open.has(answer.prompt_id),
    })),
    now,
  );
  const valid = answers.filter((answer) => taken.has(answer.id) && open.has(answer.prompt_id));
  if (valid.length === 0) return new Map();

  const counts = new Map<number, number>();
  for (const { prompt_id } of valid) counts.set(prompt_id, (counts.get(prompt_id) ?? 0) + 1);
  await countAnswers(tx, counts, now);
  await makeVotable(
    tx,
    valid.filter((answer) => taken.get(answer.id)?.votable === false).map((answer) => answer.id),
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
