import { cleanText, type HandshakeErrorCode, truncateUtf8 } from "@agon/protocol";
import { readJsonObject } from "./json-object.ts";
import type { ProbeExchange, ProbeFailureCode } from "./probe-port.ts";
import type { Finding } from "./probe-step.ts";

type Failed = Extract<ProbeExchange, { ok: false }>;

/** What the owner can change, for each way in which an exchange fails. */
const ADVICE: { readonly [C in ProbeFailureCode]: string } = {
  dns: "Check the host name for typing errors, and that its DNS entry is public.",
  refused: "Start the agent, and check that it listens on this port and on an address that is reached from outside.",
  tls: "Give the host a certificate that browsers trust, with its whole chain, or register the address that has one.",
  reset: "Look into the agent's log for a crash, and check that the proxy in front of it reaches the agent.",
  network: "Check that the host is up and that no firewall stands in between.",
  truncated: "Look into the agent's log for a crash while it answers, and check the Content-Length that it sends.",
  protocol: "Register the address of an HTTP server; something else listens there.",
  too_large: "Answer with less: only the JSON object that was asked for.",
  encoded: "Send the answer uncompressed, as Accept-Encoding asks.",
  timeout: "Answer faster, keep the agent warm, and check that nothing in front of it holds the request back.",
  address_refused: "Register an address that this arena may call: a public https URL.",
  aborted: "Nothing has to be changed; start it again.",
};

/** The code that a handshake has for a failure. */
const CODE: { readonly [C in ProbeFailureCode]: HandshakeErrorCode } = {
  dns: "dns",
  refused: "network",
  tls: "network",
  reset: "network",
  network: "network",
  truncated: "network",
  protocol: "network",
  too_large: "network",
  encoded: "non-json",
  timeout: "timeout",
  address_refused: "network",
  aborted: "network",
};

/** What a failed exchange means for a step that needed an answer. */
export function judgeFailure(failure: Failed, deadlineMs: number): Finding {
  const { code, cause } = failure;
  if (cause === "arena") {
    return { ok: false, errorCode: "arena", detail: failure.detail, advice: ADVICE.aborted };
  }
  // A status came, and it decides already; what went wrong after it is second to that.
  if (code !== "timeout" && failure.status !== undefined && failure.status >= 300) {
    return judgeStatus(failure.status) as Finding;
  }
  const detail = code === "timeout" ? `There was no whole answer within ${deadlineMs / 1000} s.` : failure.detail;
  return { ok: false, errorCode: CODE[code], detail, advice: ADVICE[code] };
}

/**
 * What a status outside 2xx means; undefined for one within.
 *
 * @param body the answer's, where it is at hand: an agent that says itself what is wrong is quoted
 */
export function judgeStatus(status: number, body?: Uint8Array): Finding | undefined {
  if (status >= 200 && status < 300) return undefined;
  const said = body === undefined ? undefined : readError(body);
  if (said === undefined) {
    return { ok: false, errorCode: "non-2xx", detail: `It answered ${status}.`, advice: statusAdvice(status) };
  }
  // A proxy in front of an agent that is gone sends no such error, so the agent is there.
  const advice =
    status >= 502 && status <= 504 ? "Put right what the agent says about it; its log says more." : undefined;
  const detail = `It answered ${status}: ${said}`;
  return { ok: false, errorCode: "non-2xx", detail, advice: advice ?? statusAdvice(status) };
}

const SAID_MAX_BYTES = 300;

/** The `error` in a JSON object, as agents send it. */
function readError(body: Uint8Array): string | undefined {
  const object = readJsonObject(body);
  const error = object.ok && Object.hasOwn(object.value, "error") ? object.value.error : undefined;
  if (typeof error !== "string" || error.trim() === "") return undefined;
  const why = object.ok && typeof object.value.validationError === "string" ? ` (${object.value.validationError})` : "";
  return truncateUtf8(cleanText(error + why).replaceAll(/\s+/g, " "), SAID_MAX_BYTES, "…");
}

function statusAdvice(status: number): string {
  if (status < 400) return "Register the address that this redirects to: redirects are not followed.";
  if (status === 401 || status === 403) return "Let this request through without credentials; it carries none.";
  if (status === 404) return "Check the path: the agent has to answer at exactly the registered URL.";
  if (status === 405) return "Answer GET with 200 and POST with JSON at the same URL.";
  if (status === 413) return "Accept bodies up to 1 MB.";
  if (status === 415) return "Accept application/json.";
  if (status === 429) return "Exempt the arena from rate limits.";
  if (status === 400 || status === 422)
    return "Accept the payload as it is sent: look into the agent's log for the field it missed.";
  if (status < 500) return "Answer 2xx to this request.";
  if (status === 502 || status === 503 || status === 504) {
    return "Check that the agent runs and is reached by the proxy in front of it, and look into the logs of both.";
  }
  return "Look into the agent's log for the error that made it answer so.";
}
