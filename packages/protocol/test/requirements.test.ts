import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { FINISHED_PARTS, REQUIREMENTS } from "../src/requirements.ts";

const root = resolve(import.meta.dirname, "../../..");
const source = join(process.env.AGON_SHARED ?? join(root, "../shared"), "spec/requirements.md");
const sourceIsThere = existsSync(source);
if (!sourceIsThere) console.warn(`skipped: the list of requirements is not compared, there is no ${source}`);

it("holds each id once, with a sentence of its own", () => {
  expect(new Set(REQUIREMENTS.map(({ id }) => id)).size).toBe(REQUIREMENTS.length);
  expect(new Set(REQUIREMENTS.map(({ rule }) => rule)).size).toBe(REQUIREMENTS.length);
  for (const { id } of REQUIREMENTS) expect(id).toMatch(/^(EA|TX)-[A-Z]+-\d+$/);
});

it("names only parts that have rules as finished", () => {
  const parts = new Set(REQUIREMENTS.map(({ part }) => part));
  for (const part of FINISHED_PARTS) expect(parts).toContain(part);
});

it.skipIf(!sourceIsThere)("has the ids and sides of the written requirements, in both directions", () => {
  const rows = readFileSync(source, "utf8").matchAll(/^\| ((?:EA|TX)-[A-Z]+-\d+) \| (\w+) \|/gm);
  const written = [...rows].map(([, id, side]) => `${id} ${side}`);
  expect(written.length).toBeGreaterThan(0);
  expect(REQUIREMENTS.map(({ id, side }) => `${id} ${side}`).sort()).toEqual(written.sort());
});
