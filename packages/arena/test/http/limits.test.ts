import { ProblemError } from "@agon/protocol";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { forgetLimits, spendLimit } from "../../src/http/limits.ts";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createManualClock, type ManualClock } from "../support/test-arena.ts";

describeOnBoth("limits", (kind) => {
  let database: TestDatabase;
  let clock: ManualClock;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    clock = createManualClock();
  });

  const spend = (key: string, most = 3) =>
    spendLimit(database.db, clock, { key, most, windowSeconds: 60, what: "river crossings in a minute" });
  const refusal = async (attempt: Promise<void>) => {
    const error = await attempt.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ProblemError);
    return error as ProblemError;
  };

  it("let as many through as they say, then refuse until the window ends", async () => {
    for (const pause of [0, 10, 20]) {
      clock.advance(pause);
      await spend("a");
    }
    const refused = await refusal(spend("a"));
    expect(refused).toMatchObject({ code: "rate_limited", headers: { "retry-after": "30" } });
    expect(refused.detail).toBe("river crossings in a minute: at most 3; try again in 30 s");
    clock.advance(29.9);
    expect((await refusal(spend("a"))).headers).toEqual({ "retry-after": "1" });
    clock.advance(0.1);
    await spend("a");
    await spend("a");
  });

  it("count each key by itself, whatever it holds", async () => {
    for (const key of ["a", "A", "a ", "", "é😀", "'; drop table limits; --"]) {
      await spend(key, 1);
      await refusal(spend(key, 1));
    }
  });

  it("count those that come at the same time", async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => spend("rush", 5)));
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  });

  it("of zero let everything through and keep nothing", async () => {
    for (let count = 0; count < 5; count += 1) await spend("free", 0);
    expect(await countRows()).toBe(0);
  });

  it("are forgotten when their window has ended, and only then", async () => {
    await spend("early", 1);
    clock.advance(30);
    await spend("late", 1);
    clock.advance(30);
    await forgetLimits(database.db, clock);
    expect(await countRows()).toBe(1);
    await refusal(spend("late", 1));
    await spend("early", 1);
  });

  async function countRows(): Promise<number> {
    const statement = { name: "count-limits", text: "select count(*)::int as rows from limits" };
    const [row] = await database.db.run<{ rows: number }>(statement, []);
    return row?.rows ?? -1;
  }
});
