import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { staticDir } from "../static-dir.js";

/** Script that every page loads before it can be used, compressed. */
const INITIAL_MOST = 170 * 1024;

/** The scripts that the document itself names: the entry and what it is told to load at once. */
function initialScripts(): string[] {
  const html = readFileSync(join(staticDir, "index.html"), "utf8");
  return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path as string);
}

it("the first load takes at most 170 KB of script, compressed either way", () => {
  const scripts = initialScripts();
  expect(scripts.length).toBeGreaterThan(0);
  for (const ending of [".br", ".gz"]) {
    const sizes = scripts.map((path) => statSync(join(staticDir, path + ending)).size);
    const sum = sizes.reduce((total, size) => total + size, 0);
    expect([ending, sum <= INITIAL_MOST, sum]).toEqual([ending, true, sum]);
    console.log(`initial script, ${ending.slice(1)}: ${(sum / 1024).toFixed(1)} KB in ${scripts.length} files`);
  }
});

it("what only some pages need is not in it: Markdown, colours of code, charts", () => {
  const all = initialScripts()
    .map((path) => readFileSync(join(staticDir, path), "utf8"))
    .join("");
  for (const word of ["micromark", "hljs-", "figcaption"]) expect([word, all.includes(word)]).toEqual([word, false]);
});
