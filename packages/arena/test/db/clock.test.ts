import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createDatabaseClock, toTimestamp } from "../../src/db/clock.ts";
import type { Db } from "../../src/db/database.ts";
import { describeOnBoth, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";

const NOW = { name: "now", text: "select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms" };

describeOnBoth("the clock of the database", (kind) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  afterEach(() => vi.useRealTimers());

  /** How far a clock is from the database, at most: the answer was made at some moment between two looks. */
  async function distance(clock: { now(): number }): Promise<{ early: number; late: number }> {
    const before = clock.now();
    const [row] = await database.db.run<{ ms: number }>(NOW, []);
    const after = clock.now();
    const ms = (row as { ms: number }).ms;
    return { early: before - ms, late: ms - after };
  }

  it("agrees with the database to a few milliseconds", async () => {
    const clock = await createDatabaseClock(database.db);
    for (let look = 0; look < 5; look += 1) {
      const { early, late } = await distance(clock);
      expect(Math.max(early, late)).toBeLessThan(10);
      await clock.sync();
    }
  });

  it("does not follow the wall clock of the process, whichever way that steps", async () => {
    const clock = await createDatabaseClock(database.db);
    for (const step of [-3_600_000, 90_000, 86_400_000]) {
      const before = clock.now();
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + step });
      expect(clock.now() - before).toBeLessThan(1000);
      expect(clock.now() - before).toBeGreaterThanOrEqual(0);
      vi.useRealTimers();
    }
  });

  it.skipIf(kind === "pglite")(
    "agrees with the server also when it asks again while the process is wrong",
    async () => {
      // The embedded database has no other clock than that of its process.
      const clock = await createDatabaseClock(database.db);
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
      await clock.sync();
      const { early, late } = await distance(clock);
      expect(Math.max(early, late)).toBeLessThan(10);
      expect(Date.now() - clock.now()).toBeGreaterThan(3_500_000);
    },
  );

  it("never goes back between two syncs and has fractions of a millisecond", async () => {
    const clock = await createDatabaseClock(database.db);
    const looks = Array.from({ length: 1000 }, () => clock.now());
    expect(looks.toSorted((a, b) => a - b)).toEqual(looks);
    expect(looks.some((look) => look % 1 !== 0)).toBe(true);
  });
});

describe("a clock whose database answers late", () => {
  let real = 1000;
  let waits: number[] = [];
  let answer: (at: number) => number = () => 0;
  /** A database that answers in the middle of waits of these lengths, by its own time. */
  const db = {
    run: async () => {
      const wait = waits.shift() ?? 0;
      const ms = answer(real + wait / 2);
      real += wait;
      return [{ ms }];
    },
  } as unknown as Db;

  beforeEach(() => {
    real = 1000;
    waits = [];
    vi.spyOn(performance, "now").mockImplementation(() => real);
  });
  afterEach(() => vi.restoreAllMocks());

  it("takes the answer to be from the middle of the wait, and keeps the last good one when asking fails", async () => {
    answer = () => 5_000_000;
    const clock = await createDatabaseClock(db);
    expect(clock.now()).toBe(5_000_000);
    // Asked at 1000, answered at 1600: the database said 6,000,000 at about 1300.
    answer = (at) => 6_000_000 + at - 1300;
    waits = [600, 600, 600, 600, 600];
    await clock.sync();
    expect([real, clock.now()]).toEqual([4000, 6_002_700]);
    answer = () => {
      throw new Error("gone");
    };
    await expect(clock.sync()).rejects.toThrow("gone");
    real += 1000;
    expect(clock.now()).toBe(6_003_700);
  });

  it("goes by the answer that came quickest, for it is the least wrong", async () => {
    // All but one are held up on their way back, so that the middle of the wait is not when they were made.
    let asked = 0;
    answer = (at) => {
      asked += 1;
      return asked === 3 ? at + 1_000_000 : at + 1_000_000 - 250;
    };
    waits = [500, 500, 4, 500, 500];
    const clock = await createDatabaseClock(db);
    expect([asked, clock.now()]).toEqual([5, real + 1_000_000]);
  });

  it("hands moments to SQL in UTC with milliseconds", () => {
    expect(toTimestamp(Date.UTC(2030, 0, 1, 12, 0, 0, 5) + 0.9)).toBe("2030-01-01T12:00:00.005Z");
  });
});
