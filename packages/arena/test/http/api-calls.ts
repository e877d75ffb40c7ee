import type { FastifyInstance, InjectOptions } from "fastify";
import type { RouteAuth } from "../../src/http/route-config.ts";
import type { World } from "./api-world.ts";

export interface ApiParameter {
  name: string;
  schema: { type?: string; enum?: unknown[]; maximum?: number };
}

/** One call of the API as its OpenAPI description has it. */
export interface ApiCall {
  /** Such as `GET /api/agents/{agent_id}`. */
  name: string;
  method: NonNullable<InjectOptions["method"]>;
  path: string;
  auth: RouteAuth;
  pathParameters: ApiParameter[];
  queryParameters: ApiParameter[];
  /** Names of the body's fields; undefined when the description has no body. */
  bodyFields: string[] | undefined;
  bodyIsOptional: boolean;
  /** The codes that its description says it may be refused with. */
  problems: string[];
}

/** Codes that any call may be refused with, and that no description repeats. */
export const PROBLEMS_OF_ALL: readonly string[] = ["method_not_allowed", "misdirected_host", "internal", "unavailable"];

interface BodySchema {
  type?: string;
  properties?: Record<string, unknown>;
}

interface Operation {
  security?: Record<string, unknown>[];
  parameters?: { in: string; name: string; schema: ApiParameter["schema"] }[];
  requestBody?: { content: Record<string, { schema: BodySchema & { anyOf?: BodySchema[] } }> };
  "x-problems": { code: string; status: number }[];
}

/** Every documented call, in the order of the description. */
export function listCalls(app: FastifyInstance): ApiCall[] {
  const paths = app.swagger().paths as Record<string, Record<string, Operation>>;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => toCall(path, method.toUpperCase(), operation)),
  );
}

/** Those that name their faults as this arena does. A completion is refused with texts of its own, which its tests pin. */
export function listOwnCalls(app: FastifyInstance): ApiCall[] {
  return listCalls(app).filter(({ auth }) => auth !== "signature");
}

function toCall(path: string, method: string, operation: Operation): ApiCall {
  const parameters = (place: string) => (operation.parameters ?? []).filter((each) => each.in === place);
  const schema = operation.requestBody && Object.values(operation.requestBody.content)[0]?.schema;
  const forms = schema && (schema.anyOf ?? [schema]);
  return {
    name: `${method} ${path}`,
    method: method as ApiCall["method"],
    path,
    auth: (Object.keys(operation.security?.[0] ?? { public: [] })[0] ?? "public") as RouteAuth,
    pathParameters: parameters("path"),
    queryParameters: parameters("query"),
    bodyFields: forms?.flatMap((form) => Object.keys(form.properties ?? {})),
    bodyIsOptional: forms?.some((form) => form.type === "null") === true,
    problems: operation["x-problems"].map(({ code }) => code),
  };
}

/**
 * A good body for each call that has one. A call that is missing here makes the tests fail, so that none is added
 * without being tried.
 */
export const BODIES: Readonly<Record<string, object>> = {
  // An address that the guard refuses, so that nobody is called.
  "POST /api/probes/ping": { endpoint_url: "https://192.0.2.1/agent" },
  "POST /api/probes/handshake": { endpoint_url: "https://192.0.2.1/agent" },
  "POST /api/probes/simulation": { endpoint_url: "https://192.0.2.1/agent", role: "SCOUT" },
  "POST /api/session": { api_key: "agon_nobodys-key" },
  "POST /api/agents/{agent_id}/test-task": {},
  "POST /api/runs": { goal: "Find a niche.", launchpad: "make-money" },
  "PATCH /api/account": { bio: "Likes rivers." },
  "POST /api/agents": { name: "second agent", mode: "pull" },
  "PATCH /api/agents/{agent_id}": { description: "Knows rivers." },
  "POST /api/admin/prompts": [{ prompt: "Which river is the longest?", category: "rivers" }],
  "PATCH /api/admin/prompts/{prompt_id}": { retired: true },
  "POST /api/admin/prompts/retire": { ids: [1], retired: true },
  "POST /api/admin/checks/try": { check: { kind: "number", value: 2 }, answers: ["It is 2."] },
  "POST /api/admin/agents/{agent_id}/suspend": { reason: "Answers with somebody else's text." },
  "POST /api/admin/reports/{report_id}/dismiss": { dismissed: true },
  "POST /api/agents/{agent_id}/work/{work_id}/result": { response: "The Nile." },
  "POST /api/admin/rulings": { kind: "void", choice: { from: 1 }, reason: "made up" },
  "POST /api/admin/accounts": { username: "invited-UNIQUE" },
  "POST /api/admin/accounts/{account_id}/ban": { banned: true },
  "POST /api/judge/{battle_id}/vote": { choice: "tie" },
  "POST /api/judge/{battle_id}/report": { side: "a", reason: "spam" },
};

