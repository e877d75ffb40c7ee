import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import type { TestProject } from "vitest/node";
import { migrate } from "../../src/db/migrate.ts";
import { openPglite } from "../../src/db/pglite.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A file with a migrated, empty embedded database. */
    pgliteDump: string;
  }
}

let folder: string | undefined;

/** Vitest's global setup: the embedded database is made once, which takes seconds, and loaded by each file. */
export async function setup(project: TestProject): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), "agon-pglite-"));
  const data = join(folder, "data");
  const db = await openPglite({ folder: data });
  await migrate(db);
  await db.close();
  const client = await PGlite.create({ dataDir: data });
  const dump = await client.dumpDataDir("none");
  await client.close();
  const path = join(folder, "migrated.tar");
  writeFileSync(path, Buffer.from(await dump.arrayBuffer()));
  project.provide("pgliteDump", path);
}

export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
