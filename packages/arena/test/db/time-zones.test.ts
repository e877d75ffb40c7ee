import { sql } from "drizzle-orm";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPostgres } from "../../src/db/postgres.ts";
import { createPostgresSignals } from "../../src/db/signals.ts";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import {
  addPrompts,
  createTestArena,
  poll,
  registerAgent,
  START,
  submit,
  type TestArena,
} from "../support/test-arena.ts";
import { hasPostgres } from "../support/test-databases.ts";

const HOME = process.env.TZ;

/** One life of a task, with every moment that anybody is told, in milliseconds of UTC. */
async function livedThrough(arena: TestArena, database: TestDatabase) {
  await emptyTables(database);
  await addPrompts(database, 2);
  const agent = await registerAgent(arena);
  const headers = { authorization: `Bearer ${agent.apiKey}` };
  const first = (await poll(arena, agent)).json();
  arena.clock.advance(300);
  const atDeadline = (await submit(arena, agent, first.work_id, { response: "in time" })).statusCode;
  const second = (await poll(arena, agent)).json();
  arena.clock.advance(305.001);
  const late = (await submit(arena, agent, second.work_id, { response: "too late" })).statusCode;
  await arena.passes.sweep();
  await arena.passes.presence();
  const answers = (await arena.app.inject({ url: `/api/agents/${agent.id}/answers`, headers })).json();
  const detail = (await arena.app.inject({ url: `/api/agents/${agent.id}`, headers })).json();
  const stored = await database.db.run<Record<string, number>>(
    {
      name: "moments",
      text: `select (extract(epoch from started_at) * 1000)::float8 as started, (extract(epoch from deadline_at) * 1000)::float8 as deadline
from tasks order by id`,
    },
    [],
  );
  return {
    statuses: [atDeadline, late],
    deadlines: [first.deadline_seconds, second.deadline_seconds],
    said: answers.items.map((item: { created_at: string }) => item.created_at),
    agent: [detail.created_at, detail.last_polled_at],
    stored,
  };
}

const EXPECTED = {
  statuses: [200, 409],
  deadlines: [300, 300],
  said: [new Date(START + 300_000).toISOString(), new Date(START).toISOString()],
  agent: [new Date(START).toISOString(), new Date(START + 300_000).toISOString()],
  stored: [
    { started: START, deadline: START + 300_000 },
    { started: START + 300_000, deadline: START + 600_000 },
  ],
};

describe.each(["America/Chicago", "Asia/Kolkata"])("in a process of the zone %s", (zone) => {
  beforeAll(() => {
    process.env.TZ = zone;
  });
  afterAll(() => {
    if (HOME === undefined) delete process.env.TZ;
    else process.env.TZ = HOME;
  });

  describeOnBoth("every moment is the same", (kind) => {
    let database: TestDatabase;
    let arena: TestArena;
    beforeAll(async () => {
      database = await openTestDatabase(kind);
      arena = await createTestArena(database);
    });
    afterAll(async () => {
      await arena.stop();
      await database.close();
    });

    it("as in any other zone, for agents, owners and the database", async () => {
      expect(new Date(START).getHours()).toBe(zone === "Asia/Kolkata" ? 17 : 6);
      expect(await livedThrough(arena, database)).toEqual(EXPECTED);
    });
  });
});

describe.skipIf(!hasPostgres())("on a database that is set to another zone", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase("postgres");
  });
  afterAll(() => database.close());

  it.each(["America/Chicago", "Asia/Kolkata"])("every moment is the same, set to %s", async (zone) => {
    await database.db.orm.execute(
      sql.raw(
        `do $$ begin execute format('alter database %I set timezone to ''${zone}''', current_database()); end $$`,
      ),
    );
    const log = pino({ level: "silent" });
    const url = database.url as string;
    const db = openPostgres({ url, poolSize: 4, log });
    const signals = await createPostgresSignals({ url, log, node: zone });
    const there = { ...database, db, signals };
    const shown = await db.run<{ zone: string }>(
      { name: "zone", text: "select current_setting('timezone') as zone" },
      [],
    );
    expect(shown).toEqual([{ zone }]);
    const arena = await createTestArena(there);
    expect(await livedThrough(arena, there)).toEqual(EXPECTED);
    await arena.stop();
    await signals.close();
    await db.close();
  });
});
