import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AgentReply, toReply } from "./agent-call.ts";
import type { Agent } from "./agent-definition.ts";
import { createAgentHandler, type HandlerOptions } from "./agent-handler.ts";
import { startListening } from "./listening.ts";
import type { WebhookSummary } from "./webhook-event.ts";
import { headerOf, readBody } from "./webhook-request.ts";

/** What {@link serve} needs beside the handler's options. */
export interface ServeOptions extends HandlerOptions {
  /** Address to listen on; 127.0.0.1 by default, where a proxy or a tunnel on the same machine finds it. */
  readonly host?: string;
  /** Port to listen on; 4601 by default, 0 takes a free one. */
  readonly port?: number;
  /** Stops in an orderly way: nothing new is taken, what is in hand is finished and answered. */
  readonly signal?: AbortSignal;
  /** Stops at once: work in hand is given up, and the arena is told that. */
  readonly abortSignal?: AbortSignal;
}

/** An agent that listens. */
export interface ServedAgent {
  /** Where it listens, without a path: every path leads to the agent. */
  readonly url: string;
  /** Resolves when it has stopped. */
  readonly done: Promise<WebhookSummary>;
}

/** A request has to be whole by then. Arenas send theirs in one go; the answer may take as long as its deadline. */
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * Serves an agent by Node's own HTTP server until stopped, in both dialects: what {@link createHandler} does, without
 * the objects of fetch in between.
 *
 * @returns when it listens
 * @throws TypeError for options that can never work; the system's error when the address cannot be listened on
 */
export async function serve(agent: Agent, options: ServeOptions = {}): Promise<ServedAgent> {
  const { host = "127.0.0.1", port = 4601, signal, abortSignal, onEvent } = options;
  const handler = createAgentHandler(agent, options);
  const exchanges = new Set<Promise<void>>();
  let isStopping = false;

  const emit: NonNullable<typeof onEvent> = (event) => {
    try {
      onEvent?.(event);
    } catch {}
  };

  const exchange = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    const closed = new Promise<void>((resolve) => {
      // Also comes after a connection that broke.
      response.on("close", () => {
        if (!response.writableFinished) gone.abort();
        resolve();
      });
    });
    const reply = await handler
      .handle({
        method: request.method ?? "GET",
        url: `http://${request.headers.host ?? "localhost"}${request.url ?? "/"}`,
        header: (name) => headerOf(request, name),
        readBody: () => readBody(request),
        gone: gone.signal,
      })
      .catch(() => (request.complete ? toReply(500, { error: "a fault of the agent's server" }) : undefined));
    // A request that broke off leaves nobody to answer.
    if (reply === undefined) response.destroy();
    else {
      send(response, reply, isStopping);
      await closed;
    }
    if (reply?.outcome === undefined) return;
    if (response.writableFinished) emit({ type: "replied", ...reply.outcome });
    else emit({ type: "unreplied", ...reply.outcome, reason: "the arena closed the connection" });
  };

  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    const done: Promise<void> = exchange(request, response).finally(() => exchanges.delete(done));
    exchanges.add(done);
  });
  const url = await startListening(server, host, port);
  emit({ type: "listening", url });

  const closed = once(server, "close");
  const stopped = Promise.withResolvers<void>();
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    handler.stop();
    if (handler.holding().length > 0) emit({ type: "stopping", holding: handler.holding() });
    server.close();
    stopped.resolve();
  };
  const abort = () => {
    stop();
    handler.abort();
  };
  signal?.addEventListener("abort", stop);
  abortSignal?.addEventListener("abort", abort);
  if (signal?.aborted) stop();
  if (abortSignal?.aborted) abort();

  const finish = async (): Promise<WebhookSummary> => {
    await stopped.promise;
    await handler.idle();
    server.closeIdleConnections();
    while (exchanges.size > 0) await Promise.all(exchanges);
    server.closeAllConnections(); // those without a whole request
    await closed;
    signal?.removeEventListener("abort", stop);
    abortSignal?.removeEventListener("abort", abort);
    const summary = handler.counts();
    emit({ type: "stopped", ...summary });
    return summary;
  };
  return { url, done: finish() };
}

function send(response: ServerResponse, reply: AgentReply, isLast: boolean): void {
  if (response.destroyed) return;
  if (isLast) response.setHeader("connection", "close");
  response
    .writeHead(reply.status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(reply.body),
      ...reply.headers,
    })
    .end(reply.body); // as text: head and body then leave in one write
}
