import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { ADMIN_KEY, addPrompts, createTestArena, registerAgent, type TestArena, work } from "../support/test-arena.ts";
import { mustShow, newAccount, rows } from "./judge-calls.ts";

describeOnBoth("a check that comes to nothing", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database);
    await addPrompts(database, [{ prompt: "1 + 1", category: "sums", check: { kind: "number", value: 2 } }]);
    // As a version before this one, or a hand in the database, may have left it: no pattern at all.
    await database.db.orm.execute(`update prompts set "check" = '{"kind":"regex","pattern":"(("}'`);
    for (const [name, answer] of [
      ["right", "2"],
      ["wrong", "3"],
    ] as const)
      await work(arena, await registerAgent(arena, name), answer);
    await arena.passes.judge();
  });
  afterEach(() => arena.stop());

  const admin = { authorization: `Bearer ${ADMIN_KEY}` };
  const get = async (url: string) => (await arena.app.inject({ url, headers: admin })).json();
  const retry = async () =>
    (await arena.app.inject({ method: "POST", url: "/api/admin/unknown-gates/retry", headers: admin })).json();

  it("makes the answers neither right nor wrong, and the operator is told", async () => {
    expect(await rows(database, "select check_right, judged_at is not null as judged from tasks")).toEqual([
      { check_right: null, judged: true },
      { check_right: null, judged: true },
    ]);
    expect(await rows(database, "select number from votes")).toEqual([]);
    const { total, items } = await get("/api/admin/unknown-gates");
    expect(total).toBe(2);
    expect(items[0]).toMatchObject({ answer_id: 1, prompt_id: "1", gate: "check" });
    expect(items[0].detail).toContain("could not be judged");
    expect((await get("/api/admin/overview")).unknown_gates).toBe(2);
    expect((await arena.app.inject("/metrics")).body).toContain("\nagon_unknown_gates 2\n");
  });

  it("keeps the answers from no judge", async () => {
    expect(await mustShow(arena, await newAccount(arena))).toMatchObject({ prompt: "1 + 1" });
  });

  it("decides once it is mended and asked again, and only once", async () => {
    expect(await retry()).toEqual({ retried: 2, settled: 0 });
    await database.db.orm.execute(`update prompts set "check" = '{"kind":"number","value":2}'`);
    expect(await retry()).toEqual({ retried: 2, settled: 2 });
    expect(await retry()).toEqual({ retried: 0, settled: 0 });
    expect(await rows(database, "select outcome, counted from votes")).toEqual([{ outcome: "a", counted: true }]);
    expect((await get("/api/admin/unknown-gates")).items).toEqual([]);
  });
});
