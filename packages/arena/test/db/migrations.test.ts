import { readFileSync } from "node:fs";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { isMigrated, migrate } from "../../src/db/migrate.ts";
import { openDatabase } from "../../src/db/open.ts";
import { openPglite } from "../../src/db/pglite.ts";
import { openPostgres } from "../../src/db/postgres.ts";
import { freshPostgresUrl, hasPostgres } from "../support/test-databases.ts";

const log = pino({ level: "silent" });
const APPLIED = { name: "applied-migrations", text: "select count(*)::int as applied from agon_migrations" };
const PLAIN_TIMES = {
  name: "times-without-zone",
  text: `select table_name, column_name from information_schema.columns
where table_schema = 'public' and data_type in ('timestamp without time zone', 'time without time zone', 'date')`,
};

/** How many there are, by the list that the generator keeps. */
const known = (
  JSON.parse(readFileSync(new URL("../../migrations/meta/_journal.json", import.meta.url), "utf8")) as { entries: [] }
).entries.length;

async function count(db: Database): Promise<number | undefined> {
  return (await db.run<{ applied: number }>(APPLIED, []))[0]?.applied;
}

describe("migrations on PGlite", () => {
  it("bring an empty database up to date, and leave a current one as it is", async () => {
    const db = await openPglite();
    await expect(isMigrated(db)).rejects.toThrow();
    await migrate(db);
    expect([await isMigrated(db), await count(db)]).toEqual([true, known]);
    await migrate(db);
    expect(await count(db)).toBe(known);
    expect(await db.run(PLAIN_TIMES, [])).toEqual([]);
    await db.close();
  });

  it("leave a database of a newer version alone, and say so", async () => {
    const db = await openPglite();
    await migrate(db);
    await db.orm.execute("insert into agon_migrations (created_at, hash) values (9000000000000, 'of later')");
    await expect(migrate(db)).rejects.toThrow("newer version of Agon");
    expect(await count(db)).toBe(known + 1);
    await db.close();
  });
});

describe.skipIf(!hasPostgres())("migrations on PostgreSQL", () => {
  it("are applied once when three nodes start at the same moment on a new database", async () => {
    const { url, drop } = await freshPostgresUrl();
    const opened = await Promise.all(["a", "b", "c"].map((node) => openDatabase({ url, poolSize: 2, log, node })));
    for (const { db } of opened) expect(await isMigrated(db)).toBe(true);
    for (const { db } of opened) expect(await count(db)).toBe(known);
    for (const { db } of opened) expect(await db.run(PLAIN_TIMES, [])).toEqual([]);
    for (const { db, signals } of opened) await signals.close().then(() => db.close());
    await drop();
  });

  it("leave nothing behind when one of them fails, and go through once the cause is gone", async () => {
    const { url, drop } = await freshPostgresUrl();
    const db = openPostgres({ url, poolSize: 2, log });
    await db.run({ name: "in-the-way", text: "create table votes (id int)" }, []);
    await expect(migrate(db)).rejects.toThrow();
    const tables = {
      name: "tables",
      text: "select table_name::text from information_schema.tables where table_schema = 'public'",
    };
    expect(await db.run(tables, [])).toEqual([{ table_name: "votes" }]);
    await db.run({ name: "out-of-the-way", text: "drop table votes" }, []);
    await migrate(db);
    expect(await isMigrated(db)).toBe(true);
    await db.close();
    await drop();
  });
});
