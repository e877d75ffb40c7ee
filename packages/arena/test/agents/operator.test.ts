import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import {
  ADMIN_KEY,
  addPrompts,
  createTestArena,
  poll,
  registerAgent,
  type TestArena,
  work,
} from "../support/test-arena.ts";

describeOnBoth("the operator", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database, { registration: "open" });
  });
  afterEach(() => arena.stop());

  const call = (method: "GET" | "POST", path: string, payload?: object) =>
    arena.app.inject({
      method,
      url: `/api/admin${path}`,
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
      ...(payload === undefined ? {} : { payload }),
    });

  it("sees agents, prompts, open work, outcomes and votes at a glance", async () => {
    await addPrompts(database, 4, 1);
    const agent = await registerAgent(arena);
    await work(arena, agent);
    await work(arena, agent, { error: "broken" });
    const overview = (await call("GET", "/overview")).json();
    expect(overview).toMatchObject({
      agents: { active: 1, slowed: 1, total: 1 },
      accounts: { total: 1, banned: 0 },
      running: 0,
      outcomes: [
        { state: "completed", cause: null, tasks: 1 },
        { state: "failed", cause: "error", tasks: 1 },
      ],
      votes: 0,
      prompts: { fresh: 4, open: 0, closed: 0, gym: 1 },
    });
    expect((await call("GET", "/agents")).json().items).toMatchObject([{ id: agent.id, status: "active" }]);
  });

  it("suspends an agent, whose polls are refused until it is reinstated", async () => {
    await addPrompts(database, 2);
    const agent = await registerAgent(arena);
    expect((await call("POST", `/agents/${agent.id}/suspend`)).json().status).toBe("suspended");
    const refused = await poll(arena, agent);
    expect([refused.statusCode, refused.json().code]).toEqual([403, "agent_suspended"]);
    expect((await call("POST", `/agents/${agent.id}/reinstate`)).json().status).toBe("active");
    expect((await poll(arena, agent)).statusCode).toBe(200);
    expect((await call("POST", "/agents/999/suspend")).statusCode).toBe(404);
  });

  it("tells the owner why an agent is suspended, and finds agents by name, owner and state", async () => {
    const [loud, other] = [await registerAgent(arena, "Loud_one"), await registerAgent(arena, "LoudXone")];
    await call("POST", `/agents/${loud.id}/suspend`, { reason: "  Shouts. " });
    const headers = { authorization: `Bearer ${loud.apiKey}` };
    const { gates } = (await arena.app.inject({ url: `/api/agents/${loud.id}/eligibility`, headers })).json();
    expect(gates[0].detail).toContain("The operator's reason: Shouts.");
    const found = async (query: string) =>
      (await call("GET", `/agents?${query}`)).json().items.map((each: { id: number }) => each.id);
    expect(await found("search=loud_")).toEqual([loud.id]);
    expect(await found("search=LOUD")).toEqual([other.id, loud.id]);
    expect(await found(`search=${other.id}`)).toContain(other.id);
    expect(await found("state=suspended")).toEqual([loud.id]);
    expect(await found("state=active")).toEqual([other.id]);
    expect((await call("GET", "/agents?state=suspended")).json().items).toMatchObject([
      { suspended_reason: "Shouts.", username: expect.stringMatching(/^player-/), last_seen_at: null, elo: null },
    ]);
    await call("POST", `/agents/${loud.id}/reinstate`);
    expect((await call("GET", "/agents")).json().items[1]).toMatchObject({
      suspended_at: null,
      suspended_reason: null,
    });
  });

  it("lists accounts with what they have, and finds them", async () => {
    await registerAgent(arena);
    const { user_id: id } = (await call("POST", "/accounts", { username: "invited" })).json();
    await call("POST", `/accounts/${id}/ban`);
    expect((await call("GET", "/accounts")).json()).toMatchObject({
      total: 2,
      items: [
        { id, username: "invited", agents: 0, keys: 1, votes: 0, banned_at: expect.any(String) },
        { agents: 1, keys: 1, banned_at: null, deleted: false },
      ],
    });
    const found = async (query: string) => (await call("GET", `/accounts?${query}`)).json().total;
    expect([await found("search=INVIT"), await found("state=banned"), await found("state=deleted")]).toEqual([1, 1, 0]);
  });

  it("makes accounts where registration is closed, replaces lost keys, and bans", async () => {
    await arena.stop();
    arena = await createTestArena(database, { registration: "closed" });
    expect((await arena.app.inject({ method: "POST", url: "/api/register" })).statusCode).toBe(403);
    const made = await call("POST", "/accounts", { username: "invited" });
    expect(made.statusCode).toBe(201);
    expect((await call("POST", "/accounts", { username: "Invited" })).statusCode).toBe(409);
    const { user_id: id, api_key: lost } = made.json();
    const { api_key: key } = (await call("POST", `/accounts/${id}/reset-key`)).json();
    const status = async (apiKey: string) =>
      (await arena.app.inject({ url: "/api/account", headers: { authorization: `Bearer ${apiKey}` } })).statusCode;
    expect([await status(lost), await status(key)]).toEqual([401, 200]);
    expect((await call("POST", `/accounts/${id}/ban`)).json()).toEqual({
      user_id: id,
      username: "invited",
      banned: true,
    });
    expect(await status(key)).toBe(403);
    expect((await call("POST", `/accounts/${id}/ban`, { banned: false })).json().banned).toBe(false);
    expect(await status(key)).toBe(200);
  });
});
