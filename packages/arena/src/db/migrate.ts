import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { Database, Db } from "./database.ts";

const migrationsFolder = fileURLToPath(new URL("../../migrations", import.meta.url));
// Any number that nothing else on the same server uses as an advisory lock.
const LOCK = 4_600_001;
const LAST: { name: string; text: string } = {
  name: "last-migration",
  text: `select coalesce(max(created_at), 0)::float8 as at from agon_migrations`,
};

/**
 * Brings the schema up to date, all pending migrations in one transaction under an advisory lock. Drizzle's own migrator
 * takes no lock: of several nodes that start at once on a new database, all but one would fail.
 *
 * @throws Error when a newer version has been here: this one knows nothing of what it changed
 */
export async function migrate(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.orm.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
    await tx.orm.execute(
      sql`create table if not exists agon_migrations (created_at bigint primary key, hash text not null)`,
    );
    const [last] = await tx.run<{ at: number }>(LAST, []);
    const migrations = readMigrationFiles({ migrationsFolder });
    if ((last?.at ?? 0) > (migrations.at(-1)?.folderMillis ?? 0)) {
      throw new Error(
        "this database was last used by a newer version of Agon; start that version or a later one, or bring back the backup from before the upgrade",
      );
    }
    for (const migration of migrations) {
      if (migration.folderMillis <= (last?.at ?? 0)) continue;
      for (const statement of migration.sql) await tx.orm.execute(sql.raw(statement));
      await tx.orm.execute(
        sql`insert into agon_migrations (created_at, hash) values (${migration.folderMillis}, ${migration.hash})`,
      );
    }
  });
}

/** Whether every migration that this version knows has been applied. */
export async function isMigrated(db: Db): Promise<boolean> {
  const known = readMigrationFiles({ migrationsFolder }).at(-1)?.folderMillis ?? 0;
  const [last] = await db.run<{ at: number }>(LAST, []);
  return (last?.at ?? 0) >= known;
}
