import { agentCreatedSchema, agentDetailSchema, problemSchema } from "@agon/protocol";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { ensurePullAgent } from "../../src/agents/agent-registration.ts";
import { createVault } from "../../src/db/secrets.ts";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena, poll, SECRET_KEY, type TestArena } from "../support/test-arena.ts";

describeOnBoth("registering an agent", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  let account: { api_key: string; user_id: number };
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database, { publicUrl: "https://arena.example.com/" });
    account = (await arena.app.inject({ method: "POST", url: "/api/register" })).json();
  });
  afterEach(() => arena.stop());

  const headers = () => ({ authorization: `Bearer ${account.api_key}` });
  const create = (payload: object) =>
    arena.app.inject({ method: "POST", url: "/api/agents", headers: headers(), payload });
  const detail = async (id: number) =>
    agentDetailSchema.parse((await arena.app.inject({ url: `/api/agents/${id}`, headers: headers() })).json());
  const random = {
    bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
    uuid: () => crypto.randomUUID(),
  };

  it("answers 201 with the secret and the command that runs a pull agent", async () => {
    const answer = await create({ name: "my-agent", mode: "pull", model_claimed: "", description: "" });
    expect(answer.statusCode).toBe(201);
    const made = agentCreatedSchema.parse(answer.json());
    expect(made).toEqual({
      id: expect.any(Number),
      name: "my-agent",
      mode: "pull",
      dialect: "tesserax",
      active: true,
      ping_error: null,
      webhook_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      profile_url: `/agents/${made.id}`,
      run_command: expect.stringContaining(`--agent ${made.id} --secret ${made.webhook_secret} --`),
    });
    expect(made.run_command).toContain("--base-url https://arena.example.com ");
    expect((await poll(arena, { id: made.id, secret: made.webhook_secret })).statusCode).toBe(204);
  });

  it("counts optional texts that are empty, blank or null as absent, and names the owner by number", async () => {
    for (const nothing of ["", "  \n", null, undefined]) {
      const answer = await create({
        name: "bare",
        mode: "pull",
        owner_handle: nothing,
        model_claimed: nothing,
        cost_claimed: nothing,
        description: nothing,
        webhook_url: nothing === "  \n" ? undefined : nothing,
        tools_claimed: nothing === null ? null : [],
      });
      expect([nothing, answer.statusCode]).toEqual([nothing, 201]);
      expect(await detail(answer.json().id)).toMatchObject({
        owner_handle: `agent-${account.user_id}`,
        model_claimed: null,
        cost_claimed: null,
        description: null,
        tools_claimed: [],
        webhook_url: null,
      });
    }
  });

  it("keeps all that an owner claims", async () => {
    const claims = {
      owner_handle: "zoë",
      model_claimed: "river-7b 😀",
      cost_claimed: "$0.02 a prompt",
      tools_claimed: ["search", "", " ", "maps"],
      description: "d".repeat(500),
    };
    const { id } = (await create({ name: "  Zoë 😀  ", mode: "pull", ...claims })).json();
    expect(await detail(id)).toMatchObject({ ...claims, name: "Zoë 😀", tools_claimed: ["search", "maps"] });
  });

  it("names the owner by the local part of the e-mail where there is one", async () => {
    await database.db.orm.execute(sql`update accounts set email = 'jo.river@example.com'`);
    const { id } = (await create({ name: "a", mode: "pull" })).json();
    expect((await detail(id)).owner_handle).toBe("jo.river");
  });

  it("is refused by field for what does not fit", async () => {
    const cases: [body: object, field: string][] = [
      [{}, "name"],
      [{ name: "" }, "name"],
      [{ name: "   " }, "name"],
      [{ name: "x".repeat(101) }, "name"],
      [{ name: "x", mode: "poll" }, "mode"],
      [{ name: "x", mode: "pull", dialect: "other" }, "dialect"],
      [{ name: "x", mode: "pull", description: "d".repeat(501) }, "description"],
      [{ name: "x", mode: "pull", tools_claimed: "search" }, "tools_claimed"],
      [{ name: "x", mode: "pull", tools_claimed: Array(51).fill("t") }, "tools_claimed"],
      [{ name: "x", mode: "pull", roles: ["JUDGE"] }, "roles.0"],
      [{ name: "x", mode: "push" }, "webhook_url"],
      [{ name: "x", mode: "push", webhook_url: "ftp://a.example/" }, "webhook_url"],
      [{ name: "x", mode: "push", endpointUrl: "https://u:p@a.example/" }, "endpointUrl"],
      [{ name: "x", mode: "pull", dialect: "edgearena-v1", roles: ["SCOUT"] }, "mode"],
    ];
    for (const [body, field] of cases) {
      const problem = problemSchema.parse((await create(body)).json());
      expect([body, problem.status, problem.errors?.map((each) => each.field)]).toEqual([
        body,
        422,
        expect.arrayContaining([field]),
      ]);
    }
    expect((await arena.app.inject({ url: "/api/agents", headers: headers() })).json().total).toBe(0);
  });

  it("shows the secret this once and keeps it sealed", async () => {
    const { id, webhook_secret } = (await create({ name: "a", mode: "pull" })).json();
    const statement = { name: "one-agent", text: "select * from agents where id = $1" };
    const [row] = await database.db.run<{ secret_sealed: string }>(statement, [id]);
    expect(JSON.stringify(row)).not.toContain(webhook_secret);
    expect(createVault(SECRET_KEY, random).open((row as { secret_sealed: string }).secret_sealed)).toBe(webhook_secret);
    for (const url of [`/api/agents/${id}`, "/api/agents", "/api/account", `/api/agents/${id}/profile`]) {
      expect((await arena.app.inject({ url, headers: headers() })).body).not.toContain(webhook_secret);
    }
  });

  it("makes the agent of a program once, under an account of its own, with a new secret each time", async () => {
    const context = { ports: { clock: arena.clock, random }, vault: createVault(SECRET_KEY, random) };
    const ensure = () => ensurePullAgent(database.db, context, "calculator", "Adds up.");
    const first = await ensure();
    expect((await poll(arena, { id: first.agentId, secret: first.secret })).statusCode).toBe(204);
    const second = await ensure();
    expect(second.agentId).toBe(first.agentId);
    expect((await poll(arena, { id: first.agentId, secret: first.secret })).statusCode).toBe(403);
    expect((await poll(arena, { id: second.agentId, secret: second.secret })).statusCode).toBe(204);
    const found = (await arena.app.inject("/api/users?q=sample-calculator")).json();
    expect(found.items).toMatchObject([{ username: "sample-calculator", agent_count: 1 }]);
  });
});
