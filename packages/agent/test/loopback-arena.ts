import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it came over the wire. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What to answer: a status with JSON or text, or whatever a function does with the response itself. */
export type Reply =
  | { status: number; json?: unknown; text?: string; headers?: Record<string, string> }
  | ((response: ServerResponse) => void);

/** A real server on a loopback port that answers by script. */
export interface LoopbackArena extends AsyncDisposable {
  readonly baseUrl: string;
  readonly requests: SeenRequest[];
  /** Requests whose path ends in this. */
  to(ending: string): SeenRequest[];
}

/** Starts a server that answers each request with what `reply` says. */
export async function startArena(reply: (request: SeenRequest) => Reply | Promise<Reply>): Promise<LoopbackArena> {
  const requests: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "", headers } = request;
    const seen = { method, path: url, headers, body: Buffer.concat(chunks).toString("utf8") };
    requests.push(seen);
    const answer = await reply(seen);
    if (typeof answer === "function") return answer(response);
    const body = answer.text ?? (answer.json === undefined ? "" : JSON.stringify(answer.json));
    const type = answer.text === undefined ? "application/json" : "text/html";
    response
      .writeHead(answer.status, { ...(body === "" ? {} : { "content-type": type }), ...answer.headers })
      .end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    to: (ending) => requests.filter((request) => request.path.replace(/\?.*/, "").endsWith(ending)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** 204, as for a poll without work. */
export const NOTHING: Reply = { status: 204 };

/** 200, as for a result that was recorded. */
export const RECORDED: Reply = { status: 200, json: { recorded: true } };

/** An error as an arena words it. */
export function problem(status: number, detail: string, headers: Record<string, string> = {}): Reply {
  return { status, json: { type: "about:blank", title: "No", status, detail, code: "no" }, headers };
}
