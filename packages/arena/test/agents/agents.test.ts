import { agentDetailSchema, agentListSchema, problemSchema } from "@agon/protocol";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import {
  addAgent,
  addPrompts,
  createTestArena,
  poll,
  registerAgent,
  START,
  submit,
  type TestAgent,
  type TestArena,
  work,
} from "../support/test-arena.ts";

describeOnBoth("an owner's agents", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  let agent: TestAgent;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database);
    agent = await registerAgent(arena, "Delta");
  });
  afterEach(() => arena.stop());

  const call = (method: "GET" | "POST" | "PATCH", path: string, payload?: object) =>
    arena.app.inject({
      method,
      url: `/api/agents${path}`,
      headers: { authorization: `Bearer ${agent.apiKey}` },
      ...(payload === undefined ? {} : { payload }),
    });
  const detail = async () => agentDetailSchema.parse((await call("GET", `/${agent.id}`)).json());

  it("are listed by page, each account's own only", async () => {
    await registerAgent(arena, "somebody else's");
    for (let index = 2; index <= 5; index += 1) await addAgent(arena, agent.apiKey, `agent ${index}`);
    const all = agentListSchema.parse((await call("GET", "")).json());
    expect(all).toMatchObject({ total: 5, limit: 100, offset: 0, has_more: false });
    expect(all.items.map(({ name }) => name)).toEqual(["Delta", "agent 2", "agent 3", "agent 4", "agent 5"]);
    const page = agentListSchema.parse((await call("GET", "?limit=2&offset=2")).json());
    expect(page).toMatchObject({ total: 5, limit: 2, offset: 2, has_more: true });
    expect(page.items.map(({ name }) => name)).toEqual(["agent 3", "agent 4"]);
    expect((await call("GET", "?offset=5")).json()).toMatchObject({ total: 5, has_more: false, items: [] });
  });

  it("show themselves in full to their owner, with how far they are in the gym", async () => {
    await addPrompts(database, 0, 2);
    expect(await detail()).toEqual({
      id: agent.id,
      name: "Delta",
      mode: "pull",
      dialect: "tesserax",
      roles: [],
      active: true,
      status: "active",
      elo: 1500,
      gym_complete: false,
      ping_error: null,
      created_at: new Date(START).toISOString(),
      webhook_url: null,
      owner_handle: expect.stringMatching(/^agent-\d+$/),
      model_claimed: null,
      cost_claimed: null,
      tools_claimed: [],
      description: null,
      max_concurrent: 1,
      max_tasks_per_day: null,
      paused: false,
      last_polled_at: null,
      gym: { total: 2, done: 0, errors: 0, gym_complete: false },
    });
    await work(arena, agent, "fine");
    await work(arena, agent, { error: "model down" });
    await arena.passes.presence();
    expect(await detail()).toMatchObject({
      gym: { total: 2, done: 1, errors: 1, gym_complete: false },
      last_polled_at: new Date(START).toISOString(),
    });
    arena.clock.advance(31);
    await work(arena, agent, "fine");
    expect(await detail()).toMatchObject({
      gym_complete: true,
      gym: { total: 2, done: 2, errors: 1, gym_complete: true },
    });
  });

  it("show everybody else what is public only", async () => {
    await call("PATCH", `/${agent.id}`, { model_claimed: "river-7b", max_tasks_per_day: 5 });
    const profile = (await arena.app.inject(`/api/agents/${agent.id}/profile`)).json();
    expect(profile).toMatchObject({ id: agent.id, name: "Delta", model_claimed: "river-7b", status: "active" });
    for (const own of ["max_tasks_per_day", "webhook_url", "last_polled_at", "ping_error", "gym"]) {
      expect(profile).not.toHaveProperty(own);
    }
    const unknown = await arena.app.inject("/api/agents/424242/profile");
    expect(problemSchema.parse(unknown.json())).toMatchObject({ status: 404, code: "agent_not_found" });
  });

  it("take a change of each field, leave out what is absent and clear what is empty", async () => {
    const change = {
      name: " Delta II ",
      model_claimed: "river-9b",
      description: "Knows lakes.",
      roles: ["SCOUT", "ANALYST", "SCOUT"],
      paused: true,
      max_concurrent: 3,
      max_tasks_per_day: 20,
    };
    const changed = agentDetailSchema.parse((await call("PATCH", `/${agent.id}`, change)).json());
    expect(changed).toMatchObject({ ...change, name: "Delta II", roles: ["SCOUT", "ANALYST"], status: "paused" });
    expect(await detail()).toEqual(changed);
    expect((await call("PATCH", `/${agent.id}`, {})).json()).toEqual(changed);
    const cleared = { model_claimed: "", description: null, max_tasks_per_day: null, roles: [], paused: false };
    expect((await call("PATCH", `/${agent.id}`, cleared)).json()).toMatchObject({
      name: "Delta II",
      model_claimed: null,
      description: null,
      max_tasks_per_day: null,
      roles: [],
      paused: false,
      status: "active",
      max_concurrent: 3,
    });
    expect((await call("PATCH", `/${agent.id}`, { mode: "push", dialect: "edgearena-v1", id: 9 })).json()).toEqual(
      await detail(),
    );
  });

  it("refuse a change by the field that does not fit, and change nothing", async () => {
    const before = await detail();
    const cases: [body: object, field: string][] = [
      [{ name: "" }, "name"],
      [{ name: null }, "name"],
      [{ paused: "yes" }, "paused"],
      [{ max_concurrent: 0 }, "max_concurrent"],
      [{ max_concurrent: 65 }, "max_concurrent"],
      [{ max_concurrent: 1.5 }, "max_concurrent"],
      [{ max_concurrent: "2" }, "max_concurrent"],
      [{ max_tasks_per_day: 0 }, "max_tasks_per_day"],
      [{ roles: ["SCOUT", "JUDGE"] }, "roles.1"],
      [{ description: "d".repeat(501) }, "description"],
      [{ webhook_url: "https://agents.example.com/hook" }, "webhook_url"],
      [{ endpointUrl: "https://agents.example.com/hook" }, "webhook_url"],
    ];
    for (const [body, field] of cases) {
      const problem = problemSchema.parse(
        (await call("PATCH", `/${agent.id}`, { description: "half", ...body })).json(),
      );
      expect([body, problem.status, problem.errors?.[0]?.field]).toEqual([body, 422, field]);
    }
    expect(await detail()).toEqual(before);
  });

  it("get a new secret that works while the old one is dead at once, work in hand included", async () => {
    await addPrompts(database, 1);
    const { work_id } = (await poll(arena, agent)).json();
    const answer = await call("POST", `/${agent.id}/regenerate-secret`);
    expect(answer.statusCode).toBe(200);
    const { webhook_secret: secret, ...rest } = answer.json();
    expect(rest).toEqual({ id: agent.id, running_tasks: 1, message: expect.stringContaining("1 running task ") });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secret).not.toBe(agent.secret);
    expect((await poll(arena, agent)).statusCode).toBe(403);
    expect((await submit(arena, agent, work_id, { response: "by the old one" })).statusCode).toBe(403);
    const renewed = { id: agent.id, secret };
    expect((await poll(arena, renewed)).json().work_id).toBe(work_id);
    expect((await submit(arena, renewed, work_id, { response: "by the new one" })).json()).toEqual({
      work_id,
      recorded: true,
    });
  });

  it("end for good when deactivated, and say so however often they are asked to", async () => {
    await addPrompts(database, 1);
    for (let time = 0; time < 2; time += 1) {
      const ended = agentDetailSchema.parse((await call("POST", `/${agent.id}/deactivate`)).json());
      expect(ended).toMatchObject({ active: false, status: "deactivated" });
    }
    for (const [method, path, body] of [
      ["PATCH", "", { paused: false }],
      ["PATCH", "", { name: "Back" }],
      ["POST", "/regenerate-secret", undefined],
    ] as const) {
      const problem = problemSchema.parse((await call(method, `/${agent.id}${path}`, body)).json());
      expect([path, problem.status, problem.code]).toEqual([path, 409, "conflict"]);
    }
    const refused = problemSchema.parse((await poll(arena, agent)).json());
    expect([refused.status, refused.code]).toEqual([403, "agent_deactivated"]);
    expect(await detail()).toMatchObject({ name: "Delta", active: false });
    expect((await arena.app.inject("/api/leaderboard")).json().items).toEqual([]);
  });

  it("name the strongest of the reasons why they are not active", async () => {
    const steps: [column: string, status: string][] = [
      ["ping_error = 'answers 502'", "unreachable"],
      ["paused_at = created_at", "paused"],
      ["suspended_at = created_at", "suspended"],
      ["banned_at = created_at", "banned"],
      ["deactivated_at = created_at", "deactivated"],
    ];
    for (const [column, status] of steps) {
      await database.db.orm.execute(sql.raw(`update agents set ${column}`));
      expect([column, (await detail()).status]).toEqual([column, status]);
    }
  });

  it("of edgearena-v1 are PENDING and have no ladder to climb", async () => {
    const webhook_url = "https://agents.example.com/hook";
    const payload = { name: "signed", webhook_url, dialect: "edgearena-v1", roles: ["SCOUT"] };
    const made = (await call("POST", "", payload)).json();
    expect(made).toMatchObject({ dialect: "edgearena-v1", status: "PENDING", active: false, ping_error: null });
    expect((await call("GET", `/${made.id}`)).json()).toMatchObject({ status: "PENDING", roles: ["SCOUT"] });
  });

  it("are not pinged when they fetch their work themselves", async () => {
    const problem = problemSchema.parse((await call("POST", `/${agent.id}/retest`)).json());
    expect([problem.status, problem.code]).toEqual([409, "conflict"]);
  });
});
