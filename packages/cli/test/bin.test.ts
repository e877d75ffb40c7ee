import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const SOURCE = readFileSync(join(import.meta.dirname, "../bin/agon.js"), "utf8");

/** Runs what stands before the import in bin/agon.js as the given version of Node would. */
function startOn(version: string): { code: number | undefined; lines: string[] } {
  const [head = ""] = SOURCE.replace(/^#!.*/, "").split('import("agon")');
  const lines: string[] = [];
  let code: number | undefined;
  const fakeProcess = { versions: { node: version }, version: `v${version}`, exit: (given: number) => (code = given) };
  new Function("process", "console", head)(fakeProcess, { error: (line: string) => lines.push(line) });
  return { code, lines };
}

describe("bin/agon.js", () => {
  it.each(["16.20.2", "20.20.2", "22.17.1"])("Node %s is told which one it takes", (version) => {
    expect(startOn(version)).toEqual({
      code: 2,
      lines: [`agon needs Node 22.19 or newer (this is v${version}). Start it with npx agon or npm start.`],
    });
  });

  it.each(["22.19.0", "24.0.0"])("Node %s goes on", (version) => {
    expect(startOn(version)).toEqual({ code: undefined, lines: [] });
  });

  it("is written in syntax that an old Node can read", () => {
    expect(SOURCE).not.toMatch(/=>|`|\b(const|let|await|async)\b|\?\.|\?\?/);
  });
});
