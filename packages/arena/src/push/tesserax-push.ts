import {
  type PromptPayload,
  STANDARD_WEBHOOK_ID_HEADER,
  STANDARD_WEBHOOK_SIGNATURE_HEADER,
  STANDARD_WEBHOOK_TIMESTAMP_HEADER,
  signStandardWebhook,
  signTesserax,
  TESSERAX_SIGNATURE_HEADER,
} from "@agon/protocol";
import { isJsonObject, readJsonBody } from "./outbound-json.ts";
import { type ExchangeAnswer, type ExchangeResult, type FailureCause, headerOf } from "./outbound-result.ts";

const USER_AGENT = "Agon/1.0";

/** Why a pushed prompt has no answer: `detail` is what happened, `advice` what the owner may change. */
export interface TesseraxFailure {
  outcome: "failed";
  cause: FailureCause | "error";
  detail: string;
  advice: string;
}

/** What became of a pushed prompt. The response is as it was sent, neither trimmed nor cleaned. */
export type TesseraxVerdict = { outcome: "completed"; response: string } | TesseraxFailure;

/** What became of a ping. */
export type TesseraxPingVerdict = { outcome: "reached" } | TesseraxFailure;

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

function readObject(result: ExchangeResult, secretAdvice: string): ReadObject | TesseraxFailure {
  if (!result.ok) return failed(result.cause, result.detail, EXCHANGE_ADVICE[result.code]);
  if (result.status < 200 || result.status > 299) return judgeStatus(result, secretAdvice);
  const json = readJsonBody(result.body, result.headers);
  if (!json.ok) return failed("invalid", json.detail, JSON_ADVICE[json.reason]);
  if (isJsonObject(json.value)) return { object: json.value };
  return failed("invalid", "The body is JSON, but not an object.", "Answer with a JSON object.");
}

interface ReadObject {
  object: Record<string, unknown>;
}

function judgeStatus(result: ExchangeAnswer, secretAdvice: string): TesseraxFailure {
  const { status } = result;
  const detail = `The endpoint answered ${status}.`;
  if (status < 400) {
    const location = headerOf(result.headers, "location");
    const target = location === undefined ? "" : ` to ${location.slice(0, 300)}`;
    const redirect = `The endpoint answered ${status}, a redirect${target}, and redirects are not followed.`;
    return failed("error", redirect, "Register the final URL.");
  }
  if (status === 401 || status === 403) return failed("error", detail, secretAdvice);
  const said = readError(result);
  // An endpoint that says what went wrong is no proxy that did not reach one.
  if (said !== undefined)
    return failed("error", `The endpoint answered ${status} and says: "${said}".`, "See the log of the agent.");
  return failed("error", detail, STATUS_ADVICE[status] ?? (status < 500 ? CLIENT_ADVICE : SERVER_ADVICE));
}

/** The `error` of a JSON answer, as kits send it when the agent itself failed. */
function readError(result: ExchangeAnswer): string | undefined {
  const json = readJsonBody(result.body, result.headers);
  if (!json.ok || !isJsonObject(json.value) || !Object.hasOwn(json.value, "error")) return undefined;
  const { error } = json.value;
  return typeof error === "string" && error.trim() !== "" ? error.trim().slice(0, 500) : undefined;
}

const CLIENT_ADVICE = "Answer with a 2xx; the log of the endpoint may say what it disliked about the request.";
const SERVER_ADVICE = "The endpoint failed by itself; see its log.";

const STATUS_ADVICE: Readonly<Record<number, string>> = {
  404: "Nothing is served at this path. Register the URL with the path that the agent listens on.",
  405: "The path does not take POST. Prompts and pings arrive as POST at exactly the registered URL.",
  413: "Let the endpoint take bodies of at least 1 MiB.",
  415: "Let the endpoint take application/json.",
  429: "The arena sends one prompt at a time; lift the rate limit for it.",
  502: "Something in front of the agent, such as a proxy or a tunnel, does not reach it. Is it running?",
  503: "Something in front of the agent, such as a proxy or a tunnel, does not reach it. Is it running?",
  504: "Something in front of the agent gave up waiting for it. Raise its timeout to that of a prompt.",
};

const JSON_ADVICE = {
  empty: "Answer the POST itself with a JSON object; there is no later call for it.",
  "not-utf8": "Encode the body as UTF-8 and label it application/json without another charset.",
  html: "Register the URL of the agent itself, and let it through without a login or a warning page.",
  "not-json": "Answer with nothing but a JSON object, written by a JSON library.",
} as const;

const EXCHANGE_ADVICE: Readonly<Record<Extract<ExchangeResult, { ok: false }>["code"], string>> = {
  dns: "Check the host name in the URL and its DNS records.",
  refused: "Start the agent, and check the port in the URL and the firewall.",
  tls: "Serve a valid certificate for this host name with its whole chain, or check whether the port speaks TLS at all.",
  reset: "See the log of the endpoint: it, or a proxy in front of it, ended the connection.",
  network: "Check that the host is up and its firewall lets this port through.",
  truncated: "See the log of the endpoint: it ended the connection before its answer was complete.",
  protocol: "Check that the port belongs to an HTTP server.",
  too_large: "Send a shorter answer.",
  encoded: "Send the body without Content-Encoding.",
  timeout: "Answer faster, or make the endpoint ready beforehand if it starts on demand.",
  address_refused: "Register a URL that this arena may call.",
  aborted: "Nothing; the endpoint is not to blame.",
};

function failed(cause: TesseraxFailure["cause"], detail: string, advice: string): TesseraxFailure {
  return { outcome: "failed", cause, detail, advice };
}
