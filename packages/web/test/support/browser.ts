import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser that is there: the one that AGON_TEST_CHROMIUM names, else the system's. */
export function findChromium(): string | undefined {
  const named = process.env.AGON_TEST_CHROMIUM;
  if (named !== undefined && named !== "") return named;
  const place = PLACES.find((each) => existsSync(each));
  if (place !== undefined) return place;
  try {
    return execFileSync("which", ["chromium"], { encoding: "utf8" }).trim() || undefined;
  } catch {
    return undefined;
  }
}

export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ["--disable-gpu", "--no-first-run"] });
}
