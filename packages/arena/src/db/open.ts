import { existsSync, renameSync, rmSync } from "node:fs";
import type { Logger } from "pino";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { openPglite } from "./pglite.ts";
import { openPostgres } from "./postgres.ts";
import { createLocalSignals, createPostgresSignals, type Signals } from "./signals.ts";

export interface OpenDatabase {
  db: Database;
  signals: Signals;
}

/** Opens and migrates the database of an arena, and the signals that go with it. */
export async function openDatabase(
  options: { url: string; poolSize: number; log: Logger; node: string } | { folder: string },
): Promise<OpenDatabase> {
  if ("folder" in options) {
    const db = await openFolder(options.folder);
    return { db, signals: createLocalSignals() };
  }
  const db = openPostgres(options);
  try {
    await migrate(db);
    return { db, signals: await createPostgresSignals(options) };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/**
 * A process killed while it first makes the database would leave a folder that no later start can open. So it is made
 * under another name, which may be thrown away, and gets its own by a rename when it is whole.
 */
async function openFolder(folder: string): Promise<Database> {
  if (!existsSync(folder)) {
    const partial = `${folder}.partial`;
    rmSync(partial, { recursive: true, force: true });
    const made = await openPglite({ folder: partial });
    await migrate(made);
    await made.close();
    renameSync(partial, folder);
  }
  const db = await openPglite({ folder });
  await migrate(db);
  return db;
}
