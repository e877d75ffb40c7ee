import { cleanText } from "@agon/protocol";
import type { Logger } from "pino";
import type { Batcher } from "../db/batch.ts";
import type { Db } from "../db/database.ts";
import type { Vault } from "../db/secrets.ts";
import type { Clock } from "../ports.ts";
import { claimPushes, type PushWork, restPushes } from "../tasks/push-claims.ts";
import type { Outcome } from "../tasks/task-outcomes.ts";
import type { DeliveryLog } from "./delivery-log.ts";
import { isOurGamble, LOST_ON_KEPT } from "./endpoint-failure.ts";
import type { InFlight } from "./in-flight.ts";
import type { Outbound } from "./outbound.ts";
import type { ExchangeResult } from "./outbound-result.ts";
import { buildTesseraxRequest, judgeTesseraxAnswer, type TesseraxVerdict } from "./tesserax-push.ts";

export interface DispatcherOptions {
  db: Db;
  clock: Clock;
  log: Logger;
  vault: Vault;
  outbound: Outbound;
  deliveries: DeliveryLog;
  outcomes: Batcher<Outcome, boolean>;
  inFlight: InFlight;
  settings: { pushGapSeconds: number; pushResponseMaxBytes: number };
  makeNext: (agent: { agentId: number; gymComplete: boolean }) => Promise<"look" | "none">;
  /** Begins to queue the next main task of an agent that was just given one. */
  makeAhead: (agentId: number) => void;
  /** A task is over: the agent may have its next turn, and an answer may be judged. */
  onDone: (agentId: number, answered: boolean) => void;
}

export interface Dispatcher {
  /** One pass: whose turn it is, a task for each, and off they go. Resolves to whether there may be more at once. */
  step(): Promise<boolean>;
}

const CLAIMS_PER_PASS = 256;
/** How long an agent is let be for which the ladder has nothing. */
const IDLE_SECONDS = 5;

/** Sends queued tasks to webhooks: one POST per task, ever, whatever becomes of it. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, clock, log, settings } = options;

  async function step(): Promise<boolean> {
    const limit = Math.min(CLAIMS_PER_PASS, options.inFlight.room());
    if (limit === 0) return false;
    const { work, idle } = await claimPushes(db, clock.now(), { limit, gapSeconds: settings.pushGapSeconds });
    for (const each of work) {
      options.inFlight.add(deliver(each));
      // One ahead, as for pulls: the agent's next turn then finds its task queued.
      if (each.kind === "main") options.makeAhead(each.agentId);
    }
    const made = await Promise.all(idle.map((agent) => options.makeNext(agent)));
    const nothing = idle.filter((_, index) => made[index] === "none");
    const rested = await restPushes(
      db,
      clock.now(),
      IDLE_SECONDS,
      nothing.map((agent) => agent.agentId),
    );
    return work.length + idle.length - rested > 0;
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
      const result = await options.outbound.exchange({
        url: work.url,
        method: "POST",
        ...request,
        deadlineMs: work.deadlineSeconds * 1000,
        // Many agents may live at one origin; one that is called every 30 s gets a new connection each time.
        reuse: "hot",
        maxResponseBytes: settings.pushResponseMaxBytes,
      });
      const verdict = isOurGamble(result) ? LOST_ON_KEPT : judgeTesseraxAnswer(result);
      await settle(work, request, result, verdict);
    } catch (error) {
      log.error({ err: error, task: work.taskId }, "a push failed through a fault of ours");
      await options.outcomes.add({ ...outcomeOf(work), cause: "arena", error: "the arena failed to send this task" });
      options.onDone(work.agentId, false);
    }
  }

  async function settle(
    work: PushWork,
    request: { body: Buffer; headers: Record<string, string> },
    result: ExchangeResult,
    verdict: TesseraxVerdict,
  ): Promise<void> {
    const latencyMs = Math.round(result.timings.total);
    const answered = verdict.outcome === "completed";
    const recorded = await options.outcomes.add(
      answered
        ? { ...outcomeOf(work), latencyMs, response: cleanText(verdict.response) }
        : { ...outcomeOf(work), latencyMs, cause: verdict.cause, error: cleanText(verdict.detail) },
    );
    options.onDone(work.agentId, answered && recorded);
    await options.deliveries.add({
      agentId: work.agentId,
      taskId: work.taskId,
      purpose: work.test ? "test" : "task",
      url: work.url,
      requestHeaders: request.headers,
      requestBody: request.body,
      result,
      verdict: answered ? { detail: "The answer was taken." } : verdict,
    });
  }

  return { step };
}

function outcomeOf(work: PushWork): Outcome {
  return {
    taskId: work.taskId,
    agentId: work.agentId,
    kind: work.kind,
    response: undefined,
    cause: undefined,
    error: undefined,
    latencyMs: 0,
  };
}
