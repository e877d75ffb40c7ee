import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { type Role, signEdgearena } from "@agon/protocol";
import { createHandler } from "../src/create-handler.ts";
import { type Agent, type HandlerOptions, serve, type WebhookEvent } from "../src/index.ts";

export const KEY = "sa_kit-0001";
/** The time at which everything is signed here. */
export const NOW = 1_700_000_000;
export const ID = "0192f4a9-1be4-7123-b21d-0a55f00d4c8e";
/** By which the arena knows the agent in these tests, whatever port it has. */
export const PUBLIC_URL = "https://agents.example.com/mine?tenant=7";

export const SCOUT_OUTPUT = {
  candidate_title: "Invoices from timesheets",
  target_customer: "Plumbers",
  core_problem: "Paper",
  proposed_solution: "A tool",
  why_now: "New interfaces",
  claims: [{ type: "market", text: "Many do it by hand" }],
  evidence: [{ kind: "interview", summary: "Nine of ten said so" }],
};
export const BUILD_OUTPUT = {
  execution: { objective: "o", first_milestone: "m", success_check: "s", phases: ["p"] },
};
export const VERIFY_OUTPUT = {
  evidence_assessments: [],
  claim_assessments: [],
  evidence_quality_score: 50,
  claim_coverage_score: 50,
  overall_confidence: "medium" as const,
  red_flags: [],
};
export const CRITIQUE_OUTPUT = {
  strengths: ["cheap"],
  weaknesses: [],
  score_adjustments: {},
  penalty_points: 0,
  verdict: "pass" as const,
  fatal_flaw: false,
};

export const MESSAGES = [
  { role: "system", content: "You look for niches. 😀" },
  { role: "user", content: "Find one." },
];

let ids = 0;
/** The body of a dispatch, with an id of its own. */
export function makeDispatch(fields: Record<string, unknown> = {}): Record<string, unknown> {
  const phase = fields.phase ?? "SCOUT";
  return {
    taskId: `0192f4a9-1be4-7123-b21d-${String(++ids).padStart(12, "0")}`,
    runId: ID,
    phase,
    role: phase,
    candidateId: phase === "SCOUT" ? null : ID,
    goal: "Find one.",
    launchpadName: "Make Money",
    messages: MESSAGES,
    ...fields,
  };
}

/** The body of a simulation. */
export function makeSimulation(role: Role, fields: Record<string, unknown> = {}): Record<string, unknown> {
  const common = { protocol: "edgearena-v1", task_id: `simulation-${++ids}`, role, messages: MESSAGES };
  const candidate = {
    id: ID,
    title: "t",
    target_customer: "c",
    core_problem: "p",
    solution_summary: "s",
    why_now: "w",
  };
  if (role === "SCOUT") {
    return { type: "scout_task", ...common, deadline_ms: 30_000, goal: "g", launchpad: "make-money", ...fields };
  }
  const type = role === "BUILDER" ? "build_task" : "analyst_task";
  return { type, ...common, deadline_ms: 30_000, candidate, ...fields };
}

/** The headers of a signed request. */
export function sign(body: string | Uint8Array, input: { key?: string; url?: string; timestamp?: number } = {}) {
  const { key = KEY, url = PUBLIC_URL, timestamp = NOW } = input;
  return {
    "content-type": "application/json",
    "x-edgearena-timestamp": String(timestamp),
    "x-edgearena-signature": signEdgearena({ key, url, timestamp, body }),
  };
}

export interface Reply {
  status: number;
  headers: Record<string, string | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests look at
  json: any;
}

/** One way of reaching an agent. */
export interface Reached extends AsyncDisposable {
  readonly events: WebhookEvent[];
  send(
    method: string,
    body?: string | Uint8Array,
    headers?: Record<string, string>,
    options?: { signal?: AbortSignal; path?: string },
  ): Promise<Reply>;
}

const defaults = { key: KEY, publicUrl: PUBLIC_URL, unixSeconds: () => NOW };

/** Reaches an agent as a function from Request to Response. */
export async function byFetch(agent: Agent, options: HandlerOptions = {}): Promise<Reached> {
  const events: WebhookEvent[] = [];
  const handler = createHandler(agent, { ...defaults, onEvent: (event) => events.push(event), ...options });
  return {
    events,
    async send(method, body, headers = {}, { signal, path = "/mine" } = {}) {
      const request = new Request(`http://10.0.0.5:3000${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: body as string }),
        ...(signal === undefined ? {} : { signal }),
      });
      const response = await handler(request);
      const text = await response.text();
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        json: text === "" ? undefined : JSON.parse(text),
      };
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** Reaches an agent over HTTP. */
export async function byHttp(agent: Agent, options: HandlerOptions = {}): Promise<Reached> {
  const events: WebhookEvent[] = [];
  const stop = new AbortController();
  const served = await serve(agent, {
    ...defaults,
    onEvent: (event) => events.push(event),
    ...options,
    port: 0,
    abortSignal: stop.signal,
  });
  return {
    events,
    async send(method, body, headers = {}, { signal, path = "/mine" } = {}) {
      const call = httpRequest(served.url + path, { method, headers, agent: false, ...(signal ? { signal } : {}) });
      call.end(body);
      const [response] = (await once(call, "response")) as [IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString("utf8");
      return {
        status: response.statusCode ?? 0,
        headers: response.headers as Reply["headers"],
        json: text === "" ? undefined : JSON.parse(text),
      };
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await served.done;
    },
  };
}
