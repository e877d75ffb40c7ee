import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { fontFiles } from "./card-letters.ts";

/** Draws cards in a thread of its own: some 50 ms each, in which no poll should have to wait. */
const require = createRequire(import.meta.url);
const ready = Promise.all([
  readFile(require.resolve("@resvg/resvg-wasm/index_bg.wasm")).then((wasm) => initWasm(wasm)),
  ...fontFiles().map((font) => readFile(font)),
]).then(([, ...fonts]) => fonts);

parentPort?.on("message", async ({ id, svg }: { id: number; svg: string }) => {
  try {
    const fontBuffers = await ready;
    const drawn = new Resvg(svg, { font: { fontBuffers, defaultFontFamily: "Instrument Sans" } }).render();
    parentPort?.postMessage({ id, png: drawn.asPng() });
    drawn.free();
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) });
  }
});
