import type { Clock } from "../ports.ts";
import type { Db } from "./database.ts";

const DATABASE_TIME = {
  name: "database-time",
  text: `select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
};

export interface DatabaseClock extends Clock {
  /** Asks the database again. */
  sync(): Promise<void>;
}

/** One of a few asks is seldom held up, and the error of an answer is half of the time that asking took at the most. */
const ASKS = 5;

/**
 * The database's time at the last sync plus this process's monotonic time since. All nodes then agree on deadlines, and
 * one whose wall clock steps or drifts expires nobody's work.
 */
export async function createDatabaseClock(db: Db): Promise<DatabaseClock> {
  let offset = 0;
  const ask = async () => {
    const before = performance.now();
    const [row] = await db.run<{ ms: number }>(DATABASE_TIME, []);
    const after = performance.now();
    return { offset: (row as { ms: number }).ms - (before + after) / 2, took: after - before };
  };
  const sync = async () => {
    let best = await ask();
    for (let asked = 1; asked < ASKS; asked += 1) {
      const next = await ask();
      if (next.took < best.took) best = next;
    }
    offset = best.offset;
  };
  await sync();
  return { now: () => offset + performance.now(), sync };
}

/** Milliseconds since the epoch as a parameter for a `timestamptz`. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}