/** What the rightful caller gets where the world has nothing to succeed with. Other calls answer them 2xx. */
export const RIGHTFUL_STATUS: Readonly<Record<string, number>> = {
  // The world's agents are pull agents, which are never called.
  "POST /api/agents/{agent_id}/retest": 409,
  "POST /api/agents/{agent_id}/activate": 409,
  "POST /api/agents/{agent_id}/verify": 409,
  "POST /api/agents/{agent_id}/pause": 409,
  "POST /api/agents/{agent_id}/resume": 409,
  // Nobody was shown a battle.
  "POST /api/judge/{battle_id}/vote": 404,
  "POST /api/judge/{battle_id}/report": 404,
  // Nobody has the key that is tried; accounts/sessions.test.ts signs in with good ones.
  "POST /api/session": 401,
};

/** Whether a call that was made rightly was answered as it should be. */
export function isServed(call: ApiCall, status: number): boolean {
  return (
    status === RIGHTFUL_STATUS[call.name] || (RIGHTFUL_STATUS[call.name] === undefined && status >= 200 && status < 300)
  );
}

/** The calls whose validation faults are 422, because clients of the tesserax dialect expect it; the others answer 400. */
export const TESSERAX_CALLS: ReadonlySet<string> = new Set([
  "POST /api/register",
  "GET /api/account",
  "PATCH /api/account",
  "GET /api/version",
  "GET /api/users",
  "GET /api/users/{user_id}",
  "POST /api/agents",
  "GET /api/agents",
  "GET /api/agents/{agent_id}",
  "PATCH /api/agents/{agent_id}",
  "POST /api/agents/{agent_id}/retest",
  "POST /api/agents/{agent_id}/regenerate-secret",
  "POST /api/agents/{agent_id}/deactivate",
  "GET /api/agents/{agent_id}/activity",
  "GET /api/agents/{agent_id}/work/next",
  "POST /api/agents/{agent_id}/work/{work_id}/result",
]);

/** The call with everything right except who calls. Throws when this file does not know how to make it. */
export function buildRequest(call: ApiCall, world: World): InjectOptions & { url: string } {
  let url = call.path;
  for (const { name } of call.pathParameters) {
    const value = (world.ids as Record<string, string | number>)[name];
    if (value === undefined) throw new Error(`no value is known for {${name}} of ${call.name}: add one to the world`);
    url = url.replace(`{${name}}`, String(value));
  }
  const body = BODIES[call.name];
  if (call.bodyFields !== undefined && body === undefined) {
    throw new Error(`no body is known for ${call.name}: add one to BODIES`);
  }
  return { method: call.method, url, ...(body === undefined ? {} : { payload: toText(body) }) };
}

/** A body as JSON text, with a name that nobody has yet where it asks for one. */
export function toText(body: unknown): string {
  return JSON.stringify(body).replace("UNIQUE", crypto.randomUUID().slice(0, 8));
}

/** The headers of the one who may make a call. */
export function rightfulHeaders(call: ApiCall, world: World): Record<string, string> {
  switch (call.auth) {
    case "public":
    // Nobody but who has a task and the key of its agent, and the world has none of those.
    case "signature":
      return {};
    case "account":
    case "owner":
    case "judge":
      return { authorization: `Bearer ${world.owner.apiKey}` };
    case "admin":
      return { authorization: `Bearer ${world.adminKey}` };
    case "agent":
      return { "x-arena-secret": world.owner.secret };
  }
}

/** Every route the server has, also those that the description hides, such as `GET /healthz`. HEAD is left out. */
export function listRoutes(app: FastifyInstance): string[] {
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split("\n")
    .flatMap((line) => {
      const [, indent = "", segment = "", methods = ""] = /^(.*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
      if (segment === "") return [];
      above.length = indent.length / 4;
      above.push(segment);
      const path = above.join("").replace(/:(\w+)/g, "{$1}");
      return methods
        .split(", ")
        .filter((method) => method !== "" && method !== "HEAD")
        .map((method) => `${method} ${path}`);
    });
}
