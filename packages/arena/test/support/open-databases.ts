import { readFileSync } from "node:fs";
import { getTableName, is, sql } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { pino } from "pino";
import { describe, inject } from "vitest";
import { migrate } from "../../src/db/migrate.ts";
import type { OpenDatabase } from "../../src/db/open.ts";
import { openPglite } from "../../src/db/pglite.ts";
import { openPostgres } from "../../src/db/postgres.ts";
import * as schema from "../../src/db/schema.ts";
import { createLocalSignals, createPostgresSignals } from "../../src/db/signals.ts";
// Only for its declaration of what is provided; nothing of it runs in a test's process.
import type {} from "./pglite-dump.ts";
import { freshPostgresUrl, hasPostgres } from "./test-databases.ts";

export type DatabaseKind = "pglite" | "postgres";

export interface TestDatabase extends OpenDatabase {
  kind: DatabaseKind;
  /** Set on PostgreSQL: a second node opens the same database by it. */
  url: string | undefined;
  close(): Promise<void>;
}

/** Runs the same suite on both databases. */
export function describeOnBoth(name: string, suite: (kind: DatabaseKind) => void): void {
  describe(`${name} on PGlite`, () => suite("pglite"));
  describe.skipIf(!hasPostgres())(`${name} on PostgreSQL`, () => suite("postgres"));
}

/** A migrated, empty database with its signals. */
export async function openTestDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  if (kind === "pglite") {
    const db = await openPglite({ dump: new Blob([readFileSync(inject("pgliteDump"))]) });
    const signals = createLocalSignals();
    return { kind, db, signals, url: undefined, close: () => closeBoth({ db, signals }) };
  }
  const { url, drop } = await freshPostgresUrl();
  const opened = await openPostgresNode(url);
  await migrate(opened.db);
  return { ...opened, kind, url, close: () => opened.close().then(drop) };
}

/** One more node on a PostgreSQL database that is migrated already. */
export async function openPostgresNode(url: string): Promise<OpenDatabase & { close(): Promise<void> }> {
  const log = pino({ level: "silent" });
  const db = openPostgres({ url, poolSize: 6, log });
  const signals = await createPostgresSignals({ url, log, node: crypto.randomUUID() });
  return { db, signals, close: () => closeBoth({ db, signals }) };
}

/** Every table but those whose rows are there from the first migration on. */
const TABLES = Object.values(schema)
  .filter((each) => is(each, PgTable))
  .map(getTableName)
  .filter((name) => name !== "counters" && name !== "facts");

/** Empties every table and starts all ids again. */
export async function emptyTables({ db }: OpenDatabase): Promise<void> {
  await db.orm.execute(sql.raw(`truncate ${TABLES.join(", ")} restart identity cascade`));
  await db.orm.execute(sql`update counters set value = 0`);
}

async function closeBoth({ db, signals }: OpenDatabase): Promise<void> {
  await signals.close();
  await db.close();
}
