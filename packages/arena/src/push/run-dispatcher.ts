import { cleanText } from "@agon/protocol";
import type { Logger } from "pino";
import type { Batcher } from "../db/batch.ts";
import type { Database } from "../db/database.ts";
import type { Vault } from "../db/secrets.ts";
import type { Clock } from "../ports.ts";
import { acknowledgeTask, claimRunTasks, type RunWork } from "../tasks/run-claims.ts";
import type { RunOutcome, RunRecord } from "../tasks/run-outcomes.ts";
import type { DeliveryLog } from "./delivery-log.ts";
import { buildDispatchRequest, type DispatchVerdict, judgeDispatchAnswer } from "./edgearena-push.ts";
import { isOurGamble, LOST_ON_KEPT } from "./endpoint-failure.ts";
import type { InFlight } from "./in-flight.ts";
import type { Outbound } from "./outbound.ts";
import type { ExchangeResult } from "./outbound-result.ts";
import { sendTask, toTaskDelivery } from "./task-exchange.ts";

export interface RunDispatcherOptions {
  db: Database;
  clock: Clock;
  log: Logger;
  vault: Vault;
  outbound: Outbound;
  deliveries: DeliveryLog;
  runOutcomes: Batcher<RunOutcome, RunRecord>;
  inFlight: InFlight;
  settings: { pushResponseMaxBytes: number };
  /** Where the completion of a task may be sent. */
  completeUrl: (taskUuid: string) => string;
  /** A run task is over, so its run may go on. */
  onRunTaskDone: () => void;
}

const AGENTS_PER_PASS = 100;

/** Sends queued run tasks to edgearena-v1 agents: one signed POST per task, ever, whatever becomes of it. */
export function createRunDispatcher(options: RunDispatcherOptions): { step(): Promise<boolean> } {
  const { db, clock, log } = options;

  async function deliver(work: RunWork): Promise<void> {
    try {
      const request = buildDispatchRequest({
        payload: work.payload,
        taskId: work.uuid,
        url: work.url,
        key: options.vault.open(work.secretSealed),
        timestamp: Math.floor(clock.now() / 1000),
        completeUrl: options.completeUrl(work.uuid),
      });
      const result = await sendTask(options.outbound, work, request, options.settings.pushResponseMaxBytes);
      const verdict = isOurGamble(result) ? LOST_ON_KEPT : judgeDispatchAnswer(result, work);
      await settle(work, result, verdict);
      const told = verdict.outcome === "failed" ? verdict : { detail: describe(verdict) };
      await options.deliveries.add(toTaskDelivery(work, request, result, told));
    } catch (error) {
      log.error({ err: error, task: work.taskId }, "a dispatch failed through a fault of ours");
      const { taskId, agentId } = work;
      await options.runOutcomes.add({
        taskId,
        agentId,
        cause: "arena",
        error: "The arena failed to send this task.",
      });
      options.onRunTaskDone();
    }
  }

  async function settle(work: RunWork, result: ExchangeResult, verdict: DispatchVerdict): Promise<void> {
    const { taskId, agentId } = work;
    const latencyMs = result.timings.total;
    if (verdict.outcome === "acknowledged") return acknowledgeTask(db, taskId, clock.now());
    const { recorded } = await options.runOutcomes.add(
      verdict.outcome === "completed"
        ? { taskId, agentId, latencyMs, ...verdict }
        : { taskId, agentId, latencyMs, cause: verdict.cause, error: cleanText(`${verdict.detail} ${verdict.advice}`) },
    );
    if (recorded) options.onRunTaskDone();
  }

  return {
    /** One pass: who may be sent something, as many tasks as each has room for, and off they go. */
    async step() {
      const limit = Math.min(AGENTS_PER_PASS, options.inFlight.room());
      if (limit === 0) return false;
      const work = await claimRunTasks(db, clock, limit);
      for (const each of work) options.inFlight.add(deliver(each));
      return work.length > 0;
    },
  };
}

function describe(verdict: Exclude<DispatchVerdict, { outcome: "failed" }>): string {
  if (verdict.outcome === "acknowledged") return "The agent will call back; the task runs on until its deadline.";
  return verdict.note === undefined ? "The answer was taken." : `The answer was taken. ${verdict.note}`;
}
