import { isJsonObject, readJsonBody } from "./outbound-json.ts";
import { type ExchangeAnswer, type ExchangeResult, type FailureCause, headerOf } from "./outbound-result.ts";

/** Why a call of an endpoint came to nothing: `detail` is what happened, `advice` what the owner may change. */
export interface EndpointFailure {
  outcome: "failed";
  cause: FailureCause | "error";
  detail: string;
  advice: string;
}

export function failed(cause: EndpointFailure["cause"], detail: string, advice: string): EndpointFailure {
  return { outcome: "failed", cause, detail, advice };
}

/**
 * Judges what every dialect judges alike: an exchange without an answer, and any status but a 2xx.
 *
 * @param secretAdvice what to do about a 401 or 403
 * @returns undefined for a 2xx, whose body is for the dialect to judge
 */
export function judgeExchange(
  result: ExchangeResult,
  secretAdvice: string,
): { ok: true; answer: ExchangeAnswer } | { ok: false; failure: EndpointFailure } {
  if (!result.ok) return { ok: false, failure: failed(result.cause, result.detail, EXCHANGE_ADVICE[result.code]) };
  if (result.status < 200 || result.status > 299) return { ok: false, failure: judgeStatus(result, secretAdvice) };
  return { ok: true, answer: result };
}

/** Reads the body of a 2xx as a JSON object. */
export function readAnswerObject(answer: ExchangeAnswer): { object: Record<string, unknown> } | EndpointFailure {
  const json = readJsonBody(answer.body, answer.headers);
  if (!json.ok) return failed("invalid", json.detail, JSON_ADVICE[json.reason]);
  if (isJsonObject(json.value)) return { object: json.value };
  return failed("invalid", "The body is JSON, but not an object.", "Answer with a JSON object.");
}

/**
 * A reset on a connection that we had kept may mean no more than that the endpoint was closing it. Whether the task
 * arrived is unknown; it is not sent again, and since keeping the connection was our choice, it is our fault.
 */
export function isOurGamble(result: ExchangeResult): boolean {
  return !result.ok && result.code === "reset" && result.reusedSocket;
}

export const LOST_ON_KEPT: EndpointFailure = {
  outcome: "failed",
  cause: "arena",
  detail: "The connection, kept from the task before, was reset. Whether this task arrived is unknown.",
  advice: "Nothing: this does not count against the agent.",
};

function judgeStatus(result: ExchangeAnswer, secretAdvice: string): EndpointFailure {
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
