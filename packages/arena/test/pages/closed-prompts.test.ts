import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { addAnswers, answerOf, newAccount, voteFor } from "../judging/judge-calls.ts";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena, type TestAgent, type TestArena } from "../support/test-arena.ts";

describeOnBoth("what everybody may read", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  let agents: TestAgent[];
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database, { votesToClose: 1 });
    agents = (await addAnswers(database, arena, { prompts: 1, names: ["left", "right"] })) as TestAgent[];
  });
  afterEach(() => arena.stop());
  const get = async (url: string) => (await arena.app.inject({ url })).json();
  const status = async (url: string) => (await arena.app.inject({ url })).statusCode;

  it("holds nothing of a prompt while it is open", async () => {
    await voteFor(arena, await newAccount(arena), answerOf(0, 1));
    const [prompt] = (await get("/api/prompts")).items;
    expect(prompt).toBeUndefined();
    expect([await status("/api/prompts/1"), await status("/api/battles/1")]).toEqual([404, 404]);
    const live = await get("/api/live");
    expect(live.latest).toMatchObject([{ number: 1, battle_id: null }]);
    expect(JSON.stringify(live)).not.toContain(answerOf(0, 1));
  });

  it("holds every answer, battle and vote of a prompt once it has closed, with what is hidden left out", async () => {
    await voteFor(arena, await newAccount(arena), answerOf(0, 1));
    await arena.passes.close();
    const { items, total } = await get("/api/prompts");
    expect([total, items[0]]).toEqual([1, expect.objectContaining({ answers: 2, battles: 1, votes: 1 })]);
    const prompt = await get(`/api/prompts/${items[0].id}`);
    expect(prompt.all.map((answer: { agent: { name: string } }) => answer.agent.name).sort()).toEqual([
      "left",
      "right",
    ]);
    const battle = await get(`/api/battles/${prompt.fought[0].id}`);
    const winner = battle.a.response === answerOf(0, 1) ? "a" : "b";
    expect(battle.votes).toEqual([
      { number: 1, judge: "account", choice: winner, counted: true, day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    ]);
    expect(battle.tally).toEqual({ a: 0, b: 0, tie: 0, both_bad: 0, not_counted: 0, [winner]: 1 });
    expect((await get("/api/live")).latest[0].battle_id).toBe(battle.id);

    await database.db.orm.execute(sql`update tasks set hidden_at = now() where id = ${battle.a.answer_id}`);
    expect((await get(`/api/battles/${battle.id}`)).a).toMatchObject({ response: null, hidden: true });
    expect((await get(`/api/prompts/${items[0].id}`)).answers).toBe(1);
  });

  it("holds the way of each agent's Elo, oldest first, for many at once", async () => {
    await voteFor(arena, await newAccount(arena), answerOf(0, 1));
    const ids = agents.map((agent) => agent.id);
    const { items } = await get(`/api/trends?agents=${ids.join(",")},999`);
    const elos = items.map((item: { elos: number[] }) => item.elos);
    expect(items.map((item: { id: number }) => item.id).sort()).toEqual([...ids, 999].sort());
    expect(elos.flat().sort()).toEqual([1484, 1516]);
    for (const wrong of ["x", "1,", "0", "1;2", Array(101).fill(1).join(",")]) {
      expect([wrong, await status(`/api/trends?agents=${wrong}`)]).toEqual([wrong, 400]);
    }
  });
});
