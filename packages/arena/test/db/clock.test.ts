import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
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
  it("takes the answer to be from the middle of the wait, and keeps the last good one when asking fails", async () => {
    let answer: () => Promise<{ ms: number }[]> = async () => [{ ms: 5_000_000 }];
    const db = { run: () => answer() } as unknown as Db;
    const time = vi.spyOn(performance, "now").mockReturnValue(1000);
    const clock = await createDatabaseClock(db);
    expect(clock.now()).toBe(5_000_000);
    answer = async () => {
      time.mockReturnValue(1600);
      return [{ ms: 6_000_000 }];
    };
    await clock.sync();
    // Asked at 1000, answered at 1600: the database said it at about 1300.
    expect(clock.now()).toBe(6_000_300);
    answer = () => Promise.reject(new Error("gone"));
    await expect(clock.sync()).rejects.toThrow("gone");
    time.mockReturnValue(2600);
    expect(clock.now()).toBe(6_001_300);
    time.mockRestore();
  });

  it("hands moments to SQL in UTC with milliseconds", () => {
    expect(toTimestamp(Date.UTC(2030, 0, 1, 12, 0, 0, 5) + 0.9)).toBe("2030-01-01T12:00:00.005Z");
  });
});
