import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import loadWabt from "wabt";

/**
 * Translates the WebAssembly text of the ratings into a module that can be imported, so that who installs the arena needs
 * no translator; with --check only says whether both are in step.
 */
const source = "packages/arena/src/ratings/row-products.wat";
const target = "packages/arena/src/ratings/row-products-module.ts";
const pathOf = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url));

const { parseWat } = await loadWabt();
const { buffer } = parseWat(source, readFileSync(pathOf(source), "utf8"), { simd: true }).toBinary({});
const text = [
  "// Written by npm run docs from row-products.wat. Not by hand.",
  "export const rowProductsModule =",
  `  "${Buffer.from(buffer).toString("base64")}";`,
  "",
].join("\n");

if (process.argv.includes("--check")) {
  let kept = "";
  try {
    kept = readFileSync(pathOf(target), "utf8");
  } catch {
    // A module that is not there is as out of step as a wrong one.
  }
  if (kept !== text) {
    console.error(`${target} is not in step with ${source}: run npm run docs`);
    process.exitCode = 1;
  }
} else writeFileSync(pathOf(target), text);
