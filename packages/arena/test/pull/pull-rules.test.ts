import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agents } from "../../src/db/schema.ts";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import {
  addPrompts,
  createTestArena,
  poll,
  registerAgent,
  submit,
  type TestAgent,
  type TestArena,
  work,
} from "../support/test-arena.ts";

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

  /** Polls and expects work. */
  async function take(agent: TestAgent, holding?: string) {
    const next = await poll(arena, agent, "", holding);
    expect(next.statusCode).toBe(200);
    return next.json() as { work_id: string; kind: string; deadline_seconds: number; prompt_id: string };
  }

  async function stateOf(workId: string) {
    const { rows } = (await database.db.orm.execute(
      `select state, cause, error, response from tasks where id = ${workId.split("-")[1]}`,
    )) as unknown as { rows: { state: string; cause: string | null; error: string | null; response: string | null }[] };
    return rows[0];
  }

  it("[TX-GYM-1] hands out the gym first and the main pool only when each gym prompt has a good answer", async () => {
    await addPrompts(database, 3, 5);
    const agent = await registerAgent(arena);
    const seen: string[] = [];
    for (let index = 0; index < 8; index += 1) {
      const got = await work(arena, agent, index === 1 ? { error: "first try failed" } : "ok");
      if (index === 1) arena.clock.advance(31);
      seen.push(`${got?.kind} ${got?.prompt}`);
    }
    expect(seen.slice(0, 6)).toEqual([1, 2, 3, 4, 5, 2].map((number) => `gym gym prompt ${number}`));
    expect(seen[6]).toMatch(/^main /);
    const detail = await arena.app.inject({
      url: `/api/agents/${agent.id}`,
      headers: { authorization: `Bearer ${agent.apiKey}` },
    });
    expect(detail.json().gym).toEqual({ total: 5, done: 5, errors: 1, gym_complete: true });
  });

  it("[TX-NEXT-2, TX-NEXT-3] hands out the documented fields and an id that the result call takes unchanged", async () => {
    await addPrompts(database, 1);
    const agent = await registerAgent(arena);
    const next = await poll(arena, agent);
    expect(next.statusCode).toBe(200);
    expect(next.headers["cache-control"]).toBe("no-store");
    expect(next.json()).toEqual({
      kind: "main",
      work_id: expect.stringMatching(/^main-\d+$/),
      prompt_id: expect.stringMatching(/^\d+$/),
      prompt: "main prompt 1",
      category: "main",
      deadline_seconds: 300,
    });
    const result = await submit(arena, agent, next.json().work_id, { response: "an answer" });
    expect(result.json()).toEqual({ work_id: next.json().work_id, recorded: true });
  });

  it("[TX-NEXT-1] answers at once without wait, and takes a wait in any spelling of a number", async () => {
    const agent = await registerAgent(arena);
    for (const query of ["", "?wait=0", "?wait=-1", "?wait=0.0"]) {
      const next = await poll(arena, agent, query);
      expect([query, next.statusCode, next.body]).toEqual([query, 204, ""]);
    }
    for (const query of ["?wait=abc", "?wait=", "?wait=NaN", "?wait=25&wait=1", "?wait=%E0%A4%A", "?wait=1,5"]) {
      const next = await poll(arena, agent, query);
      expect([query, next.statusCode]).toEqual([query, query.includes("%E0") ? expect.any(Number) : 422]);
      expect(next.statusCode).toBeLessThan(500);
      if (next.statusCode === 422) expect(next.json().errors[0].field).toBe("wait");
    }
  });

  it("[TX-NEXT-5, TX-AUTH-1] refuses an unknown agent, a wrong secret and the account's key", async () => {
    const agent = await registerAgent(arena);
    expect((await poll(arena, { id: 999, secret: agent.secret })).statusCode).toBe(404);
    expect((await poll(arena, { id: 99_999_999_999, secret: agent.secret })).statusCode).toBe(404);
    expect((await poll(arena, { id: agent.id, secret: "whsec_wrong" })).statusCode).toBe(403);
    expect((await poll(arena, { id: agent.id, secret: agent.apiKey })).statusCode).toBe(403);
    const withKey = await arena.app.inject({
      url: `/api/agents/${agent.id}/work/next`,
      headers: { authorization: `Bearer ${agent.apiKey}` },
    });
    expect(withKey.statusCode).toBe(403);
    expect(withKey.json().detail).toContain("X-Arena-Secret");
  });

  it("[TX-AUTH-2] tells a push agent that it is not in pull mode", async () => {
    const agent = await registerAgent(arena);
    await database.db.orm
      .update(agents)
      .set({ transport: "push", url: "https://agents.example.com/hook" })
      .where(eq(agents.id, agent.id));
    for (const answer of [await poll(arena, agent), await submit(arena, agent, "main-1", { response: "x" })]) {
      expect(answer.statusCode).toBe(409);
      expect(answer.json().detail).toBe("agent is not in pull mode");
    }
  });

  it("[TX-RES-1] takes a response or an error, with or without latency_ms", async () => {
    await addPrompts(database, 4);
    const agent = await registerAgent(arena);
    const bodies = [
      { response: "one" },
      { response: "two", latency_ms: 842 },
      { error: "timeout after 300s", latency_ms: 300_000 },
    ];
    for (const body of bodies) {
      const { work_id } = await take(agent);
      expect((await submit(arena, agent, work_id, body)).json()).toEqual({ work_id, recorded: true });
      const stored = await stateOf(work_id);
      expect(stored?.state).toBe("error" in body ? "failed" : "completed");
      expect(stored?.response ?? stored?.error).toBe(body.response ?? body.error);
    }
  });

  it("[TX-RES-2] answers a repeat the same and keeps the first answer, also when the second differs", async () => {
    await addPrompts(database, 1);
    const agent = await registerAgent(arena);
    const { work_id } = await take(agent);
    await submit(arena, agent, work_id, { response: "first" });
    expect((await submit(arena, agent, work_id, { response: "first" })).json()).toEqual({ work_id, recorded: true });
    const second = await submit(arena, agent, work_id, { response: "second" });
    expect(second.statusCode).toBe(200);
    expect(second.json()).toEqual({ work_id, recorded: true, duplicate: true });
    expect((await submit(arena, agent, work_id, { error: "late regret" })).statusCode).toBe(200);
    expect(await stateOf(work_id)).toMatchObject({ state: "completed", response: "first", error: null });
    const deliveries = async () =>
      (
        await arena.app.inject({
          url: `/api/agents/${agent.id}/deliveries`,
          headers: { authorization: `Bearer ${agent.apiKey}` },
        })
      ).json();
    await expect.poll(async () => (await deliveries()).total).toBe(2);
    expect((await deliveries()).items[0]).toMatchObject({
      purpose: "result",
      fault: "agent",
      detail: "A second result came for task 1, with other content. The first one stands.",
    });
  });

  it("[TX-RES-2] stores exactly one of two results that come at the same time", async () => {
    await addPrompts(database, 1);
    const agent = await registerAgent(arena);
    const { work_id } = await take(agent);
    const answers = await Promise.all(["left", "right"].map((response) => submit(arena, agent, work_id, { response })));
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200]);
    expect(answers.filter((answer) => answer.json().duplicate === true)).toHaveLength(1);
  });

  it("[TX-RES-3] refuses a malformed id, a result with nothing in it, and wrong types by name", async () => {
    await addPrompts(database, 1);
    const agent = await registerAgent(arena);
    const { work_id } = await take(agent);
    for (const bad of ["main", "sandbox-1", "main-x", "main-01", "MAIN-1", "main--1", "main-99999999999999999999"]) {
      const answer = await submit(arena, agent, bad, { response: "x" });
      expect([bad, answer.statusCode]).toEqual([bad, 400]);
    }
    for (const empty of [{}, { response: "" }, { response: " \n" }, { error: "" }, { response: null }]) {
      expect((await submit(arena, agent, work_id, empty)).statusCode).toBe(422);
    }
    for (const [body, field] of [
      [{ response: 7 }, "response"],
      [{ error: {} }, "error"],
      [[], "body"],
      ["", "body"],
    ] as const) {
      const answer = await submit(arena, agent, work_id, body);
      expect(answer.statusCode).toBe(422);
      expect(answer.json().errors[0].field).toBe(field);
    }
    expect((await submit(arena, agent, work_id, "{ not json")).statusCode).toBe(400);
    expect((await submit(arena, { id: agent.id, secret: "no" }, work_id, { response: "x" })).statusCode).toBe(403);
    expect((await stateOf(work_id))?.state).toBe("running");
    const both = await submit(arena, agent, work_id, { response: "x", error: "the error wins", latency_ms: "soon" });
    expect(both.statusCode).toBe(200);
    expect(await stateOf(work_id)).toMatchObject({ state: "failed", error: "the error wins" });
  });

  it("[TX-RES-4] names the first reason: 404 agent, 403, 409, 400, 422, 404 work", async () => {
    await addPrompts(database, 2);
    const agent = await registerAgent(arena);
    const other = await registerAgent(arena, "other");
    const { work_id } = await take(agent);
    const status = async (who: { id: number; secret: string }, id: string, body: unknown) =>
      (await submit(arena, who, id, body)).statusCode;
    expect(await status({ id: 999, secret: "x" }, "nonsense", "{")).toBe(404);
    expect(await status({ id: agent.id, secret: "x" }, "nonsense", "{")).toBe(403);
    expect(await status(agent, "nonsense", {})).toBe(400);
    expect(await status(agent, "main-424242", {})).toBe(422);
    expect(await status(agent, "main-424242", { response: "x" })).toBe(404);
    expect(await status(other, work_id, { response: "stolen" })).toBe(404);
    expect(await status(agent, work_id.replace("main", "gym"), { response: "x" })).toBe(404);
    expect(await status(agent, "scout-0192f4a9-1be4-7123-b21d-0a55f00d4c8e", { response: "x" })).toBe(404);
    await database.db.orm.execute(`update tasks set state = 'cancelled' where id = ${work_id.split("-")[1]}`);
    const cancelled = await submit(arena, agent, work_id, { response: "x" });
    expect([cancelled.statusCode, cancelled.json().detail]).toEqual([409, "work cancelled"]);
    expect(await status(agent, work_id, { error: "gave up" })).toBe(200);
    await arena.app.inject({
      method: "POST",
      url: `/api/agents/${agent.id}/deactivate`,
      headers: { authorization: `Bearer ${agent.apiKey}` },
    });
    expect(await status(agent, work_id, { response: "x" })).toBe(403);
  });

  it("[TX-RES-4] knows no work that is queued but was never handed out", async () => {
    await addPrompts(database, 2);
    const agent = await registerAgent(arena);
    await take(agent);
    await expect.poll(async () => (await stateOf("main-2"))?.state).toBe("queued");
    const guessed = await submit(arena, agent, "main-2", { response: "x" });
    expect([guessed.statusCode, guessed.json().detail]).toEqual([404, "work not found"]);
  });

  it("[TX-RES-5] takes an answer until five seconds past the deadline, an error as the timeout's reason also later", async () => {
    await addPrompts(database, 3);
    const agent = await registerAgent(arena);
    const inTime = await take(agent);
    arena.clock.advance(305);
    expect((await submit(arena, agent, inTime.work_id, { response: "just" })).statusCode).toBe(200);
    expect((await stateOf(inTime.work_id))?.state).toBe("completed");

    const late = await take(agent);
    arena.clock.advance(305.001);
    const refused = await submit(arena, agent, late.work_id, { response: "too late" });
    expect([refused.statusCode, refused.json().detail]).toEqual([409, "deadline passed"]);
    expect((await submit(arena, agent, late.work_id, { error: "the model hung" })).statusCode).toBe(200);
    expect(await stateOf(late.work_id)).toMatchObject({ state: "timeout", cause: "timeout", error: "the model hung" });

    arena.clock.advance(31);
    const swept = await take(agent);
    arena.clock.advance(312);
    await arena.passes.sweep();
    expect(await stateOf(swept.work_id)).toMatchObject({ state: "timeout", cause: "timeout", error: null });
    expect((await submit(arena, agent, swept.work_id, { response: "x" })).statusCode).toBe(409);
    expect((await submit(arena, agent, swept.work_id, { error: "was asleep" })).statusCode).toBe(200);
    expect(await stateOf(swept.work_id)).toMatchObject({ state: "timeout", error: "was asleep", response: null });
  });

  describe("handing out again", () => {
    it("offers claimed work to each poll that does not name it, with the time that is left", async () => {
      await addPrompts(database, 3);
      const agent = await registerAgent(arena);
      const first = await take(agent);
      arena.clock.advance(100.5);
      expect(await take(agent)).toEqual({ ...first, deadline_seconds: 199 });
      expect((await poll(arena, agent, "", first.work_id)).statusCode).toBe(204);
      expect((await take(agent, "main-999, nonsense, gym-77")).work_id).toBe(first.work_id);
      arena.clock.advance(189.5);
      expect((await take(agent)).deadline_seconds).toBe(10);
      arena.clock.advance(0.5);
      expect((await poll(arena, agent)).statusCode).toBe(204);
    });

    it("gives an agent with room for two a second task beside the one it holds, and no third", async () => {
      await addPrompts(database, 5);
      const agent = await registerAgent(arena);
      await arena.app.inject({
        method: "PATCH",
        url: `/api/agents/${agent.id}`,
        headers: { authorization: `Bearer ${agent.apiKey}` },
        payload: { max_concurrent: 2 },
      });
      const first = await take(agent);
      const second = await take(agent, first.work_id);
      expect(second.work_id).not.toBe(first.work_id);
      expect((await poll(arena, agent, "", `${first.work_id},${second.work_id}`)).statusCode).toBe(204);
    });
  });

  describe("broken agents", () => {
    it("get no new work for 30 s, doubling to 15 min, until one good answer", async () => {
      await addPrompts(database, 20);
      const agent = await registerAgent(arena);
      for (const pause of [30, 60, 120, 240, 480, 900, 900]) {
        const { work_id } = await take(agent);
        await submit(arena, agent, work_id, { error: "broken" });
        const held = await poll(arena, agent);
        expect([held.statusCode, held.headers["retry-after"]]).toEqual([204, String(pause)]);
        arena.clock.advance(pause + 0.001);
      }
      const { work_id } = await take(agent);
      await submit(arena, agent, work_id, { response: "fine again" });
      expect((await poll(arena, agent)).statusCode).toBe(200);
    });

    it("are told why by eligibility", async () => {
      await addPrompts(database, 3);
      const agent = await registerAgent(arena);
      const { work_id } = await take(agent);
      await submit(arena, agent, work_id, { error: "broken" });
      await arena.passes.presence();
      const answer = await arena.app.inject({
        url: `/api/agents/${agent.id}/eligibility`,
        headers: { authorization: `Bearer ${agent.apiKey}` },
      });
      expect(answer.json()).toEqual({
        agent_id: agent.id,
        eligible: false,
        gates: [
          {
            gate: "slowed",
            detail:
              "The last task ended with error. New work pauses, longer with each failure; one good answer ends it.",
            until: new Date(arena.clock.now() + 30_000).toISOString(),
          },
        ],
      });
    });
  });
});
