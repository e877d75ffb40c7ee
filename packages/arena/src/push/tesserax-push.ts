import {
  type PromptPayload,
  STANDARD_WEBHOOK_ID_HEADER,
  STANDARD_WEBHOOK_SIGNATURE_HEADER,
  STANDARD_WEBHOOK_TIMESTAMP_HEADER,
  signStandardWebhook,
  signTesserax,
  TESSERAX_SIGNATURE_HEADER,
} from "@agon/protocol";
import { type EndpointFailure, failed, judgeExchange, readAnswerObject } from "./endpoint-failure.ts";
import type { ExchangeResult } from "./outbound-result.ts";

const USER_AGENT = "Agon/1.0";

/** What became of a pushed prompt. The response is as it was sent, neither trimmed nor cleaned. */
export type TesseraxVerdict = { outcome: "completed"; response: string } | EndpointFailure;

/** What became of a ping. */
export type TesseraxPingVerdict = { outcome: "reached" } | EndpointFailure;

/**
 * The POST of one prompt or ping. It carries two signatures of the same bytes: the one of the dialect, keyed by the
 * whole secret, and that of Standard Webhooks, for which libraries exist and which also proves when it was signed.
 *
 * @param input.payload only its four fields go out: push knows no kind and no work id
 * @param input.secret `whsec_` and base64
 * @param input.id names this message; the same for the same task
 * @param input.timestamp unix seconds, whole
 * @throws TypeError for a secret without a key in it
 */
export function buildTesseraxRequest(input: {
  payload: PromptPayload;
  secret: string;
  id: string;
  timestamp: number;
}): { body: Buffer; headers: Record<string, string> } {
  const { secret, id, timestamp } = input;
  const { prompt_id, prompt, category, deadline_seconds } = input.payload;
  const body = Buffer.from(JSON.stringify({ prompt_id, prompt, category, deadline_seconds }));
  return {
    body,
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      "user-agent": USER_AGENT,
      [TESSERAX_SIGNATURE_HEADER]: signTesserax({ secret, body }),
      [STANDARD_WEBHOOK_ID_HEADER]: id,
      [STANDARD_WEBHOOK_TIMESTAMP_HEADER]: String(timestamp),
      [STANDARD_WEBHOOK_SIGNATURE_HEADER]: signStandardWebhook({ secret, id, timestamp, body }),
    },
  };
}

/** Judges the exchange of a prompt: a 2xx with a JSON object whose `response` is text completes it, nothing else. */
export function judgeTesseraxAnswer(result: ExchangeResult): TesseraxVerdict {
  const read = readObject(result, SECRET_ADVICE);
  if (!("object" in read)) return read;
  const { object } = read;
  const response = Object.hasOwn(object, "response") ? object.response : undefined;
  if (typeof response === "string" && response.trim() !== "") return { outcome: "completed", response };

  const advice = 'Answer with {"response": "…"}, the answer as a string that is not blank.';
  const said = Object.hasOwn(object, "error") ? object.error : undefined;
  if ((response === undefined || response === null) && typeof said === "string" && said.trim() !== "") {
    return failed("error", `The agent reported an error: ${said.trim().slice(0, 500)}`, "See the log of the agent.");
  }
  if (response === undefined) return failed("invalid", "The JSON object has no response.", advice);
  if (typeof response === "string") return failed("invalid", "The response is blank.", advice);
  const kind = response === null ? "null" : Array.isArray(response) ? "an array" : `a value of type ${typeof response}`;
  return failed("invalid", `The response is ${kind}, not a string.`, advice);
}

/** Judges the exchange of a ping: a 2xx with any JSON object, for an agent need not know what a ping is. */
export function judgeTesseraxPing(result: ExchangeResult): TesseraxPingVerdict {
  const read = readObject(result, PING_SECRET_ADVICE);
  return "object" in read ? { outcome: "reached" } : read;
}

const SECRET_ADVICE =
  "Install the agent's present webhook_secret at the endpoint, and verify the signature over the raw body.";
/** An agent that verifies cannot know its secret before it is registered, so its first ping ends here. */
const PING_SECRET_ADVICE = "Install the webhook_secret of this response at the endpoint, then retest.";

function readObject(
  result: ExchangeResult,
  secretAdvice: string,
): { object: Record<string, unknown> } | EndpointFailure {
  const judged = judgeExchange(result, secretAdvice);
  return judged.ok ? readAnswerObject(judged.answer) : judged.failure;
}
