import { sql } from "drizzle-orm";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createArena } from "../../src/arena.ts";
import { loadConfig } from "../../src/config.ts";
import { CALLS_WITH_PROBLEMS } from "../../src/http/call-problems.ts";
import { createBareApp } from "../support/bare-app.ts";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createManualClock, createTestArena, type TestArena } from "../support/test-arena.ts";
import {
  type ApiCall,
  buildRequest,
  isServed,
  listCalls,
  listOwnCalls,
  listRoutes,
  PROBLEMS_OF_ALL,
  rightfulHeaders,
  TESSERAX_CALLS,
} from "./api-calls.ts";
import { createWorld, snapshot, type World } from "./api-world.ts";
import { expectDescribed, expectProblem } from "./problem-answers.ts";

/** Everybody who might try a call, with the headers that they would send. */
function callersOf({ owner, other, adminKey, cookies }: World) {
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  return {
    nobody: {},
    "a wrong key": bearer("agon_nobodys-key"),
    "a key without its scheme": { authorization: owner.apiKey },
    "a key as Basic": { authorization: `Basic ${Buffer.from(`${owner.apiKey}:`).toString("base64")}` },
    "the owner's key": bearer(owner.apiKey),
    "another account's key": bearer(other.apiKey),
    "the agent's secret as Bearer": bearer(owner.secret),
    "the agent's secret": { "x-arena-secret": owner.secret },
    "another agent's secret": { "x-arena-secret": other.secret },
    "the owner's key as a secret": { "x-arena-secret": owner.apiKey },
    "the operator's key": bearer(adminKey),
    "the operator's key as a secret": { "x-arena-secret": adminKey },
    "the owner's cookie": { cookie: cookies?.owner, "sec-fetch-site": "same-origin" },
    "the operator's cookie": { cookie: cookies?.operator, "sec-fetch-site": "same-origin" },
    "the operator's cookie as an account's": {
      cookie: cookies?.operator.replace("agon_operator", "agon_session"),
      "sec-fetch-site": "same-origin",
    },
  } as const;
}
type CallerName = keyof ReturnType<typeof callersOf>;
const NOBODIES = { owner: {}, other: {} } as World;
const NAMES = Object.keys(callersOf(NOBODIES)) as CallerName[];
const WITH_KEY = NAMES.filter((name) => "authorization" in callersOf(NOBODIES)[name]);

/** Who may make a call of each kind; the status that everybody else gets, unless a name has its own. */
const ALLOWED: Record<Exclude<ApiCall["auth"], "public">, CallerName[]> = {
  account: ["the owner's key", "another account's key", "the owner's cookie"],
  owner: ["the owner's key", "the owner's cookie"],
  admin: ["the operator's key", "the operator's cookie"],
  agent: ["the agent's secret"],
  // Everybody is a judge, but for those who say that they are somebody and are not.
  // None of these is a signature over the body.
  signature: [],
  judge: [...NAMES.filter((name) => !WITH_KEY.includes(name)), "the owner's key", "another account's key"],
};
function refusalStatus(auth: Exclude<ApiCall["auth"], "public">, caller: CallerName): number {
  if (auth === "agent") return 403;
  if (auth === "signature") return 400;
  return auth === "owner" && caller === "another account's key" ? 404 : 401;
}

