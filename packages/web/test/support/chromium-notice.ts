import { existsSync } from "node:fs";
import { join } from "node:path";
import { staticDir } from "../../static-dir.js";
import { findChromium } from "./browser.ts";

/** Vitest's global setup: says loudly why the pages are not tried, and in CI makes it a failure. */
export function setup(): void {
  if (!existsSync(join(staticDir, "index.html"))) throw new Error("the pages are not built: run npm run build");
  if (findChromium() !== undefined) return;
  const text =
    "no Chromium is found, so no page is tried in a browser. Install chromium, or name one by AGON_TEST_CHROMIUM.";
  if (process.env.CI) throw new Error(text);
  const line = "=".repeat(text.length + 4);
  console.warn(`\n${line}\n  ${text}\n${line}\n`);
}
