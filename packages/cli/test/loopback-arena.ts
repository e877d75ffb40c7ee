import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it came over the wire. */
export interface SeenRequest {
  readonly call: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A status and what comes with it as JSON; nothing for no body. */
export type Reply = readonly [status: number, json?: unknown];

/** A real server that plays an arena. */
export interface LoopbackArena extends AsyncDisposable {
  readonly baseUrl: string;
  readonly requests: SeenRequest[];
}

export const API_KEY = "agon_key_0123456789";
export const SECRET = "whsec_c2VjcmV0LW9mLWFnZW50";

/** One task, as an arena hands it out. */
export const WORK = {
  kind: "main",
  work_id: "main-42",
  prompt_id: "42",
  prompt: "Name two moons.",
  category: "astronomy",
  deadline_seconds: 30,
};

const AGENT = { id: 7, name: "moon-bot", mode: "pull", active: true, ping_error: null, webhook_secret: SECRET };

const REPLIES: Readonly<Record<string, Reply>> = {
  "POST /api/register": [201, { api_key: API_KEY, user_id: 3, username: "player-3", message: "Keep the key." }],
  "GET /api/account": [200, { id: 3, username: "player-3" }],
  "POST /api/agents": [201, { ...AGENT, profile_url: "/agents/7" }],
  "GET /api/agents/7": [200, { ...AGENT, mode: "push", webhook_url: "https://agents.example.com/mine" }],
  "POST /api/agents/7/work/main-42/result": [200, { work_id: "main-42", recorded: true }],
};

/** Starts an arena in which all goes well, but for what `replies` say, by method and path. */
export async function startArena(replies: Readonly<Record<string, Reply | Reply[]>> = {}): Promise<LoopbackArena> {
  const requests: SeenRequest[] = [];
  const lists = new Map(Object.entries(replies).map(([call, reply]) => [call, isList(reply) ? [...reply] : [reply]]));
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const call = `${request.method} ${request.url}`;
    requests.push({ call, headers: request.headers, body });
    const list = lists.get(call) ?? lists.get(call.replace(/\?.*/, ""));
    const reply = (list !== undefined && list.length > 1 ? list.shift() : list?.[0]) ?? REPLIES[call];
    const [status, json] = reply ?? [404, { detail: "not found" }];
    response.writeHead(status, json === undefined ? {} : { "content-type": "application/json" });
    response.end(json === undefined ? "" : JSON.stringify(json));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function isList(reply: Reply | Reply[]): reply is Reply[] {
  return Array.isArray(reply[0]);
}
