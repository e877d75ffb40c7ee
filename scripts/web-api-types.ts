import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";
import { pino } from "pino";
import { createArena } from "../packages/arena/src/arena.ts";
import { loadConfig } from "../packages/arena/src/config.ts";
import type { OpenDatabase } from "../packages/arena/src/db/open.ts";

/**
 * Writes the API types of the pages and of the kit's client from the arena's own OpenAPI description; with --check only says whether they are in step.
 * Describing needs no database, so a stand-in does that refuses to be asked.
 */
// The kit's is no declaration file: those are not built, and whoever installs the kit needs it.
const targets = ["packages/web/src/api/schema.d.ts", "packages/agent/src/arena-api.ts"];
const pathOf = (target: string) => fileURLToPath(new URL(`../${target}`, import.meta.url));
const refuse = () => {
  throw new Error("describing the API asked the database something");
};
const nowhere = {
  db: { orm: {}, run: refuse, transaction: refuse, close: async () => {} },
  signals: { publish() {}, publishHere() {}, subscribe: () => () => {}, close: async () => {} },
} as unknown as OpenDatabase;

const ports = {
  log: pino({ level: "silent" }),
  random: { bytes: (length: number) => new Uint8Array(length), uuid: () => crypto.randomUUID() },
  clock: { now: () => 0 },
};
const keys = { secretKey: "a key that seals nothing, 32 long", adminKey: undefined };
const arena = await createArena(loadConfig({}).config, ports, nowhere, keys);
await arena.app.ready();
const types = astToString(await openapiTS(JSON.stringify(arena.app.swagger())));
const text = `// Written by npm run docs from the arena's OpenAPI description. Not by hand.\n${types}`;

for (const target of targets) {
  if (!process.argv.includes("--check")) {
    writeFileSync(pathOf(target), text);
    continue;
  }
  let kept = "";
  try {
    kept = readFileSync(pathOf(target), "utf8");
  } catch {
    // Types that are not there are as out of step as wrong ones.
  }
  if (kept === text) continue;
  console.error(`${target} is not in step with the API: run npm run docs`);
  process.exitCode = 1;
}
// Some parts hold timers that a script has no use for.
process.exit();
