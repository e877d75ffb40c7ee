import { cleanText } from "@agon/protocol";
import type { Dispatcher } from "undici";
import type { CallOffs } from "./call-offs.ts";
import { createBodyBuffer } from "./outbound-body.ts";
import type { OutboundConnection } from "./outbound-connection.ts";
import { startDeadline } from "./outbound-deadline.ts";
import { ExchangeFault, type ExchangeStage, type Failure, toFailure } from "./outbound-failure.ts";
import { type ExchangeResult, type ExchangeTimings, headerOf, type ResponseHeaders } from "./outbound-result.ts";

const EXCERPT_BYTES = 2_000;

/** A server that sends interim answers without end would otherwise keep us parsing until the deadline. */
const INTERIM_MAX = 16;

export interface ExchangeRequest {
  url: string;
  method: "GET" | "POST";
  headers: Readonly<Record<string, string>>;
  body?: Buffer | string;
  /** Over all of it: name, connection, request, answer to its last byte. */
  deadlineMs: number;
  maxResponseBytes: number;
  /** The status decides alone. The body is neither read to its end nor checked, whatever it is. */
  ignoreBody?: boolean;
  /**
   * Use a kept connection, and keep this one; `"hot"` uses one only right after its last answer. Otherwise the
   * connection is new and closed afterwards.
   */
  reuse?: true | "hot";
  /** Calls the exchange off. */
  signal?: AbortSignal | undefined;
}

/**
 * One request and its answer over one connection. Resolves for whatever the endpoint does; rejects only with a TypeError
 * for a request that cannot be sent, such as one with a line break in a header.
 *
 * Redirects are answers here: followed, a POST would arrive as a GET, or the signature at somebody else's server.
 *
 * The caller ends or keeps the connection afterwards. Ending it in here would mostly happen inside the parser of the
 * client library.
 *
 * @param startedAt ms since the epoch by the arena's clock
 * @param callOffs ends every exchange
 */
export function runExchange(
  connection: OutboundConnection,
  url: URL,
  request: ExchangeRequest,
  startedAt: number,
  callOffs: CallOffs,
): Promise<ExchangeResult> {
  // Durations of real traffic, so real time; the arena's clock may be set while an exchange is under way.
  const began = performance.now();
  const timings: ExchangeTimings = { total: 0 };
  const body = createBodyBuffer(request.maxResponseBytes);
  let stage: ExchangeStage = "connected";
  let stageBegan = began;
  let isStarted = false;
  let isDone = false;
  let reused = false;
  let interim = 0;
  let answer: { status: number; headers: ResponseHeaders } | undefined;

  const enter = (next: ExchangeStage) => {
    const now = performance.now();
    if (stage === "dns" || stage === "connect" || stage === "tls") timings[stage] = toMs(now - stageBegan);
    stage = next;
    stageBegan = now;
  };

  return new Promise((resolve, reject) => {
    let isSettled = false;
    let place: number | undefined;
    const settle = (conclude: () => void) => {
      if (isSettled) return;
      isSettled = true;
      endDeadline();
      if (place !== undefined) callOffs.remove(place);
      request.signal?.removeEventListener("abort", onAbort);
      timings.total = toMs(performance.now() - began);
      conclude();
    };
    const facts = () => ({
      startedAt,
      timings,
      reusedSocket: reused,
      ...(connection.remoteAddress === undefined ? {} : { remoteAddress: connection.remoteAddress }),
    });
    const succeed = () => settle(() => resolve({ ok: true, ...answer!, body: body.bytes(), ...facts() }));
    const fail = (failure: Failure, loopLagMs = 0) =>
      settle(() =>
        resolve({
          ok: false,
          ...failure,
          ...facts(),
          ...answer,
          ...(body.length > 0 ? { bodyExcerpt: toExcerpt(body.bytes()) } : {}),
          ...(loopLagMs > 0 ? { loopLagMs: toMs(loopLagMs) } : {}),
        }),
      );
    const onAbort = () => fail({ cause: "arena", code: "aborted", detail: "The arena called this exchange off." });
    const endDeadline = startDeadline({
      deadlineMs: request.deadlineMs,
      bytesRead: () => connection.bytesRead,
      onExpired: (lagMs) =>
        fail({ cause: "timeout", code: "timeout", detail: describeTimeout(request, url, stage, body.length) }, lagMs),
    });
    if (callOffs.isOver || request.signal?.aborted) return onAbort();
    place = callOffs.add(onAbort);
    request.signal?.addEventListener("abort", onAbort);

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        // By its own rules undici may send a request again that a lost connection left unanswered. This one never.
        if (isStarted) return controller.abort(new ExchangeFault(lost(url)));
        isStarted = true;
        reused = connection.isReused;
        enter("sent");
      },
      onResponseStarted() {
        timings.firstByte ??= toMs(performance.now() - stageBegan);
      },
      onResponseStart(controller, status, headers) {
        if (status < 200) {
          interim += 1;
          if (interim > INTERIM_MAX) controller.abort(new ExchangeFault(endless(url)));
          return;
        }
        answer = { status, headers };
        enter("body");
        if (request.ignoreBody) {
          // A short body has been read by then, and the connection can be kept; a long one is cut off.
          setImmediate(() => {
            succeed();
            if (!isDone) connection.destroy();
          });
          return;
        }
        const fault = findFault(url, request, headers);
        if (fault !== undefined) controller.abort(new ExchangeFault(fault));
      },
      onResponseData(controller, chunk) {
        if (request.ignoreBody) return;
        if (!body.append(chunk)) controller.abort(new ExchangeFault(tooLarge(url, request)));
      },
      onResponseEnd() {
        isDone = true;
        succeed();
      },
      onResponseError(_controller, error) {
        if ((error as NodeJS.ErrnoException).code === "UND_ERR_INVALID_ARG") {
          const message = `the request to ${url.host} cannot be sent: ${error.message}`;
          return settle(() => reject(new TypeError(message, { cause: error })));
        }
        if (request.ignoreBody && answer !== undefined) return;
        fail(toFailure(error, { stage, host: url.host, received: body.length }));
      },
    };
    connection.dispatch(toDispatch(url, request), handler, enter);
  });
}

