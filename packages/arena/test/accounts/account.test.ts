import { accountSchema, problemSchema } from "@agon/protocol";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { addAgent, addPrompts, createTestArena, START, type TestArena, work } from "../support/test-arena.ts";

describeOnBoth("an account", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  let key: string;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database);
    key = await newKey();
  });
  afterEach(() => arena.stop());

  const newKey = async () =>
    (await arena.app.inject({ method: "POST", url: "/api/register" })).json().api_key as string;
  const load = async (apiKey = key) => {
    const answer = await arena.app.inject({ url: "/api/account", headers: { authorization: `Bearer ${apiKey}` } });
    return accountSchema.parse(answer.json());
  };
  const patch = (payload: object, apiKey = key) =>
    arena.app.inject({ method: "PATCH", url: "/api/account", headers: { authorization: `Bearer ${apiKey}` }, payload });

  it("shows its fields and its agents with their standing", async () => {
    await addPrompts(database, 0, 1);
    const agent = { ...(await addAgent(arena, key, "first")), apiKey: key };
    const gone = await addAgent(arena, key, "gone");
    const lost = await addAgent(arena, key, "unreachable");
    await work(arena, agent);
    await arena.app.inject({
      method: "POST",
      url: `/api/agents/${gone.id}/deactivate`,
      headers: { authorization: `Bearer ${key}` },
    });
    await database.db.orm.execute(sql`update agents set ping_error = 'answers 502' where id = ${lost.id}`);
    const row = { elo: 1500, gym_complete: false };
    expect(await load()).toEqual({
      id: expect.any(Number),
      username: expect.stringMatching(/^player-[0-9a-f]{10}$/),
      display_name: null,
      email: null,
      bio: null,
      created_at: new Date(START).toISOString(),
      agent_count: 3,
      agents: [
        { ...row, id: agent.id, name: "first", active: true, gym_complete: true },
        { ...row, id: gone.id, name: "gone", active: false },
        { ...row, id: lost.id, name: "unreachable", active: false },
      ],
    });
  });

  it("takes a change of each field, leaves out what is absent and clears what is empty", async () => {
    const changed = await patch({ username: "Zo-e.9_", display_name: "Zoë 😀", bio: "Rivers\nand lakes." });
    expect(changed.statusCode).toBe(200);
    expect(accountSchema.parse(changed.json())).toMatchObject({
      username: "Zo-e.9_",
      display_name: "Zoë 😀",
      bio: "Rivers\nand lakes.",
    });
    await patch({ bio: "Lakes." });
    expect(await load()).toMatchObject({ username: "Zo-e.9_", display_name: "Zoë 😀", bio: "Lakes." });
    await patch({ display_name: "", bio: null });
    expect(await load()).toMatchObject({ username: "Zo-e.9_", display_name: null, bio: null });
    expect((await patch({})).statusCode).toBe(200);
    expect((await patch({ email: "a@b.example", id: 9, agent_count: 9 })).json()).toEqual(await load());
  });

  it("takes texts up to their length in characters, and not one more", async () => {
    expect((await patch({ display_name: "😀".repeat(80), bio: "é".repeat(500) })).statusCode).toBe(200);
    expect((await load()).display_name).toBe("😀".repeat(80));
    for (const [field, text] of [
      ["display_name", "😀".repeat(81)],
      ["bio", "é".repeat(501)],
    ] as const) {
      const problem = problemSchema.parse((await patch({ [field]: text })).json());
      expect([problem.status, problem.errors?.[0]?.field]).toEqual([422, field]);
    }
  });

  it("refuses a username that could not stand in an address", async () => {
    for (const username of ["", "a", "a".repeat(41), "-ab", ".ab", "a b", "a/b", "zoë", "a\n", "ａｂ", "<b>", null]) {
      const problem = problemSchema.parse((await patch({ username })).json());
      expect([username, problem.status, problem.errors?.[0]?.field]).toEqual([username, 422, "username"]);
    }
  });

  it("refuses a username that another has, in whatever case, with 409", async () => {
    const other = await newKey();
    await patch({ username: "Delta" }, other);
    for (const username of ["Delta", "delta", "DELTA", "dElTa"]) {
      const problem = problemSchema.parse((await patch({ username, bio: "half done" })).json());
      expect([username, problem.status, problem.code]).toEqual([username, 409, "conflict"]);
      expect(problem.errors).toEqual([{ field: "username", detail: expect.stringContaining(username) }]);
    }
    expect((await load()).bio).toBeNull();
    expect((await patch({ username: "DELTA" }, other)).json().username).toBe("DELTA");
  });

  it("refuses the names of the arena's own sample agents, so that nobody is handed one", async () => {
    for (const username of ["sample-calculator", "Sample-X1"]) {
      expect([username, (await patch({ username })).statusCode]).toEqual([username, 409]);
    }
    expect((await patch({ username: "sampler" })).statusCode).toBe(200);
  });

  it("gives a name that two ask for at once to one of them", async () => {
    const keys = [key, await newKey(), await newKey(), await newKey()];
    const answers = await Promise.all(keys.map((each) => patch({ username: "Everest" }, each)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409]);
  });
});
