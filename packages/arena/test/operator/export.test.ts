import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { addAnswers, mustShow, newAccount, vote } from "../judging/judge-calls.ts";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { ADMIN_KEY, createTestArena, type TestArena } from "../support/test-arena.ts";

describeOnBoth("the operator's export", (kind) => {
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

  const get = (query = "") =>
    arena.app.inject({ url: `/api/admin/export${query}`, headers: { authorization: `Bearer ${ADMIN_KEY}` } });
  const linesOf = (body: string) =>
    body
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; [field: string]: unknown });

  it("holds what there is, more than one read of each, with times in UTC and without a secret", async () => {
    const [agent] = await addAnswers(database, arena, { prompts: 60, names: ["a", "b"] });
    const judge = await newAccount(arena);
    await vote(arena, judge, (await mustShow(arena, judge)).battle_id, "a");
    await database.db.orm.execute("update accounts set email = 'somebody@example.org'");
    const answer = await get();
    expect(answer.headers["content-disposition"]).toBe('attachment; filename="agon-2030-01-01.ndjson"');
    const lines = linesOf(answer.body);
    const counts: Record<string, number> = {};
    for (const { type } of lines) counts[type] = (counts[type] ?? 0) + 1;
    expect(counts).toMatchObject({ export: 1, account: 3, agent: 2, prompt: 60, task: 120, battle: 1, vote: 1 });
    expect(lines.find((line) => line.type === "agent")).toMatchObject({
      name: "a",
      created_at: "2030-01-01T12:00:00.000Z",
      tools_claimed: [],
    });
    const sealed = (
      await database.db.run<{ text: string }>(
        { name: "secrets", text: "select secret_sealed as text from agents union all select key_hash from api_keys" },
        [],
      )
    ).map((row) => row.text);
    for (const secret of [...sealed, agent?.secret, agent?.apiKey, "somebody@example.org"]) {
      expect(answer.body).not.toContain(secret);
    }
  });

  it("holds only the parts that were asked for, and says which there are", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a"] });
    expect(linesOf((await get("?parts=prompts,%20agents")).body).map((line) => line.type)).toEqual([
      "export",
      "agent",
      "prompt",
    ]);
    const refused = await get("?parts=secrets");
    expect(refused.json()).toMatchObject({ status: 400, errors: [{ field: "parts" }] });
  });
});
