import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { signStandardWebhook, signTesserax } from "@agon/protocol";
import type { WebhookEvent } from "../src/webhook-event.ts";
import { type ServeWebhookOptions, serveWebhook } from "../src/webhook-server.ts";

export const SECRET = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;

/** The time at which everything is signed here. */
export const NOW = 1_700_000_000;

/** What came back. */
export interface Reply {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly json: unknown;
}

/** A prompt as an arena pushes it. */
export function makeBody(fields: Record<string, unknown> = {}): string {
  return JSON.stringify({
    prompt_id: "42",
    prompt: "Name two moons.",
    category: "astronomy",
    deadline_seconds: 30,
    ...fields,
  });
}

export const PING = makeBody({ prompt_id: "0", prompt: "ping", category: "ping", deadline_seconds: 15 });

/** The header of the dialect's own signature. */
export function signed(body: string | Buffer, secret = SECRET): Record<string, string> {
  return { "x-arena-signature": signTesserax({ secret, body }) };
}

/** The headers of both signatures, as an Agon arena sends them. */
export function signedTwice(body: string | Buffer, id: string, timestamp = NOW): Record<string, string> {
  return {
    ...signed(body),
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signStandardWebhook({ secret: SECRET, id, timestamp, body }),
  };
}

/** Sends a request and reads its answer as JSON. A signal breaks it off. */
export async function send(
  url: string,
  body: string | Buffer | undefined,
  headers: Record<string, string> = body === undefined ? {} : signed(body),
  options: { method?: string; signal?: AbortSignal } = {},
): Promise<Reply> {
  const call = request(url, { method: body === undefined ? "GET" : "POST", headers, agent: false, ...options });
  call.end(body);
  const [response] = (await once(call, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  return { status: response.statusCode, headers: response.headers, json: text === "" ? undefined : JSON.parse(text) };
}

/** A webhook server for one test, with what it told. */
export interface TestWebhook extends AsyncDisposable {
  readonly url: string;
  readonly done: Promise<unknown>;
  readonly stop: AbortController;
  readonly abort: AbortController;
  readonly events: WebhookEvent[];
  /** Resolves at the next event of a type, or at once when there was one. */
  seen(type: WebhookEvent["type"]): Promise<void>;
}

/** Serves an agent on a free port until the end of the test. */
export async function startWebhook(options: Partial<ServeWebhookOptions> = {}): Promise<TestWebhook> {
  const events: WebhookEvent[] = [];
  const watchers = new Set<() => void>();
  const stop = new AbortController();
  const abort = new AbortController();
  const server = await serveWebhook({
    secret: SECRET,
    answer: async () => "Io, Europa",
    port: 0,
    signal: stop.signal,
    abortSignal: abort.signal,
    unixSeconds: () => NOW,
    ...options,
    onEvent(event) {
      events.push(event);
      options.onEvent?.(event);
      for (const watch of watchers) watch();
    },
  });
  return {
    ...server,
    stop,
    abort,
    events,
    seen: (type) =>
      new Promise((resolve) => {
        const watch = () => {
          if (!events.some((event) => event.type === type)) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
    async [Symbol.asyncDispose]() {
      abort.abort();
      await server.done;
    },
  };
}
