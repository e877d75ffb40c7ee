import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import {
  ADMIN_KEY,
  addPrompts,
  createTestArena,
  poll,
  registerAgent,
  START,
  submit,
  type TestArena,
  work,
} from "../support/test-arena.ts";

interface Point {
  at: string;
  completed: number;
  timeout: number;
  error: number;
  arena: number;
  p50_ms: number | null;
  p95_ms: number | null;
  in_flight: number;
}

describeOnBoth("the operator's overview", (kind) => {
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

  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    const answer = await arena.app.inject({ url: `/api/admin/${path}`, headers });
    expect([path, answer.statusCode]).toEqual([path, 200]);
    return answer.json();
  };
  const history = async (span: "hour" | "day"): Promise<{ each: number; slot_seconds: number; points: Point[] }> =>
    get(`history?span=${span}`);

  it("tells queued tasks whose agents are here from those that wait for somebody who is away", async () => {
    await addPrompts(database, 3);
    const [here, away] = [await registerAgent(arena, "here"), await registerAgent(arena, "away")];
    // The next task is made beside the answer to a poll; the clock has to stand still until it is there.
    const queuedTasks = async () => (await get("overview")).queued;
    await work(arena, away);
    await expect.poll(queuedTasks).toBe(1);
    arena.clock.advance(90);
    await work(arena, here);
    await expect.poll(queuedTasks).toBe(2);
    await arena.passes.presence();
    arena.clock.advance(10);
    const { work: rows, agents, overdue } = await get("overview");
    const queued = rows.find((row: { state: string }) => row.state === "queued");
    expect(queued).toMatchObject({ kind: "main", tasks: 2, oldest_seconds: 100, ready: 1, ready_oldest_seconds: 10 });
    expect([agents.polling, overdue]).toEqual([1, 0]);
  });

  it("counts what runs, how long, and what the sweep should have ended", async () => {
    await addPrompts(database, 1);
    const agent = await registerAgent(arena);
    expect((await poll(arena, agent)).statusCode).toBe(200);
    arena.clock.advance(40);
    const before = await get("overview");
    expect(before.work).toMatchObject([{ kind: "main", state: "running", tasks: 1, oldest_seconds: 40 }]);
    expect([before.running, before.overdue]).toEqual([1, 0]);
    arena.clock.advance(300);
    expect((await get("overview")).overdue).toBe(1);
    while (await arena.passes.sweep());
    expect(await get("overview")).toMatchObject({ running: 0, overdue: 0 });
  });

  it("shows when tasks ended, by cause, and how long answers took", async () => {
    await addPrompts(database, 4);
    const agent = await registerAgent(arena);
    for (const seconds of [2, 4]) {
      const { work_id } = (await poll(arena, agent)).json();
      arena.clock.advance(seconds);
      await submit(arena, agent, work_id, { response: "ok" });
    }
    arena.clock.advance(624);
    await work(arena, agent, { error: "no model" });
    const { points, slot_seconds, each } = await history("hour");
    expect([points.length, slot_seconds, each]).toEqual([30, 120, 1]);
    const told = points.filter((point) => point.completed + point.error > 0);
    expect(told).toMatchObject([
      { completed: 2, error: 0, p50_ms: 3_000, p95_ms: 3_900 },
      { completed: 0, error: 1, p50_ms: null },
    ]);
    expect(points.indexOf(told[1] as Point) - points.indexOf(told[0] as Point)).toBe(5);
    arena.clock.advance(3_600);
    expect((await history("hour")).points.every((point) => point.completed + point.error === 0)).toBe(true);
    expect((await history("day")).points.reduce((sum, point) => sum + point.completed, 0)).toBe(2);
    expect((await get("overview")).outcomes).toEqual([]);
  });

  it("shows how many tasks were worked on at the end of each part of the time", async () => {
    await addPrompts(database, 2);
    const [first, second] = [await registerAgent(arena, "first"), await registerAgent(arena, "second")];
    const { work_id } = (await poll(arena, first)).json();
    arena.clock.advance(150);
    expect((await poll(arena, second)).statusCode).toBe(200);
    arena.clock.advance(120);
    await submit(arena, first, work_id, { response: "ok" });
    arena.clock.advance(30);
    const { points } = await history("hour");
    expect(points.slice(-5).map((point) => point.in_flight)).toEqual([0, 0, 1, 2, 1]);
  });

  it("finds the time asked for among many older tasks, and lets each nth stand for n where there are too many", async () => {
    const fill = (count: number, fromSeconds: number, toSeconds: number) =>
      database.db.orm.execute(sql`
        insert into tasks (uuid, agent_id, kind, state, deadline_seconds, inserted_at, started_at, finished_at)
        select gen_random_uuid(), 1, 'main', 'completed', 300, at, at, at + interval '1 second'
        from (
          select ${new Date(START).toISOString()}::timestamptz
            + make_interval(secs => ${fromSeconds}::float8 + ${toSeconds - fromSeconds}::float8 * g / ${count}::int) as at
          from generate_series(1, ${count}::int) g
        ) made`);
    await fill(5_000, -400_000, -100_000);
    await fill(300, -3_500, -10);
    const sum = async (span: "hour" | "day") => {
      const { points, each } = await history(span);
      return [each, points.reduce((total, point) => total + point.completed, 0)];
    };
    expect(await sum("hour")).toEqual([1, 300]);
    expect(await sum("day")).toEqual([1, 300]);
    await fill(60_000, -9, -2);
    const [each, completed] = (await sum("hour")) as [number, number];
    expect(each).toBe(11);
    expect(Math.abs(completed - 60_300)).toBeLessThanOrEqual(2 * each);
  }, 60_000);
});
