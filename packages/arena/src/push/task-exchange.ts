import type { Delivery } from "./delivery-log.ts";
import type { Outbound } from "./outbound.ts";
import type { ExchangeResult } from "./outbound-result.ts";

/** What an exchange takes of a task, whatever its dialect. */
interface SentTask {
  taskId: number;
  agentId: number;
  test: boolean;
  url: string;
  deadlineSeconds: number;
}

interface SignedRequest {
  headers: Record<string, string>;
  body: Buffer;
}

/** Sends a task to its agent, once. */
export function sendTask(
  outbound: Outbound,
  task: SentTask,
  request: SignedRequest,
  maxResponseBytes: number,
): Promise<ExchangeResult> {
  return outbound.exchange({
    url: task.url,
    method: "POST",
    ...request,
    deadlineMs: task.deadlineSeconds * 1000,
    // Many agents may live at one origin; one that is called every 30 s gets a new connection each time.
    reuse: "hot",
    maxResponseBytes,
  });
}

/** The exchange of a task as its agent's owner sees it. */
export function toTaskDelivery(
  task: SentTask,
  request: SignedRequest,
  result: ExchangeResult,
  verdict: Delivery["verdict"],
): Delivery {
  return {
    agentId: task.agentId,
    taskId: task.taskId,
    purpose: task.test ? "test" : "task",
    url: task.url,
    requestHeaders: request.headers,
    requestBody: request.body,
    result,
    verdict,
  };
}
