import { cleanText, type DispatchPayload, utf8Length } from "@agon/protocol";
import type { Logger } from "pino";
import type { Batcher } from "../../db/batch.ts";
import type { Db } from "../../db/database.ts";
import type { Clock } from "../../ports.ts";
import { claimHouseTasks, type HouseWork } from "../../tasks/house-claims.ts";
import type { RunOutcome, RunRecord } from "../../tasks/run-outcomes.ts";
import type { ModelAnswer } from "./model-answers.ts";
import { answerFromTemplate } from "./template-answers.ts";

export interface HouseOptions {
  db: Db;
  clock: Clock;
  log: Pick<Logger, "error" | "warn">;
  outcomes: Batcher<RunOutcome, RunRecord>;
  /** Asks a model; undefined where none is set. */
  askModel: ((payload: DispatchPayload, signal: AbortSignal) => Promise<ModelAnswer>) | undefined;
  outputMaxBytes: number;
  /** A task of a run is over. */
  onDone: () => void;
}

export interface House {
  /** One pass: takes what is queued for the house and begins to answer it. Resolves to whether there may be more at once. */
  step(): Promise<boolean>;
  /** Resolves when all that was begun is recorded. */
  settle(): Promise<void>;
  /** Calls off what is under way, as far as it can be, and waits for it. */
  drain(): Promise<void>;
}

const CLAIMS_PER_PASS = 20;
const MODEL_CALLS_AT_ONCE = 8;

type Answer = Omit<RunOutcome, "taskId" | "agentId" | "latencyMs">;

/**
 * The arena's own agents: in the process, but behind the same funnel as everybody else's, so that what they do is
 * recorded, scored and counted the same way. They never stand on the leaderboard, since they do no ladder tasks.
 */
export function createHouse(options: HouseOptions): House {
  const { db, clock, log, askModel } = options;
  const underWay = new Set<Promise<void>>();
  const ending = new AbortController();

  async function answer(work: HouseWork): Promise<void> {
    const begun = performance.now();
    const made = await make(work).catch((error): Answer => {
      if (!work.asksModel) log.error({ err: error, task: work.taskId }, "a house agent failed through a fault of ours");
      return { cause: "arena", error: "the house agent failed" };
    });
    await options.outcomes.add({
      taskId: work.taskId,
      agentId: work.agentId,
      latencyMs: Math.round(performance.now() - begun),
      ...made,
    });
    options.onDone();
  }

  async function make(work: HouseWork): Promise<Answer> {
    const payload = JSON.parse(work.payload) as DispatchPayload;
    if (!work.asksModel || askModel === undefined) {
      return {
        response: JSON.stringify(answerFromTemplate(payload)),
        modelId: "template",
        promptTokens: 0,
        completionTokens: 0,
      };
    }
    const late = AbortSignal.timeout(work.deadlineSeconds * 1000);
    try {
      return toAnswer(await askModel(payload, AbortSignal.any([late, ending.signal])));
    } catch (error) {
      if (late.aborted) return { cause: "timeout", error: "the model gave no answer within the deadline" };
      if (ending.signal.aborted) return { cause: "arena", error: "this node stopped" };
      log.warn({ err: error, task: work.taskId }, "the house's model could not be asked");
      return {
        cause: "error",
        error: cleanText(`the model could not be asked: ${(error as Error).message}`).slice(0, 500),
      };
    }
  }

  function toAnswer({ output, complaint, promptTokens, completionTokens, modelId }: ModelAnswer): Answer {
    const report = {
      modelId: cleanText(modelId),
      ...(promptTokens === undefined ? {} : { promptTokens }),
      ...(completionTokens === undefined ? {} : { completionTokens }),
    };
    if (output === undefined) return { ...report, cause: "invalid", error: cleanText(complaint ?? "not in shape") };
    const response = cleanText(JSON.stringify(output));
    return utf8Length(response) <= options.outputMaxBytes
      ? { ...report, response }
      : { ...report, cause: "invalid", error: `the output is over ${options.outputMaxBytes} bytes` };
  }

  async function settle(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
  }

  return {
    async step() {
      const limit = Math.min(CLAIMS_PER_PASS, MODEL_CALLS_AT_ONCE + CLAIMS_PER_PASS - underWay.size);
      if (ending.signal.aborted || limit <= 0) return false;
      const claimed = await claimHouseTasks(db, clock.now(), { hasModel: askModel !== undefined, limit });
      for (const work of claimed) {
        const answering = answer(work)
          .catch((error) => log.error({ err: error, task: work.taskId }, "a house agent's answer was not recorded"))
          .finally(() => underWay.delete(answering));
        underWay.add(answering);
      }
      return claimed.length === limit;
    },
    settle,
    async drain() {
      ending.abort();
      await settle();
    },
  };
}
