import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena, type TestArena } from "../support/test-arena.ts";
import {
  type Answer,
  addActive,
  answerWell,
  distinctFind,
  endTask,
  type GivenTask,
  queuedTasks,
  rows,
  takeTask,
} from "./players.ts";
import { readRun, startRun } from "./run-world.ts";

/** What becomes of a task: of which slot it is and the how-manieth for it decide, never who got it or when. */
interface Fate {
  end: "good" | "invalid" | "timeout" | "error" | "arena" | "unclaimed";
  quality: number;
  eliminate: boolean;
  repeats: boolean;
}

const fate: fc.Arbitrary<Fate> = fc.record({
  end: fc.oneof(
    { weight: 6, arbitrary: fc.constant("good" as const) },
    fc.constantFrom("invalid" as const, "arena" as const, "unclaimed" as const),
  ),
  quality: fc.integer({ min: 0, max: 100 }),
  eliminate: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
  repeats: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
});

describe("a run whose answers come in any order", () => {
  let database: TestDatabase;
  let arena: TestArena;
  beforeAll(async () => {
    database = await openTestDatabase("pglite");
  });
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database, { houseAgents: false });
    for (let count = 0; count < 14; count += 1) await addActive(database, arena, { maxConcurrent: 8 });
  });
  afterEach(() => arena.stop());
  afterAll(() => database.close());

  const SHAPE = { scouts: 3, verifiers_per_candidate: 2, critics_per_candidate: 2 };

  /** Plays a run to its end; `order` says which of the tasks at work is next, and whether to look before it. */
  async function playOut(fates: readonly Fate[], order: Iterator<number>): Promise<string> {
    const id = await startRun(arena, SHAPE);
    const turns = new Map<number, number>();
    const atWork: GivenTask[] = [];
    for (let step = 0; step < 400; step += 1) {
      const pick = order.next().value as number;
      if (atWork.length === 0 || pick % 3 === 0) {
        await arena.passes.runs();
        for (const task of await queuedTasks(database)) {
          if ((await fateOf(fates, task, turns)).end === "unclaimed") {
            turns.set(task.slotId, (turns.get(task.slotId) ?? 0) + 1);
            await database.db.orm.execute(sql`update tasks set state = 'cancelled' where id = ${task.id}`);
          } else {
            await takeTask(database, arena, task.id);
            atWork.push(task);
          }
        }
        const [run] = await rows<{ over: boolean }>(
          database.db,
          `select finished_at is not null as over from runs where id = '${id}'`,
        );
        if (run?.over) return id;
        if (atWork.length === 0) arena.clock.advance(2);
      }
      const [task] = atWork.length === 0 ? [] : atWork.splice(pick % atWork.length, 1);
      if (task === undefined) continue;
      const its = await fateOf(fates, task, turns);
      turns.set(task.slotId, (turns.get(task.slotId) ?? 0) + 1);
      await endTask(database, arena, task, toAnswer(task, its));
    }
    throw new Error(`run ${id} did not end`);
  }

  async function fateOf(fates: readonly Fate[], task: GivenTask, turns: ReadonlyMap<number, number>): Promise<Fate> {
    const [place] = await rows<{ phase: number; position: number; number: number }>(
      database.db,
      `select array_position(array['SCOUT','BUILD','VERIFY','CRITIQUE'], s.phase) as phase, s.position, coalesce(c.number, 0) as number
       from slots s left join candidates c on c.id = s.candidate_id where s.id = ${task.slotId}`,
    );
    const { phase, position, number } = place as { phase: number; position: number; number: number };
    const index = ((phase * 7 + number) * 5 + position) * 3 + (turns.get(task.slotId) ?? 0);
    return fates[index % fates.length] as Fate;
  }

  function toAnswer(task: GivenTask, its: Fate): Answer {
    if (its.end !== "good") return { cause: its.end as "invalid", error: "no" };
    switch (task.phase) {
      case "SCOUT":
        return answerWell(task, distinctFind(its.repeats ? 1 : its.quality));
      case "VERIFY":
        return answerWell(task, { evidence_quality_score: its.quality });
      case "CRITIQUE":
        return answerWell(task, its.eliminate ? { verdict: "eliminate" } : { penalty_points: its.quality / 4 });
      default:
        return answerWell(task);
    }
  }

  /** All that is judged, without ids and names. */
  async function judged(id: string) {
    const run = await readRun(arena, id);
    const strip = ({ slot_id: _slot, ...terms }: { slot_id: number }) => terms;
    return {
      status: run.status,
      reason: run.reason,
      candidates: run.candidates.map(({ number, state, reason, rank, score, terms }) => ({
        number,
        state,
        reason,
        rank,
        score,
        terms: terms && { ...terms, verifiers: terms.verifiers.map(strip), critics: terms.critics.map(strip) },
      })),
      ranking: run.ranking.map((each) => [each.rank, each.score, each.sum]),
      worth: run.phases.flatMap((each) =>
        each.slots.map((slot) => [each.phase, slot.position, slot.state, slot.cause, slot.score]),
      ),
    };
  }

  it("comes to the same ranking, the same sums and the same worth of each task, and never gets stuck", async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fate, { minLength: 211, maxLength: 211 }),
        fc.infiniteStream(fc.nat(1_000)),
        fc.infiniteStream(fc.nat(1_000)),
        async (fates, one, other) => {
          const first = await judged(await playOut(fates, one));
          const second = await judged(await playOut(fates, other));
          seen.add(first.status);
          expect(second).toEqual(first);
        },
      ),
      { numRuns: 15 },
    );
    expect(seen).toContain("COMPLETED");
  }, 300_000);

  it("ends whatever agents do, also when they cool down and time out", async () => {
    const wild = fc.record({
      end: fc.constantFrom(
        "good" as const,
        "invalid" as const,
        "timeout" as const,
        "error" as const,
        "arena" as const,
        "unclaimed" as const,
      ),
      quality: fc.integer({ min: 0, max: 100 }),
      eliminate: fc.boolean(),
      repeats: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(wild, { minLength: 97, maxLength: 97 }),
        fc.infiniteStream(fc.nat(1_000)),
        async (fates, order) => {
          const run = await readRun(arena, await playOut(fates, order));
          expect(["COMPLETED", "FAILED"]).toContain(run.status);
          const states = run.phases.flatMap((each) => each.slots.map((slot) => slot.state));
          expect(states.every((state) => state === "done" || state === "failed")).toBe(true);
          const open = await rows(database.db, `select id from tasks where state in ('queued', 'running')`);
          expect(open).toEqual([]);
          await database.db.orm.execute(
            sql`update agents set status = 'ACTIVE', failures_in_row = 0, cooldown_until = null`,
          );
        },
      ),
      { numRuns: 15 },
    );
  }, 300_000);
});
