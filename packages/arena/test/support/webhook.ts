import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { verifyStandardWebhook, verifyTesserax } from "@agon/protocol";

export interface ReceivedPush {
  method: string;
  headers: IncomingMessage["headers"];
  rawHeaders: string[];
  body: Buffer;
  json: { prompt_id: string; prompt: string; category: string; deadline_seconds: number };
}

export interface Webhook {
  url: string;
  received: ReceivedPush[];
  /** Prompts without pings. */
  prompts(): ReceivedPush[];
  close(): Promise<void>;
}

type Behaviour = (push: ReceivedPush, response: ServerResponse) => void;

/** Answers a ping with an object and a prompt with `answer`. */
export function answerWith(answer: string | ((prompt: string) => string)): Behaviour {
  return ({ json }, response) => {
    const text = typeof answer === "string" ? answer : answer(json.prompt);
    sendJson(response, json.prompt_id === "0" ? { ok: true } : { response: text });
  };
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  const body = JSON.stringify(value);
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
}

/** A webhook on loopback that does what it is told and remembers what it got. */
export async function startWebhook(behaviour: Behaviour): Promise<Webhook> {
  const received: ReceivedPush[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const push = {
      method: request.method as string,
      headers: request.headers,
      rawHeaders: request.rawHeaders,
      body,
      json: body.length === 0 ? undefined : JSON.parse(body.toString("utf8")),
    } as ReceivedPush;
    received.push(push);
    behaviour(push, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    prompts: () => received.filter((push) => push.json?.prompt_id !== "0"),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Whether both signatures of a push are right under this secret. */
export function isSigned(push: ReceivedPush, secret: string, now: number): boolean {
  const header = (name: string) => push.headers[name] as string | undefined;
  const legacy = verifyTesserax({ secret, signature: header("x-arena-signature"), body: push.body });
  const standard = verifyStandardWebhook({
    secret,
    id: header("webhook-id"),
    timestamp: header("webhook-timestamp"),
    signature: header("webhook-signature"),
    body: push.body,
    now: now / 1000,
  });
  return legacy.ok && standard.ok;
}
