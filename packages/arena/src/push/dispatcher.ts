import { cleanText } from "@agon/protocol";
import type { Logger } from "pino";
import type { Batcher } from "../db/batch.ts";
import type { Db } from "../db/database.ts";
import type { Vault } from "../db/secrets.ts";
import type { Clock } from "../ports.ts";
import { type Decision, loadTurns, type PushWork, type Turn, takeTestTurns, takeTurns } from "../tasks/push-claims.ts";
import type { NextTask } from "../tasks/task-inserts.ts";
import { isOurGamble, LOST_ON_KEPT } from "./endpoint-failure.ts";
import type { InFlight } from "./in-flight.ts";
import type { Outbound } from "./outbound.ts";
import type { ExchangeResult } from "./outbound-result.ts";
import type { PushRecord } from "./push-records.ts";
import { sendTask, toTaskDelivery } from "./task-exchange.ts";
import { buildTesseraxRequest, judgeTesseraxAnswer, type TesseraxVerdict } from "./tesserax-push.ts";

export interface DispatcherOptions {
  db: Db;
  clock: Clock;
  log: Logger;
  vault: Vault;
  outbound: Outbound;
  records: Batcher<PushRecord, boolean>;
  inFlight: InFlight;
  settings: { pushGapSeconds: number; pushResponseMaxBytes: number; promptDeadlineSeconds: number };
  /** Which prompts agents get. What it proposes may turn out to be gone, which it is told then. */
  ladder: {
    propose(agents: readonly { agentId: number; gymComplete: boolean }[]): Promise<NextTask[]>;
    settleProposal(task: NextTask, taken: boolean): void;
  };
  /** A task is over: the agent may have its next turn, and an answer may be judged. */
  onDone: (agentId: number, answered: boolean) => void;
}

export interface Dispatcher {
  /** One pass: whose turn it is, a task for each, and off they go. Resolves to whether there may be more at once. */
  step(): Promise<boolean>;
}

const TURNS_PER_PASS = 256;
/** How long an agent is let be for which the ladder has nothing. */
const IDLE_SECONDS = 5;

const NOTHING = { work: [], refused: [] };

/** Sends tasks to webhooks: one POST per task, ever, whatever becomes of it. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, clock, log, settings, ladder } = options;
  const atWork = new Set<number>();

  async function step(): Promise<boolean> {
    const limit = Math.min(TURNS_PER_PASS, options.inFlight.room());
    if (limit === 0) return false;
    const turns = await loadTurns(db, clock.now(), { limit, atWork: [...atWork] });
    if (turns.length === 0) return false;
    const tests = turns.filter((turn) => turn.testTaskId !== undefined && turn.restSeconds === undefined);
    for (const work of await takeTestTurns(db, clock.now(), tests)) begin(work);

    const due = turns.filter((turn) => turn.testTaskId === undefined);
    const isFull = due.length >= limit;
    // Whoever has a test now keeps its turn for afterwards. So does one that another node calls, unless such stand before
    // others: put off, it would be let be after that call, by a node that might have sent it the next at once.
    const tested = new Set(tests.map((turn) => turn.agentId));
    const decisions = await decide(due.filter((turn) => !tested.has(turn.agentId) && (isFull || !turn.isAtWork)));
    // The time of now: a gap that began when this pass did would be over too early by what choosing took.
    const { work, refused } =
      decisions.length === 0 ? NOTHING : await takeTurns(db, clock.now(), toLimits(settings), decisions);
    for (const each of work) begin(each);
    for (const { agentId, kind, promptId } of work) ladder.settleProposal({ agentId, kind, promptId }, true);
    for (const task of refused) ladder.settleProposal(task, false);
    const asked = decisions.some((decision) => "task" in decision);
    // Behind nothing but rests there may be more only when they filled the limit.
    return tests.length > 0 || asked || (decisions.length > 0 && isFull);
  }

  async function decide(turns: readonly Turn[]): Promise<Decision[]> {
    const free = turns.filter((turn) => turn.restSeconds === undefined);
    const tasks = new Map((await ladder.propose(free)).map((task) => [task.agentId, task]));
    return turns.map((turn) => {
      const task = tasks.get(turn.agentId);
      return task === undefined ? { turn, restSeconds: turn.restSeconds ?? IDLE_SECONDS } : { turn, task };
    });
  }

  function begin(work: PushWork): void {
    atWork.add(work.agentId);
    const delivered = deliver(work).catch((error) => {
      atWork.delete(work.agentId);
      throw error;
    });
    options.inFlight.add(delivered);
  }

  async function deliver(work: PushWork): Promise<void> {
    try {
      const request = buildTesseraxRequest({
        payload: {
          prompt_id: String(work.promptId),
          prompt: work.prompt,
          category: work.category,
          deadline_seconds: work.deadlineSeconds,
        },
        secret: options.vault.open(work.secretSealed),
        id: `${work.kind}-${work.taskId}`,
        timestamp: Math.floor(clock.now() / 1000),
      });
      const result = await sendTask(options.outbound, work, request, settings.pushResponseMaxBytes);
      const verdict = isOurGamble(result) ? LOST_ON_KEPT : judgeTesseraxAnswer(result);
      await settle(work, request, result, verdict);
    } catch (error) {
      log.error({ err: error, task: work.taskId }, "a push failed through a fault of ours");
      await options.records.add({ ...toRecord(work), cause: "arena", error: "the arena failed to send this task" });
      finish(work, false);
    }
  }

  async function settle(
    work: PushWork,
    request: { body: Buffer; headers: Record<string, string> },
    result: ExchangeResult,
    verdict: TesseraxVerdict,
  ): Promise<void> {
    const answered = verdict.outcome === "completed";
    const recorded = await options.records.add({
      ...toRecord(work),
      latencyMs: Math.round(result.timings.total),
      ...(answered
        ? { response: cleanText(verdict.response) }
        : { cause: verdict.cause, error: cleanText(verdict.detail) }),
      delivery: toTaskDelivery(work, request, result, answered ? { detail: "The answer was taken." } : verdict),
    });
    finish(work, answered && recorded);
  }

  function finish(work: PushWork, answered: boolean): void {
    // Before anybody is told: whoever looks for turns then must find this one.
    atWork.delete(work.agentId);
    options.onDone(work.agentId, answered);
  }

  return { step };
}

function toLimits(settings: DispatcherOptions["settings"]) {
  return { gapSeconds: settings.pushGapSeconds, deadlineSeconds: settings.promptDeadlineSeconds };
}

function toRecord(work: PushWork): PushRecord {
  return {
    taskId: work.taskId,
    agentId: work.agentId,
    kind: work.kind,
    response: undefined,
    cause: undefined,
    error: undefined,
    latencyMs: 0,
    hasFaults: work.hasFaults,
    delivery: undefined,
  };
}
