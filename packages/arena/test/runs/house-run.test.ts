import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena, type TestArena } from "../support/test-arena.ts";
import { playHouse, startRun } from "./run-world.ts";

describeOnBoth("a run that only the house serves", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database);
  });
  afterAll(() => database.close());

  it("goes through all four phases and ends with a winner, every judgement marked as the house's on its own", async () => {
    const run = await playHouse(arena, await startRun(arena));
    expect(run).toMatchObject({ status: "COMPLETED", reason: null });
    expect(run.phases.map(({ phase, slots }) => [phase, slots.length])).toEqual([
      ["SCOUT", 3],
      ["BUILD", 3],
      ["VERIFY", 3],
      ["CRITIQUE", 3],
    ]);
    const slots = run.phases.flatMap((each) => each.slots);
    expect(slots.every((slot) => slot.agent?.house === true && slot.state === "done")).toBe(true);
    expect(slots.map((slot) => slot.own_account)).toEqual([...Array(6).fill(false), ...Array(6).fill(true)]);
    expect(run.winner_id).toBe(run.ranking[0]?.candidate_id);
    expect(run.candidates.map((each) => each.state)).toEqual(["in", "in", "in"]);
    const report = await arena.app.inject({ url: `/api/runs/${run.id}/report` });
    expect(report.body).toContain("## Winner: ");
  });
});