function toDispatch(url: URL, request: ExchangeRequest): Dispatcher.DispatchOptions {
  return {
    path: url.pathname + url.search,
    method: request.method,
    headers: { ...request.headers, "accept-encoding": "identity" },
    // As bytes, so that the content length counts those.
    body: typeof request.body === "string" ? Buffer.from(request.body) : (request.body ?? null),
    reset: !request.reuse,
  };
}

function findFault(url: URL, request: ExchangeRequest, headers: ResponseHeaders): Failure | undefined {
  const encoding = headerOf(headers, "content-encoding")?.trim().toLowerCase() ?? "";
  if (encoding !== "" && encoding !== "identity") {
    // Never inflated: a few kilobytes can hold gigabytes.
    const detail = `${url.host} sent a ${encoding.slice(0, 40)} body although only identity was accepted. Switch compression off for it.`;
    return { cause: "invalid", code: "encoded", detail };
  }
  return Number(headerOf(headers, "content-length")) > request.maxResponseBytes ? tooLarge(url, request) : undefined;
}

function tooLarge(url: URL, request: ExchangeRequest): Failure {
  const detail = `${url.host} answered with more than the ${request.maxResponseBytes} bytes that are read.`;
  return { cause: "invalid", code: "too_large", detail };
}

function endless(url: URL): Failure {
  return { cause: "unreachable", code: "protocol", detail: `${url.host} sent interim answers without end.` };
}

function lost(url: URL): Failure {
  return { cause: "unreachable", code: "reset", detail: `The connection to ${url.host} was lost without an answer.` };
}

function describeTimeout(request: ExchangeRequest, url: URL, stage: ExchangeStage, received: number): string {
  const where: Record<ExchangeStage, string> = {
    dns: `the name ${url.hostname} was still being resolved`,
    connect: "no connection had been made",
    tls: "the TLS handshake was not finished",
    connected: "the request had not been sent",
    sent: "no answer had begun",
    body: `the answer had begun but not ended, after ${received} bytes of its body`,
  };
  return `${url.host} did not answer within ${request.deadlineMs / 1_000} s: ${where[stage]}.`;
}

function toExcerpt(bytes: Buffer): string {
  return cleanText(bytes.subarray(0, EXCERPT_BYTES).toString("utf8"));
}

function toMs(duration: number): number {
  return Math.max(0, Math.round(duration * 10) / 10);
}
