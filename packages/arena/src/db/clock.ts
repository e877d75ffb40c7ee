import type { Clock } from "../ports.ts";
import type { Db } from "./database.ts";

const DATABASE_TIME = {
  name: "database-time",
  text: `select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
};

export interface DatabaseClock extends Clock {
  /** Asks the database again; the answer is placed in the middle of the time that asking took. */
  sync(): Promise<void>;
}

/**
 * The database's time at the last sync plus this process's monotonic time since. All nodes then agree on deadlines, and
 * one whose wall clock steps or drifts expires nobody's work.
 */
export async function createDatabaseClock(db: Db): Promise<DatabaseClock> {
  let offset = 0;
  const sync = async () => {
    const before = performance.now();
    const [row] = await db.run<{ ms: number }>(DATABASE_TIME, []);
    offset = (row as { ms: number }).ms - (before + performance.now()) / 2;
  };
  await sync();
  return { now: () => offset + performance.now(), sync };
}

/** Milliseconds since the epoch as a parameter for a `timestamptz`. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}
