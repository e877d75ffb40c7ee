import { randomBytes, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createArena } from "../../src/arena.ts";
import { loadConfig } from "../../src/config.ts";
import { accounts, agents, deliveries, operatorSessions, sessions } from "../../src/db/schema.ts";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import {
  ADMIN_KEY,
  createTestArena,
  poll,
  registerAgent,
  SECRET_KEY,
  START,
  type TestArena,
} from "../support/test-arena.ts";

const OWN = { "sec-fetch-site": "same-origin" };

describeOnBoth("a session", (kind) => {
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

  async function signIn(apiKey: string): Promise<string> {
    const made = await arena.app.inject({ method: "POST", url: "/api/session", payload: { api_key: ` ${apiKey}\n` } });
    expect(made.statusCode).toBe(201);
    const header = String(made.headers["set-cookie"]);
    expect(header).toMatch(/^agon_session=[\w-]{43}; Path=\/api; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
    return header.split(";")[0] as string;
  }
  const get = (url: string, cookie?: string) =>
    arena.app.inject({ url, headers: cookie === undefined ? {} : { cookie } });
  const send = (method: "POST" | "DELETE", url: string, headers: Record<string, string>) =>
    arena.app.inject({ method, url, headers });

  it("opens what the key opens, and says who is signed in", async () => {
    const agent = await registerAgent(arena);
    const cookie = await signIn(agent.apiKey);
    const account = (await get("/api/account", cookie)).json();
    expect(account.agents.map((each: { id: number }) => each.id)).toEqual([agent.id]);
    expect((await get(`/api/agents/${agent.id}/eligibility`, cookie)).statusCode).toBe(200);
    expect((await get("/api/session", cookie)).json().account).toMatchObject({ id: account.id });
  });

  it("is none where there is no cookie, and asking is no error", async () => {
    for (const cookie of [undefined, "agon_session=", `agon_session=${"x".repeat(43)}`]) {
      const answer = await get("/api/session", cookie);
      expect([cookie, answer.statusCode, answer.json().account]).toEqual([cookie, 200, null]);
      expect([cookie, (await get("/api/account", cookie)).statusCode]).toEqual([cookie, 401]);
    }
  });

  it("does not begin with a key that nobody has, and names the field", async () => {
    const answer = await arena.app.inject({ method: "POST", url: "/api/session", payload: { api_key: "agon_x" } });
    expect([answer.statusCode, answer.json().errors[0].field]).toEqual([401, "api_key"]);
  });

  it("takes unsafe calls from our own pages only", async () => {
    const { apiKey } = await registerAgent(arena);
    const cookie = await signIn(apiKey);
    for (const proof of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }]) {
      for (const [method, url] of [
        ["POST", "/api/account/keys"],
        ["DELETE", "/api/account"],
        ["DELETE", "/api/session"],
        ["POST", "/api/session"],
      ] as const) {
        const answer = await arena.app.inject({
          method,
          url,
          headers: { cookie, ...proof },
          ...(url === "/api/session" && method === "POST" ? { payload: { api_key: apiKey } } : {}),
        });
        expect([method, url, answer.statusCode]).toEqual([method, url, 403]);
      }
    }
    expect((await send("POST", "/api/account/keys", { cookie, ...OWN })).statusCode).toBe(201);
  });

  it("judges as the account that is signed in", async () => {
    const { apiKey } = await registerAgent(arena);
    const cookie = await signIn(apiKey);
    const answer = await get("/api/judge/next", cookie);
    expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([204, undefined]);
  });

  it("ends by signing out, with its key, after thirty days, and with a ban", async () => {
    const { apiKey } = await registerAgent(arena);
    const first = await signIn(apiKey);
    const gone = await send("DELETE", "/api/session", { cookie: first, ...OWN });
    expect([gone.statusCode, String(gone.headers["set-cookie"])]).toEqual([204, expect.stringContaining("Max-Age=0")]);
    expect((await get("/api/account", first)).statusCode).toBe(401);

    const second = await signIn(apiKey);
    const keyId = (await get("/api/session", second)).json().key_id;
    const other = await send("POST", "/api/account/keys", { cookie: second, ...OWN });
    await send("DELETE", `/api/account/keys/${keyId}`, { cookie: second, ...OWN });
    expect((await get("/api/account", second)).statusCode).toBe(401);

    const third = await signIn(other.json().api_key);
    arena.clock.advance(30 * 86_400 - 1);
    expect((await get("/api/account", third)).statusCode).toBe(200);
    arena.clock.advance(2);
    expect((await get("/api/account", third)).statusCode).toBe(401);
    await arena.passes.close();
    expect(await database.db.orm.select().from(sessions)).toEqual([]);

    const fourth = await signIn(other.json().api_key);
    await database.db.orm.update(accounts).set({ bannedAt: new Date(arena.clock.now()) });
    expect((await get("/api/account", fourth)).statusCode).toBe(403);
    expect((await get("/api/session", fourth)).json().account).toBeNull();
  });

  it("ends the oldest when an account begins a twenty-first", async () => {
    const { apiKey } = await registerAgent(arena);
    const first = await signIn(apiKey);
    for (let count = 0; count < 20; count += 1) {
      arena.clock.advance(1);
      await signIn(apiKey);
    }
    expect((await get("/api/account", first)).statusCode).toBe(401);
    expect(await database.db.orm.select().from(sessions)).toHaveLength(20);
  });

  it("leaves nothing personal behind when its account is deleted, and keeps the agent's record", async () => {
    const agent = await registerAgent(arena, "record keeper");
    const at = new Date(arena.clock.now());
    await database.db.orm
      .insert(deliveries)
      .values({ agentId: agent.id, purpose: "ping", startedAt: at, verdict: "good", detail: "answered" });
    const cookie = await signIn(agent.apiKey);
    const { id } = (await get("/api/session", cookie)).json().account;
    expect((await send("DELETE", "/api/account", { cookie, ...OWN })).statusCode).toBe(204);
    for (const answer of [await get("/api/account", cookie), await get(`/api/users/${id}`)]) {
      expect([401, 404]).toContain(answer.statusCode);
    }
    expect((await get("/api/users")).json().items).toEqual([]);
    expect((await poll(arena, agent)).statusCode).toBe(403);
    const [row] = await database.db.orm.select().from(agents).where(eq(agents.id, agent.id));
    expect(row).toMatchObject({ name: "record keeper", ownerHandle: `deleted:${id}`, url: null, description: null });
    expect(await database.db.orm.select().from(deliveries)).toEqual([]);
    expect((await get(`/api/agents/${agent.id}/profile`)).statusCode).toBe(200);
  });

  const signInAsOperator = (key = ADMIN_KEY) =>
    arena.app.inject({ method: "POST", url: "/api/session", payload: { api_key: key, as: "operator" } });
  const cookieFrom = (answer: { headers: Record<string, unknown> }) =>
    String(answer.headers["set-cookie"]).split(";")[0] as string;

  it("of the operator is begun with their key, opens what is theirs, and nothing of an account", async () => {
    const answer = await signInAsOperator();
    expect(answer.statusCode).toBe(201);
    expect(String(answer.headers["set-cookie"])).toMatch(
      /^agon_operator=[\w-]{43}; Path=\/api; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.body).not.toContain(ADMIN_KEY);
    const cookie = cookieFrom(answer);
    expect((await get("/api/admin/overview", cookie)).statusCode).toBe(200);
    expect((await get("/api/account", cookie)).statusCode).toBe(401);
    const { account, operator } = (await get("/api/session", cookie)).json();
    expect([account, operator]).toEqual([null, { expires_at: new Date(START + 43_200_000).toISOString() }]);
    const [row] = await database.db.orm.select().from(operatorSessions);
    expect(JSON.stringify(row)).not.toContain(ADMIN_KEY);
    // A key in a header that is wrong is refused, whatever cookie stands beside it.
    const headers = { cookie, authorization: "Bearer agon_wrong" };
    expect((await arena.app.inject({ url: "/api/admin/overview", headers })).statusCode).toBe(401);
  });

  it("of the operator stands beside an account's, and both end with signing out", async () => {
    const { apiKey } = await registerAgent(arena);
    const cookie = `${await signIn(apiKey)}; ${cookieFrom(await signInAsOperator())}`;
    expect((await get("/api/session", cookie)).json()).toMatchObject({ account: {}, operator: {} });
    const gone = await send("DELETE", "/api/session", { cookie, ...OWN });
    expect(gone.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^agon_session=; .*Max-Age=0/),
      expect.stringMatching(/^agon_operator=; .*Max-Age=0/),
    ]);
    expect((await get("/api/admin/overview", cookie)).statusCode).toBe(401);
    expect((await get("/api/account", cookie)).statusCode).toBe(401);
  });

  it("of the operator is not begun with an account's key, nor an account's with the operator's", async () => {
    const { apiKey } = await registerAgent(arena);
    for (const key of [apiKey, "agon_x", `${ADMIN_KEY}x`]) {
      const answer = await signInAsOperator(key);
      expect([answer.statusCode, answer.json().errors[0].field]).toEqual([401, "api_key"]);
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
    const made = await arena.app.inject({ method: "POST", url: "/api/session", payload: { api_key: ADMIN_KEY } });
    expect(made.json()).toMatchObject({ account: null, operator: {} });
    expect(String(made.headers["set-cookie"])).toMatch(/^agon_operator=/);
    const foreign = { method: "POST", url: "/api/session", headers: { origin: "https://evil.example" } } as const;
    expect((await arena.app.inject({ ...foreign, payload: { api_key: ADMIN_KEY } })).statusCode).toBe(403);
  });

  it("of the operator ends after twelve hours, and when the arena has another key", async () => {
    const cookie = cookieFrom(await signInAsOperator());
    arena.clock.advance(43_199);
    expect((await get("/api/admin/overview", cookie)).statusCode).toBe(200);
    const { config } = loadConfig({});
    const ports = {
      log: pino({ level: "silent" }),
      random: { bytes: randomBytes, uuid: randomUUID },
      clock: arena.clock,
    };
    const keys = { secretKey: SECRET_KEY, adminKey: "another_operators_key" };
    const renewed = await createArena(config, ports, database, keys);
    expect((await renewed.app.inject({ url: "/api/admin/overview", headers: { cookie } })).statusCode).toBe(401);
    expect((await renewed.app.inject({ url: "/api/session", headers: { cookie } })).json().operator).toBeNull();
    await renewed.stop();
    arena.clock.advance(2);
    expect((await get("/api/admin/overview", cookie)).statusCode).toBe(401);
    await arena.passes.close();
    expect(await database.db.orm.select().from(operatorSessions)).toEqual([]);
  });
});
