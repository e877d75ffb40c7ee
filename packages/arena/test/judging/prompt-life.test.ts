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
import { addAnswers, mustShow, newAccount, next, rows, type TestJudge, vote } from "./judge-calls.ts";

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

  it("ends when each of its answers has five counted votes of people, and not before", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b", "c"] });
    // Three answers, two in each vote: with seven votes one of them has four, with eight each has five.
    for (let votes = 1; votes <= 8; votes += 1) {
      const judge = await newAccount(arena);
      await vote(arena, judge, (await mustShow(arena, judge)).battle_id, "a");
      await arena.passes.close();
      expect([votes, await closed()]).toEqual([votes, votes < 8 ? [] : [1]]);
    }
    expect(await rows(database, "select votes from tasks order by votes")).toEqual(
      [5, 5, 6].map((votes) => ({ votes })),
    );
    expect(await rows(database, "select id from tasks where votable")).toEqual([]);
    expect(await next(arena, await newAccount(arena))).toBeUndefined();
  });

  it("is not ended by votes that do not count, nor while its only answer waits for a second", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    for (let votes = 1; votes <= 8; votes += 1) {
      const visitor: TestJudge = { headers: {} };
      await vote(arena, visitor, (await mustShow(arena, visitor)).battle_id, "a");
    }
    await arena.passes.close();
    expect(await closed()).toEqual([]);
    await database.db.orm.execute("update tasks set votes = 9 where id = 1");
    await database.db.orm.execute("update tasks set hidden_at = now(), votable = false where id = 2");
    await arena.passes.close();
    expect(await closed()).toEqual([]);
  });

  it("is not kept open by an answer that is hidden or names itself, for which no vote counts", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b", "c", "d"] });
    await database.db.orm.execute("update tasks set votes = case when id < 3 then 5 else 0 end");
    await database.db.orm.execute("update tasks set names_itself = true where id = 3");
    await arena.passes.close();
    expect(await closed()).toEqual([]);
    await database.db.orm.execute("update tasks set hidden_at = now(), votable = false where id = 4");
    await arena.passes.close();
    expect(await closed()).toEqual([1]);
  });

  it("does not end while a judge has it before them, by age or by votes", async () => {
    await addPrompts(database, 4);
    await addAnswers(database, arena, { prompts: 0, names: ["a", "b"] });
    await database.db.orm.execute("update prompts set opened_at = null, closed_at = null where id > 1");
    const judge = await newAccount(arena);
    const shown = await mustShow(arena, judge);
    const [{ id } = { id: 0 }] = await rows<{ id: number }>(
      database,
      "select prompt_id as id from battles where judged_by = 'people'",
    );
    await database.db.orm.execute(`update tasks set votes = 5 where prompt_id = ${id}`);
    await database.db.orm.execute("update prompts set opened_at = '2029-01-01'");
    await arena.passes.close();
    expect(await closed()).not.toContain(id);
    expect(await vote(arena, judge, shown.battle_id, "tie")).toMatchObject({ counted: true });
    await arena.passes.close();
    expect(await closed()).toContain(id);
  });

  it("ends when the time of the judge who has it before them is over", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    await database.db.orm.execute("update tasks set votes = 5");
    await mustShow(arena, await newAccount(arena));
    arena.clock.advance(599);
    await arena.passes.close();
    expect(await closed()).toEqual([]);
    arena.clock.advance(1);
    await arena.passes.close();
    expect(await closed()).toEqual([1]);
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
