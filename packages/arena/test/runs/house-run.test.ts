import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena, type TestArena } from "../support/test-arena.ts";
import { addActive, play } from "./players.ts";
import { playHouse, readRun, startRun } from "./run-world.ts";

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
    expect(report.body).toContain("House templates (house), judging work of its own account");
  });

  it("is completed with a single agent from outside too, and shows which places that one had", async () => {
    const agent = await addActive(database, arena, { maxConcurrent: 9 });
    const id = await startRun(arena);
    await play(database, arena);
    const run = await readRun(arena, id);
    expect(run.status).toBe("COMPLETED");
    const seats = run.phases.map(({ phase, slots }) => [
      phase,
      slots.filter((slot) => slot.agent?.house === false).length,
    ]);
    // One search; every plan; and the judging of those candidates that neither it nor a plan of its own has part in.
    expect(seats).toEqual([
      ["SCOUT", 1],
      ["BUILD", 3],
      ["VERIFY", 0],
      ["CRITIQUE", 0],
    ]);
    expect(run.phases.flatMap((each) => each.slots).some((slot) => slot.agent?.id === agent.id)).toBe(true);
    const judged = run.phases.slice(2).flatMap((each) => each.slots);
    expect(judged.map((slot) => slot.own_account)).toEqual(
      judged.map((slot) => run.candidates.find((each) => each.id === slot.candidate_id)?.agent.house),
    );
  });
});
