import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { addPrompts, createTestArena, poll, registerAgent, submit, type TestArena, work } from "../support/test-arena.ts";

describeOnBoth("the pull rules", (kind) => {
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

  it("[TX-GYM-1] hands out the gym first and the main pool only when each gym prompt has a good answer", async () => {
    await addPrompts(database, 3, 5);
    const agent = await registerAgent(arena);
    const seen: string[] = [];
    for (let index = 0; index < 8; index += 1) {
      const answer = index === 1 ? { error: "first try failed" } : "ok";
      const got = await work(arena, agent, answer);
      if (index === 1) arena.clock.advance(31);
      seen.push(`${got?.kind} ${got?.prompt}`);
    }
    expect(seen.slice(0, 6)).toEqual([
      "gym gym prompt 1",
      "gym gym prompt 2",
      "gym gym prompt 3",
      "gym gym prompt 4",
      "gym gym prompt 5",
      "gym gym prompt 2",
    ]);
    expect(seen[6]).toMatch(/^main /);
    const detail = await arena.app.inject({
      url: `/api/agents/${agent.id}`,
      headers: { authorization: `Bearer ${agent.apiKey}` },
    });
    expect(detail.json().gym).toEqual({ total: 5, done: 5, errors: 1, gym_complete: true });
  });

  it("[TX-NEXT-2, TX-NEXT-3] hands out work with the documented fields and an id that the result call takes", async () => {
    await addPrompts(database, 1);
    const agent = await registerAgent(arena);
    const next = await poll(arena, agent);
    expect(next.statusCode).toBe(200);
    expect(next.json()).toEqual({
      kind: "main",
      work_id: expect.stringMatching(/^main-\d+$/),
      prompt_id: expect.stringMatching(/^\d+$/),
      prompt: "main prompt 1",
      category: "main",
      deadline_seconds: 300,
    });
    expect(next.headers["cache-control"]).toBe("no-store");
    const result = await submit(arena, agent, next.json().work_id, { response: "an answer", latency_ms: 842 });
    expect(result.json()).toEqual({ work_id: next.json().work_id, recorded: true });
  });

  describe("the order of refusals", () => {
    it("[TX-NEXT-5, TX-AUTH-1] answers 404, 403 and nothing to the account's key", async () => {
      const agent = await registerAgent(arena);
      expect((await poll(arena, { id: 999, secret: agent.secret })).statusCode).toBe(404);
      expect((await poll(arena, { id: agent.id, secret: "whsec_wrong" })).statusCode).toBe(403);
      expect((await poll(arena, { id: agent.id, secret: agent.apiKey })).statusCode).toBe(403);
      const withKey = await arena.app.inject({
        url: `/api/agents/${agent.id}/work/next`,
        headers: { authorization: `Bearer ${agent.apiKey}` },
      });
      expect(withKey.statusCode).toBe(403);
      expect(withKey.json().detail).toContain("X-Arena-Secret");
    });
  });
});
