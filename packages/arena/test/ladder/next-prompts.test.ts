import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import {
  ADMIN_KEY,
  addPrompts,
  createTestArena,
  poll,
  registerAgent,
  submit,
  type TestArena,
  work,
} from "../support/test-arena.ts";

describeOnBoth("which prompt an agent gets", (kind) => {
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

  async function rows<Row>(query: string): Promise<Row[]> {
    return ((await database.db.orm.execute(query)) as unknown as { rows: Row[] }).rows;
  }

  it("is never one it was given before, until the pool is dry", async () => {
    await addPrompts(database, 12);
    const agent = await registerAgent(arena);
    const seen: string[] = [];
    for (let got = await work(arena, agent); got !== undefined; got = await work(arena, agent))
      seen.push(got.prompt_id);
    expect(seen).toHaveLength(12);
    expect(new Set(seen).size).toBe(12);
    await arena.passes.presence();
    const why = await arena.app.inject({
      url: `/api/agents/${agent.id}/eligibility`,
      headers: { authorization: `Bearer ${agent.apiKey}` },
    });
    expect(why.json().gates).toEqual([
      {
        gate: "pool_dry",
        detail: "The agent was given every prompt of the pool. The operator has to add prompts.",
        until: null,
      },
    ]);
  });

  it("is first one that exactly one other agent has answered well, so that battles form", async () => {
    await addPrompts(database, 30);
    const first = await registerAgent(arena, "first");
    const second = await registerAgent(arena, "second");
    const third = await registerAgent(arena, "third");
    const answered: string[] = [];
    for (let index = 0; index < 3; index += 1) answered.push((await work(arena, first))?.prompt_id as string);
    await arena.passes.judge();
    const partners = [];
    for (let index = 0; index < 3; index += 1) partners.push((await work(arena, second))?.prompt_id as string);
    expect(partners.sort()).toEqual(answered.sort());
    await arena.passes.judge();
    expect(answered).not.toContain((await work(arena, third))?.prompt_id);
  });

  it("differs between agents that come at the same time", async () => {
    await addPrompts(database, 30);
    const agents = await Promise.all(Array.from({ length: 8 }, (_, index) => registerAgent(arena, `agent ${index}`)));
    const given = await Promise.all(agents.map(async (agent) => (await poll(arena, agent)).json().prompt_id));
    expect(new Set(given).size).toBe(8);
  });

  it("is written with its assignment one ahead, in one row per agent however many polls come at once", async () => {
    await addPrompts(database, 30);
    const agent = await registerAgent(arena);
    const polls = await Promise.all(Array.from({ length: 10 }, () => poll(arena, agent)));
    const handed = polls.filter((answer) => answer.statusCode === 200).map((answer) => answer.json().work_id);
    expect(new Set(handed).size).toBe(1);
    const queued = "select count(*)::int as many from tasks where state = 'queued'";
    await expect.poll(async () => (await rows<{ many: number }>(queued))[0]?.many).toBe(1);
    expect(await rows("select count(*)::int as many from assignments")).toEqual([{ many: 2 }]);
  });

  it("comes back to the pool when the task was cancelled before anybody saw it", async () => {
    await addPrompts(database, 2);
    const agent = await registerAgent(arena);
    const first = (await poll(arena, agent)).json();
    await expect.poll(async () => (await rows(`select id from tasks where state = 'queued'`)).length).toBe(1);
    const [queued] = await rows<{ prompt_id: number }>(`select prompt_id from tasks where state = 'queued'`);
    const admin = { authorization: `Bearer ${ADMIN_KEY}` };
    const url = `/api/admin/prompts/${queued?.prompt_id}`;
    await arena.app.inject({ method: "PATCH", url, headers: admin, payload: { retired: true } });
    await arena.passes.sweep();
    expect(await rows(`select state, prompt_id from tasks order by id`)).toEqual([
      { state: "running", prompt_id: Number(first.prompt_id) },
      { state: "cancelled", prompt_id: queued?.prompt_id },
    ]);
    await arena.app.inject({ method: "PATCH", url, headers: admin, payload: { retired: false } });
    await submit(arena, agent, first.work_id, { response: "done" });
    arena.clock.advance(6);
    expect((await poll(arena, agent)).json().prompt_id).toBe(String(queued?.prompt_id));
  });

  it("is withdrawn from the queue of an agent that is deactivated", async () => {
    await addPrompts(database, 5);
    const agent = await registerAgent(arena);
    await work(arena, agent);
    const queued = `select count(*)::int as many from tasks where state = 'queued'`;
    await expect.poll(async () => (await rows<{ many: number }>(queued))[0]?.many).toBe(1);
    await arena.app.inject({
      method: "POST",
      url: `/api/agents/${agent.id}/deactivate`,
      headers: { authorization: `Bearer ${agent.apiKey}` },
    });
    await arena.passes.sweep();
    expect(await rows(queued)).toEqual([{ many: 0 }]);
    expect(await rows("select count(*)::int as many from assignments")).toEqual([{ many: 1 }]);
  });

  it("has the time to answer that it names itself, or the arena's", async () => {
    await addPrompts(database, [{ prompt: "short", category: "x", deadline_seconds: 60 }]);
    const agent = await registerAgent(arena);
    expect((await poll(arena, agent)).json().deadline_seconds).toBe(60);
  });
});
