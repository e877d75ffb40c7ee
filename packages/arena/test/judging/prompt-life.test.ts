import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import {
  addPrompts,
  createTestArena,
  poll,
  registerAgent,
  submit,
  type TestArena,
  work,
} from "../support/test-arena.ts";

describeOnBoth("a prompt's life", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database, { poolReserve: 2 });
  });
  afterEach(() => arena.stop());

  const activity = async (id: number) => (await arena.app.inject(`/api/agents/${id}/activity`)).json();
  const closed = async () =>
    (
      (await database.db.orm.execute(`select id from prompts where closed_at is not null order by id`)) as unknown as {
        rows: { id: number }[];
      }
    ).rows.map((row) => row.id);

  it("opens with its first answer and shows nothing of it to the public, only to the owner, until it closes", async () => {
    await addPrompts(database, 4, 1);
    const agent = await registerAgent(arena);
    await work(arena, agent, "a gym answer");
    const main = await work(arena, agent, "a main answer");
    await arena.passes.judge();
    const open = await activity(agent.id);
    expect(open).toMatchObject({ agent_id: agent.id, agent_name: "agent", total: 1, has_more: false });
    expect(open.sessions).toEqual([
      {
        id: 1,
        kind: "gym",
        category: "gym",
        prompt: "gym prompt 1",
        response: "a gym answer",
        error: null,
        latency_ms: null,
        status: "answered",
        created_at: new Date(arena.clock.now()).toISOString(),
      },
    ]);
    const own = await arena.app.inject({
      url: `/api/agents/${agent.id}/answers`,
      headers: { authorization: `Bearer ${agent.apiKey}` },
    });
    expect(own.json().items.map((item: { response: string; open: boolean }) => [item.response, item.open])).toEqual([
      ["a main answer", true],
      ["a gym answer", false],
    ]);
    arena.clock.advance(7 * 86_400);
    await arena.passes.close();
    expect(await closed()).toEqual([Number(main?.prompt_id)]);
    expect((await activity(agent.id)).sessions[0]).toMatchObject({ response: "a main answer", status: "answered" });
  });

  it("is not ended by age while few fresh prompts are left", async () => {
    await addPrompts(database, 2);
    const agent = await registerAgent(arena);
    await work(arena, agent);
    await arena.passes.judge();
    arena.clock.advance(8 * 86_400);
    await arena.passes.close();
    expect(await closed()).toEqual([]);
    await addPrompts(database, 1);
    await arena.passes.close();
    expect(await closed()).toHaveLength(1);
  });

  it("ends when each of its answers has enough votes of people, and not before", async () => {
    await addPrompts(database, [{ prompt: "which is better?", category: "taste" }]);
    const [a, b] = [await registerAgent(arena, "a"), await registerAgent(arena, "b")];
    await work(arena, a);
    await work(arena, b);
    await arena.passes.judge();
    const { rows } = (await database.db.orm.execute(
      `insert into battles (prompt_id, answer_a, answer_b, agent_a, agent_b, judged_by, created_at)
       select prompt_id, min(id), max(id), ${a.id}, ${b.id}, 'people', now() from tasks where state = 'completed' group by prompt_id
       returning id`,
    )) as unknown as { rows: { id: number }[] };
    for (let number = 1; number <= 5; number += 1) {
      await arena.passes.close();
      expect(await closed()).toEqual([]);
      await database.db.orm.execute(
        `insert into votes values (${number}, ${rows[0]?.id}, 'account', 'judge ${number}', 'a', ${a.id}, ${b.id}, 'taste', true, now())`,
      );
    }
    await arena.passes.close();
    expect(await closed()).toHaveLength(1);
  });

  it("takes no answers to judge after its end, though a running task may finish", async () => {
    await addPrompts(database, [
      { prompt: "1 + 1", category: "math", check: { kind: "number", value: 2 } },
      ...Array.from({ length: 4 }, (_, index) => ({ prompt: `spare ${index}`, category: "spare" })),
    ]);
    const agents = [await registerAgent(arena, "a"), await registerAgent(arena, "b"), await registerAgent(arena, "c")];
    for (const agent of agents.slice(0, 2)) {
      const taken = (await poll(arena, agent)).json();
      await submit(arena, agent, taken.work_id, { response: "2" });
      await arena.passes.judge();
    }
    const late = agents[2] as (typeof agents)[0];
    const before = await database.db.orm.execute(`select count(*)::int as many from votes`);
    await database.db.orm.execute(`update prompts set opened_at = coalesce(opened_at, now()), closed_at = now()`);
    await database.db.orm.execute(
      `insert into tasks (uuid, agent_id, kind, prompt_id, state, deadline_seconds, inserted_at, started_at, deadline_at)
       values ('${crypto.randomUUID()}', ${late.id}, 'main', 1, 'running', 300, now(), now(), '2031-01-01')`,
    );
    const { rows } = (await database.db.orm.execute(`select max(id)::int as id from tasks`)) as unknown as {
      rows: { id: number }[];
    };
    expect((await submit(arena, late, `main-${rows[0]?.id}`, { response: "2" })).statusCode).toBe(200);
    await arena.passes.judge();
    const after = await database.db.orm.execute(`select count(*)::int as many from votes`);
    expect((after as unknown as { rows: unknown }).rows).toEqual((before as unknown as { rows: unknown }).rows);
  });
});