describeOnBoth("who may call", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database);
  });
  afterEach(() => arena.stop());

  const protectedCalls = () =>
    listCalls(arena.app).filter((call): call is ApiCall & { auth: keyof typeof ALLOWED } => call.auth !== "public");

  it("refuses everybody but the rightful on each protected call, and changes nothing", async () => {
    const world = await createWorld(database, arena);
    const before = await snapshot(database);
    for (const call of protectedCalls()) {
      for (const [caller, headers] of Object.entries(callersOf(world)) as [CallerName, Record<string, string>][]) {
        if (ALLOWED[call.auth].includes(caller)) continue;
        const what = `${call.name} by ${caller}`;
        const answer = await arena.app.inject({ ...buildRequest(call, world), headers });
        const problem = expectProblem(what, answer);
        expect([what, problem.status]).toEqual([what, refusalStatus(call.auth, caller)]);
        if (call.auth !== "signature") expectDescribed(call, problem);
        if (problem.status === 401) expect([what, answer.headers["www-authenticate"]]).toEqual([what, "Bearer"]);
      }
    }
    expect(await snapshot(database)).toBe(before);
  });

  it("serves the rightful caller on each call, and everybody on the public ones", async () => {
    let world: World | undefined;
    for (const call of listCalls(arena.app)) {
      for (const caller of call.auth === "public" ? NAMES : ALLOWED[call.auth]) {
        world ??= await createWorld(database, arena);
        // Another account's key opens that account, in which the owner's second key is not to be found.
        const isForeignKey = caller === "another account's key" && call.path.includes("{key_id}");
        const answer = await arena.app.inject({ ...buildRequest(call, world), headers: callersOf(world)[caller] });
        const isRight = isForeignKey ? answer.statusCode === 404 : isServed(call, answer.statusCode);
        expect([call.name, caller, answer.body, isRight]).toEqual([call.name, caller, answer.body, true]);
        // The next caller shall find things as they were, and be signed in.
        const isSignOut = call.name === "DELETE /api/session";
        if (call.method !== "GET" && (call.auth !== "public" || isSignOut)) world = undefined;
      }
    }
  }, 120_000);

  it("describes with each call the problems that it has, of calls that there are", () => {
    const names = listCalls(arena.app).map(({ name }) => name);
    expect(CALLS_WITH_PROBLEMS.filter((name) => !names.includes(name))).toEqual([]);
    for (const { name, problems } of listOwnCalls(arena.app)) {
      expect([name, problems.filter((code) => PROBLEMS_OF_ALL.includes(code))]).toEqual([name, []]);
    }
  });

  it("refuses a banned account on each call of accounts, owners and agents", async () => {
    const world = await createWorld(database, arena);
    await database.db.orm.execute(sql`update accounts set banned_at = now() where id = ${world.ids.user_id}`);
    await database.db.orm.execute(sql`update agents set banned_at = now() where id = ${world.ids.agent_id}`);
    const before = await snapshot(database);
    for (const call of protectedCalls().filter(({ auth }) => auth !== "admin" && auth !== "signature")) {
      const answer = await arena.app.inject({ ...buildRequest(call, world), headers: rightfulHeaders(call, world) });
      const problem = expectProblem(call.name, answer);
      expect([call.name, problem.code]).toEqual([call.name, "account_banned"]);
      expectDescribed(call, problem);
    }
    expect(await snapshot(database)).toBe(before);
  });

  it("refuses what another site's page makes a browser send with a judge's cookie, and changes nothing", async () => {
    const world = await createWorld(database, arena);
    const before = await snapshot(database);
    const calls = listCalls(arena.app).filter(({ auth, method }) => auth === "judge" && method !== "GET");
    expect(calls.length).toBeGreaterThan(0);
    for (const call of calls) {
      for (const sent of [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }, { origin: "null" }]) {
        const headers = { cookie: "agon_judge=x", ...sent };
        const problem = expectProblem(call.name, await arena.app.inject({ ...buildRequest(call, world), headers }));
        expect([call.name, sent, problem.code]).toEqual([call.name, sent, "forbidden"]);
      }
      const own = { cookie: "agon_judge=x", "sec-fetch-site": "same-origin" };
      const answer = await arena.app.inject({ ...buildRequest(call, world), headers: own });
      expect([call.name, isServed(call, answer.statusCode)]).toEqual([call.name, true]);
    }
    expect(await snapshot(database)).toBe(before);
  });

  it("refuses what another site's page makes a browser send with the operator's cookie, and changes nothing", async () => {
    const world = await createWorld(database, arena);
    const before = await snapshot(database);
    const calls = listCalls(arena.app).filter(({ auth, method }) => auth === "admin" && method !== "GET");
    expect(calls.length).toBeGreaterThan(5);
    for (const call of calls) {
      for (const sent of [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }, { origin: "null" }]) {
        const headers = { cookie: world.cookies.operator, ...sent };
        const problem = expectProblem(call.name, await arena.app.inject({ ...buildRequest(call, world), headers }));
        expect([call.name, sent, problem.code]).toEqual([call.name, sent, "forbidden"]);
      }
    }
    expect(await snapshot(database)).toBe(before);
  });

  it("takes the Bearer scheme in any case and with more than one space", async () => {
    const { owner } = await createWorld(database, arena);
    for (const authorization of [`bearer ${owner.apiKey}`, `BEARER   ${owner.apiKey}`]) {
      const answer = await arena.app.inject({ url: "/api/account", headers: { authorization } });
      expect([authorization.slice(0, 8), answer.statusCode]).toEqual([authorization.slice(0, 8), 200]);
    }
  });

  it("tells an operator without a key how to set one", async () => {
    await arena.stop();
    const ports = { log: pino({ level: "silent" }), random: { bytes: () => new Uint8Array(32), uuid: () => "" } };
    const keys = { secretKey: "k".repeat(32), adminKey: undefined };
    const keyless = await createArena(loadConfig({}).config, { ...ports, clock: createManualClock() }, database, keys);
    for (const headers of [{}, { authorization: "Bearer undefined" }]) {
      const answer = await keyless.app.inject({ url: "/api/admin/prompts", headers });
      const problem = expectProblem("admin without key", answer);
      expect([problem.status, problem.detail]).toEqual([403, expect.stringContaining("AGON_ADMIN_KEY")]);
    }
    await keyless.stop();
    arena = await createTestArena(database);
  });

  it("lists every route, with the few that are no part of the API named here", async () => {
    const documented = listCalls(arena.app).map((call) => call.name);
    const hidden = listRoutes(arena.app).filter((route) => !documented.includes(route));
    const pages = [
      "",
      "judge",
      "agents/{param}",
      "agents/{param}/activate",
      "connect",
      "ratings",
      "connect/signed",
      "battles",
      "battles/{param}",
      "prompts",
      "prompts/{param}",
      "runs",
      "runs/new",
      "runs/{param}",
    ];
    const desk = [
      "",
      "/agents",
      "/accounts",
      "/prompts",
      "/prompts/import",
      "/prompts/{param}",
      "/rulings",
      "/reports",
    ];
    const others = [
      ...desk.map((page) => `operator${page}`),
      "account",
      "docs",
      "docs/api",
      "docs/api/{param}",
      "docs/{param}",
      "llms.txt",
    ];
    const cards = ["ladder.{format}", "agents/{file}", "battles/{file}", "runs/{file}"].map(
      (card) => `GET /cards/${card}`,
    );
    expect(hidden.filter((route) => !route.startsWith("GET /api/reference")).sort()).toEqual(
      [
        "GET /api/openapi.json",
        "GET /healthz",
        "GET /readyz",
        "GET /metrics",
        ...[...pages, ...others].map((page) => `GET /${page}`),
        ...cards,
      ].sort(),
    );
    expect(documented.length).toBeGreaterThan(20);
    expect(documented.filter((name) => !listRoutes(arena.app).includes(name))).toEqual([]);
  });

  it("knows each call of the dialect that this arena has", async () => {
    const documented = listCalls(arena.app).map((call) => call.name);
    const missing = [...TESSERAX_CALLS].filter((name) => !documented.includes(name));
    expect(missing.filter((name) => name !== "POST /api/agents/{agent_id}/retest")).toEqual([]);
  });
});

describe("building requests from the description", () => {
  it("stops at a call for which no request can be built", () => {
    const call: ApiCall = {
      name: "PATCH /api/rivers/{river_id}",
      method: "PATCH",
      path: "/api/rivers/{river_id}",
      auth: "account",
      pathParameters: [{ name: "river_id", schema: {} }],
      queryParameters: [],
      bodyFields: ["length"],
      bodyIsOptional: false,
      problems: [],
    };
    const world = { ids: {} } as World;
    expect(() => buildRequest(call, world)).toThrow("no value is known for {river_id} of PATCH /api/rivers/{river_id}");
    expect(() => buildRequest({ ...call, pathParameters: [] }, world)).toThrow("no body is known for PATCH");
  });
});

describe("a route that does not say who may call it", () => {
  it("keeps the arena from starting", async () => {
    const app = await createBareApp();
    expect(() => app.get("/api/forgotten", async () => "open to all")).toThrow(
      "/api/forgotten does not say who may call it",
    );
    await app.close();
  });
});
