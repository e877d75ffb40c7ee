import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const SOURCES = join(import.meta.dirname, "../../src");

it("gives each hand-written statement a name of its own, for a connection knows its plans by name alone", () => {
  const names = globSync("**/*.ts", { cwd: SOURCES }).flatMap((file) =>
    [...readFileSync(join(SOURCES, file), "utf8").matchAll(/\bname: "([a-z0-9-]+)",\s*text:/g)].map(
      ([, name]) => `${name} in ${file}`,
    ),
  );
  expect(names.length).toBeGreaterThan(100);
  const twice = names.filter((each) => names.filter((other) => nameOf(other) === nameOf(each)).length > 1);
  expect(twice).toEqual([]);
});

const nameOf = (entry: string) => entry.split(" in ")[0];
