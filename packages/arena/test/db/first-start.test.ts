import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isMigrated } from "../../src/db/migrate.ts";
import { openDatabase } from "../../src/db/open.ts";
import { facts } from "../../src/db/schema.ts";

/** Making a database takes seconds where nothing else runs, and several times that where tests run beside it. */
const LONG = 120_000;
const MODULE = fileURLToPath(new URL("../../src/db/open.ts", import.meta.url));

describe("the embedded database", () => {
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), "agon-first-start-")), "database");
  });
  afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

  /** Opens, proves that it works, and closes. */
  async function openAndUse(name: string): Promise<string[]> {
    const { db, signals } = await openDatabase({ folder });
    expect(await isMigrated(db)).toBe(true);
    await db.orm.insert(facts).values({ name, value: "x" });
    const names = (await db.orm.select().from(facts).orderBy(facts.name)).map((fact) => fact.name);
    await signals.close();
    await db.close();
    return names;
  }

  /** A process of its own that opens the database and then does what `more` says. */
  function spawnStart(more = "", stdout: "pipe" | "inherit" = "inherit") {
    const script = `
      import { openDatabase } from ${JSON.stringify(MODULE)};
      const { db } = await openDatabase({ folder: ${JSON.stringify(folder)} });
      ${more}`;
    const args = ["--input-type=module", ...process.execArgv, "-e", script];
    return spawn(process.execPath, args, { stdio: ["ignore", stdout, "inherit"] });
  }

  it(
    "is made at the first start and found whole at each later one, whatever stands beside it or ended it",
    async () => {
      expect(await openAndUse("a")).toEqual(["a"]);
      expect(readdirSync(join(folder, ".."))).toEqual(["database"]);
      mkdirSync(`${folder}.partial`);
      expect(await openAndUse("b")).toEqual(["a", "b"]);
      const put = `await db.run({ name: "put", text: "insert into facts values ('killed', 'x')" }, []);`;
      const child = spawnStart(`${put} console.log("committed"); setInterval(() => {}, 1000);`, "pipe");
      expect(String(await once(child.stdout as NodeJS.ReadableStream, "data")).trim()).toBe("committed");
      child.kill("SIGKILL");
      await once(child, "exit");
      expect(await openAndUse("z")).toEqual(["a", "b", "killed", "z"]);
    },
    LONG,
  );

  it(
    "is made anew after the process that was making it was killed halfway",
    async () => {
      const begun = new Promise<void>((resolve) => {
        const parent = watch(join(folder, ".."), () => {
          if (!existsSync(`${folder}.partial`)) return;
          parent.close();
          resolve();
        });
      });
      const child = spawnStart();
      await begun;
      child.kill("SIGKILL");
      await once(child, "exit");
      expect(existsSync(folder)).toBe(false);
      expect(existsSync(`${folder}.partial`)).toBe(true);
      // As far as it may have come: enough to look like a database, not enough to be one.
      writeFileSync(join(`${folder}.partial`, "PG_VERSION"), "18");
      writeFileSync(join(`${folder}.partial`, "postmaster.pid"), "garbage");
      expect(await openAndUse("a")).toEqual(["a"]);
      expect(existsSync(`${folder}.partial`)).toBe(false);
    },
    LONG,
  );
});
