import {
  COMPLETE_URL_HEADER,
  EDGEARENA_SIGNATURE_HEADER,
  EDGEARENA_TASK_ID_HEADER,
  EDGEARENA_TIMESTAMP_HEADER,
  parseAnswer,
  type RunKind,
  signEdgearena,
} from "@agon/protocol";
import { judgeOutput, type RoleAnswer, sentence } from "../tasks/role-answer.ts";
import { type EndpointFailure, failed, judgeExchange, readAnswerObject } from "./endpoint-failure.ts";
import type { ExchangeResult } from "./outbound-result.ts";

const USER_AGENT = "Agon/1.0";

/** What became of a dispatch. After `acknowledged` the answer comes, if it comes, as a completion call. */
export type DispatchVerdict = RoleAnswer | { outcome: "acknowledged" } | EndpointFailure;

/**
 * The signed POST of one run task (endpoints document, Dispatch).
 *
 * @param input.payload the JSON of the dispatch, which goes out as it is
 * @param input.url the registered URL; its host and path are signed
 * @param input.timestamp unix seconds, whole
 * @param input.completeUrl where a later answer may be sent
 */
export function buildDispatchRequest(input: {
  payload: string;
  taskId: string;
  url: string;
  key: string;
  timestamp: number;
  completeUrl: string;
}): { body: Buffer; headers: Record<string, string> } {
  const { key, url, timestamp } = input;
  const body = Buffer.from(input.payload);
  return {
    body,
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      "user-agent": USER_AGENT,
      [EDGEARENA_SIGNATURE_HEADER]: signEdgearena({ key, url, timestamp, body }),
      [EDGEARENA_TIMESTAMP_HEADER]: String(timestamp),
      [EDGEARENA_TASK_ID_HEADER]: input.taskId,
      [COMPLETE_URL_HEADER]: input.completeUrl,
    },
  };
}

const KEY_ADVICE =
  "Install the agent's present key, and verify the signature over timestamp, host and path of the registered URL, and the raw body.";

/** Judges the exchange of a dispatch against the whole schema of its phase. */
export function judgeDispatchAnswer(
  result: ExchangeResult,
  task: { kind: RunKind; candidateId: string | null },
): DispatchVerdict {
  const judged = judgeExchange(result, KEY_ADVICE);
  if (!judged.ok) return judged.failure;
  const { answer } = judged;
  if (answer.status === 202 && answer.body.toString("latin1").trim() === "") return { outcome: "acknowledged" };
  const read = readAnswerObject(answer);
  if (!("object" in read)) return read;
  if (answer.status === 202 && !Object.hasOwn(read.object, "output")) return { outcome: "acknowledged" };
  const parsed = parseAnswer(read.object);
  if (parsed.ok) return judgeOutput(parsed.output, read.object, task);
  return failed("invalid", sentence(parsed.detail), ENVELOPE_ADVICE);
}

const ENVELOPE_ADVICE =
  "Answer with { output, promptTokens, completionTokens, modelId }, or with 202 to send the answer later.";
