import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../src/db/open.ts";
import { emptyTables, openPostgresNode, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena, type TestArena } from "../support/test-arena.ts";
import { hasPostgres } from "../support/test-databases.ts";
import { addActive, answerWell, endTask, queuedTasks, rows, takeTask } from "./players.ts";
import { startRun } from "./run-world.ts";

describe.skipIf(!hasPostgres())("runs over two nodes whose passes race", () => {
  let database: TestDatabase;
  let second: OpenDatabase & { close(): Promise<void> };
  let nodes: [TestArena, TestArena];
  beforeAll(async () => {
    database = await openTestDatabase("postgres");
    second = await openPostgresNode(database.url as string);
  });
  beforeEach(async () => {
    await emptyTables(database);
    const first = await createTestArena(database, { houseAgents: false });
    nodes = [first, await createTestArena(second, { houseAgents: false }, first.clock)];
  });
  afterEach(() => Promise.all(nodes.map((node) => node.stop())));
  afterAll(async () => {
    await second.close();
    await database.close();
  });

  /** Several passes of both at once. */
  const race = async (times: number) => {
    for (let turn = 0; turn < times; turn += 1) {
      await Promise.all([
        nodes[0].passes.runs(),
        nodes[1].passes.runs(),
        nodes[0].passes.runs(),
        nodes[1].passes.runs(),
      ]);
    }
  };

  it.each([
    ["max_concurrent", "max_concurrent = 2", 2],
    ["max_tasks_per_day", "max_concurrent = 50, max_tasks_per_day = 3", 3],
  ])("never give an agent more than %s", async (_title, change, most) => {
    const { id } = await addActive(database, nodes[0]);
    await database.db.orm.execute(sql.raw(`update agents set ${change} where id = ${id}`));
    for (let count = 0; count < 12; count += 1) await startRun(nodes[count % 2] as TestArena, { scouts: 1 });
    await race(4);
    expect((await queuedTasks(database)).length).toBe(most);
  });

  it("give each place to one agent at a time, and bring every run to its end", async () => {
    for (let count = 0; count < 8; count += 1) await addActive(database, nodes[0], { maxConcurrent: 4 });
    for (let count = 0; count < 8; count += 1) await startRun(nodes[count % 2] as TestArena, { scouts: 2 });
    let ended = 0;
    for (let turn = 0; turn < 80; turn += 1) {
      await race(1);
      const tasks = await queuedTasks(database);
      await Promise.all(
        tasks.map(async (task) => {
          await takeTask(database, nodes[0], task.id);
          ended += 1;
          const answer = ended % 5 === 0 ? ({ cause: "invalid", error: "no" } as const) : answerWell(task);
          await endTask(database, nodes[ended % 2] as TestArena, task, answer);
        }),
      );
      const [open] = await rows<{ n: number }>(
        database.db,
        "select count(*)::int as n from runs where finished_at is null",
      );
      if (open?.n === 0) break;
      if (tasks.length === 0) nodes[0].clock.advance(2);
    }
    expect(await rows(database.db, "select id from runs where finished_at is null")).toEqual([]);
    const twice = await rows(
      database.db,
      `select slot_id from tasks where state in ('completed', 'failed') group by slot_id
       having count(*) > 2 or count(*) filter (where state = 'completed') > 1 or count(distinct agent_id) < count(*)`,
    );
    expect(twice).toEqual([]);
    // Each task is the slot's present one, or a failed one before it.
    const stray = await rows(
      database.db,
      "select t.id from tasks t join slots s on s.id = t.slot_id where t.id <> s.task_id and t.state = 'completed'",
    );
    expect(stray).toEqual([]);
  });
});
