import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { parseAgentSecret } from "./agent-secret.ts";
import type { Answer } from "./answer.ts";
import { startListening } from "./listening.ts";
import type { WebhookCall } from "./webhook-body.ts";
import type { WebhookEvent, WebhookSummary } from "./webhook-event.ts";
import { readWebhookCall } from "./webhook-request.ts";
import { createWebhookTasks } from "./webhook-tasks.ts";

/** What {@link serveWebhook} needs. */
export interface ServeWebhookOptions {
  /**
   * The agent's own `webhook_secret`. A function is asked at each request, for a secret that is replaced while the server
   * runs; while it returns undefined every POST is refused.
   */
  readonly secret: string | (() => string | undefined);
  /** Does the work. */
  readonly answer: Answer;
  /** Address to listen on; 127.0.0.1 by default, where a proxy or a tunnel on the same machine finds it. */
  readonly host?: string;
  /** Port to listen on; 4601 by default, 0 takes a free one. */
  readonly port?: number;
  /** How many prompts are worked on at a time; 1 by default. More wait for their turn while their deadlines run. */
  readonly concurrency?: number;
  /** Hears everything that happens. What it throws is dropped: a broken listener is no reason to lose an answer. */
  readonly onEvent?: (event: WebhookEvent) => void;
  /** Stops in an orderly way: nothing new is taken, what is in hand is finished and answered. */
  readonly signal?: AbortSignal;
  /** Stops at once: work in hand is given up, and the arena is told that. */
  readonly abortSignal?: AbortSignal;
  /** Milliseconds of a clock that only goes forward; `performance.now` unless given. */
  readonly now?: () => number;
  /** Unix seconds, against which the time of a signature is checked; the system's unless given. */
  readonly unixSeconds?: () => number;
}

/** A webhook server that listens. */
export interface WebhookServer {
  /** Where it listens, without a path: every path leads to the agent. */
  readonly url: string;
  /** Resolves when it has stopped. */
  readonly done: Promise<WebhookSummary>;
}

/** A request has to be whole by then. Arenas send theirs in one go; the answer may take as long as its deadline. */
const REQUEST_TIMEOUT_MS = 30_000;

const LISTENING = { ok: true, message: "An agent listens here. An arena sends it signed prompts by POST." };

/**
 * Serves an agent to arenas that push prompts in the tesserax dialect, until stopped.
 *
 * A POST needs a right `X-Arena-Signature` over its raw bytes, else it is answered 401 with the reason; a Standard
 * Webhooks signature beside it has to be right as well. The arena's ping is answered at once, a prompt with
 * `{ "response": … }`, and with 502 and `{ "error": … }` when the agent failed. A prompt runs once however often it comes,
 * its deadline counts from receipt, and it is given up when its caller is gone. GET is answered 200 without any work,
 * malformed requests 400, other methods 405, bodies over 1 MiB 413, encoded ones 415, and 503 while stopping.
 *
 * @returns when it listens
 * @throws TypeError for options that can never work; the system's error when the address cannot be listened on
 */
export async function serveWebhook(options: ServeWebhookOptions): Promise<WebhookServer> {
  const { host = "127.0.0.1", port = 4601, concurrency = 1, now = () => performance.now() } = options;
  const { unixSeconds = () => Date.now() / 1_000 } = options;
  const secretOf = readSecretOption(options.secret);
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new TypeError("The number of prompts at a time has to be a whole number from 1 up.");
  }
  const emit = (event: WebhookEvent) => {
    try {
      options.onEvent?.(event);
    } catch {}
  };
  const tasks = createWebhookTasks({ answer: options.answer, concurrency, now, emit });
  const exchanges = new Set<Promise<void>>();
  let stopping = false;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method } = request;
    if (method === "GET" || method === "HEAD") return reply(response, 200, LISTENING);
    if (method !== "POST") {
      response.setHeader("allow", "GET, HEAD, POST");
      return reply(response, 405, { error: `${method} is not served here; prompts arrive by POST` });
    }
    const call = await readWebhookCall(request, () => ({ secret: secretOf(), unixSeconds: unixSeconds() }));
    if (call.type === "refused") {
      const { status, reason, code } = call;
      emit({ type: "refused", status, reason });
      if (status === 413) response.setHeader("connection", "close"); // the rest of the body is still on its way
      return reply(response, status, { error: reason, ...(code === undefined ? {} : { code }) });
    }
    if (call.type === "ping") {
      emit({ type: "ping" });
      return reply(response, 200, { response: "pong" });
    }
    if (stopping) return reply(response, 503, { error: "the agent is stopping" });
    const exchange = answerPrompt(call, response).finally(() => exchanges.delete(exchange));
    exchanges.add(exchange);
    return exchange;
  };

  const answerPrompt = async (call: Extract<WebhookCall, { type: "prompt" }>, response: ServerResponse) => {
    const { work, messageId } = call;
    const { outcome, leave } = tasks.take(work, messageId);
    response.once("close", leave);
    const made = await outcome;
    response.off("close", leave);
    const result = "response" in made ? "response" : "error";
    if ("response" in made) await reply(response, 200, { response: made.response });
    else await reply(response, 502, { error: made.error });
    if (response.writableFinished) emit({ type: "replied", work, result });
    else emit({ type: "unreplied", work, result, reason: "the arena closed the connection" });
  };

  const reply = async (response: ServerResponse, status: number, body: object): Promise<void> => {
    if (response.destroyed) return;
    const bytes = Buffer.from(JSON.stringify(body));
    if (stopping) response.setHeader("connection", "close");
    response.writeHead(status, { "content-type": "application/json", "content-length": bytes.length }).end(bytes);
    await once(response, "close"); // also comes after a connection that broke
  };

  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    handle(request, response).catch(() => {
      // A request that broke off leaves nobody to answer.
      if (request.complete && !response.headersSent) reply(response, 500, { error: "a fault of the agent's server" });
      else response.destroy();
    });
  });
  const url = await startListening(server, host, port);
  emit({ type: "listening", url });

  const closed = once(server, "close");
  const stopped = Promise.withResolvers<void>();
  const stop = () => {
    if (stopping) return;
    stopping = true;
    if (tasks.holding().length > 0) emit({ type: "stopping", holding: tasks.holding() });
    server.close();
    stopped.resolve();
  };
  const abort = () => {
    stop();
    tasks.abort(new Error("the agent was stopped"));
  };
  const { signal, abortSignal } = options;
  signal?.addEventListener("abort", stop);
  abortSignal?.addEventListener("abort", abort);
  if (signal?.aborted) stop();
  if (abortSignal?.aborted) abort();

  const finish = async (): Promise<WebhookSummary> => {
    await stopped.promise;
    while (exchanges.size > 0) await Promise.all(exchanges);
    server.closeAllConnections(); // those without a whole request
    await closed;
    signal?.removeEventListener("abort", stop);
    abortSignal?.removeEventListener("abort", abort);
    const summary = tasks.counts();
    emit({ type: "stopped", ...summary });
    return summary;
  };
  return { url, done: finish() };
}

function readSecretOption(secret: ServeWebhookOptions["secret"]): () => string | undefined {
  if (typeof secret === "function") return () => secret()?.trim();
  const parsed = parseAgentSecret(secret);
  return () => parsed;
}
