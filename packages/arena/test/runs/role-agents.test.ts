import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { computeReputation, REPUTATION } from "../../src/runs/reputation.ts";
import { loadContributions } from "../../src/runs/run-queries.ts";
import { loadRoleAgents } from "../../src/runs/selection-queries.ts";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena, type TestArena } from "../support/test-arena.ts";
import { addActive, play, queuedTasks, rows } from "./players.ts";
import { startRun } from "./run-world.ts";

describeOnBoth("agents of a role", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database, { houseAgents: false });
  });
  afterEach(() => arena.stop());
  afterAll(() => database.close());

  /** Contributions of an agent, `ages` days old, each worth as many points as it has days. */
  async function contribute(agentId: number, role: string, ages: number[]) {
    const now = arena.clock.now();
    for (const [index, age] of ages.entries()) {
      const at = new Date(now - age * 86_400_000).toISOString();
      await database.db.orm.execute(sql`insert into contributions (task_id, run_id, slot_id, agent_id, role, score, terms, at)
        select ${agentId * 10_000 + (role === "SCOUT" ? 0 : 5_000) + index}, run_id, id, ${agentId}, ${role}, ${age % 101}, '{}', ${at}
        from slots order by id limit 1`);
    }
  }

  it("have the reputation that is computed from their contributions in that role, of which the latest 200 count", async () => {
    await startRun(arena, { scouts: 1 });
    const agents = [
      await addActive(database, arena),
      await addActive(database, arena),
      await addActive(database, arena),
    ];
    const [busy, some] = agents.map((each) => each.id) as [number, number];
    await contribute(
      busy,
      "SCOUT",
      Array.from({ length: 230 }, (_, day) => day),
    );
    await contribute(some, "SCOUT", [0, 15, 90]);
    await contribute(some, "ANALYST", [99, 99]);
    const now = arena.clock.now();
    const loaded = await loadRoleAgents(database.db, "SCOUT", now);
    expect(loaded.length).toBe(3);
    for (const { agentId, reputation } of loaded) {
      const own = (await loadContributions(database.db, agentId, REPUTATION.latest)).filter(
        (each) => each.role === "SCOUT",
      );
      expect(own.length).toBe(agentId === busy ? 200 : agentId === some ? 3 : 0);
      const computed = computeReputation(own, now);
      expect(reputation.value).toBeCloseTo(computed.value, 9);
      expect(reputation.weight).toBeCloseTo(computed.weight, 9);
    }
  });

  it("get places by that reputation, and newcomers their share of them", async () => {
    const good = await addActive(database, arena, { maxConcurrent: 200 });
    const poor = await addActive(database, arena, { maxConcurrent: 200 });
    const fresh = await addActive(database, arena, { maxConcurrent: 200 });
    const fill = async (agentId: number, score: number) =>
      database.db.orm.execute(sql`insert into contributions (task_id, run_id, slot_id, agent_id, role, score, terms, at)
        select ${agentId * 10_000} + n, gen_random_uuid(), 1, ${agentId}, 'SCOUT', ${score}, '{}', ${new Date(arena.clock.now()).toISOString()}
        from generate_series(1, 95) n`);
    await fill(good.id, 100);
    await fill(poor.id, 0);
    const none = { builders_per_candidate: 0, verifiers_per_candidate: 0, critics_per_candidate: 0 };
    const places = 120;
    for (let count = 0; count < places; count += 1) await startRun(arena, { scouts: 1, ...none });
    // A pass looks at all of them, also beyond those that it reads at a time.
    await arena.passes.runs();
    const given = (await queuedTasks(database)).map((task) => task.agentId);
    expect(given.length).toBe(places);
    const share = (id: number) => given.filter((each) => each === id).length / places;
    // (5 * 50 + 95 * 100) / 100 = 97.5 and 2.5: squared, the poor one has next to nothing. Five standard deviations.
    expect(Math.abs(share(fresh.id) - 0.2)).toBeLessThan(0.19);
    expect(share(good.id)).toBeGreaterThan(0.6);
    expect(share(poor.id)).toBeLessThan(0.05);
    await play(database, arena);
    expect(await rows(database.db, "select count(*)::int as n from runs where status = 'COMPLETED'")).toEqual([
      { n: places },
    ]);
  });
});
