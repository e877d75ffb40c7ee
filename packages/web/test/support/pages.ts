import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject } from "vitest";
import type { ConfigInput } from "../../../arena/test/support/whole-arena.ts";
import { findChromium, launch } from "./browser.ts";
import { startWebArena, type WebArena } from "./world.ts";

export interface Visit {
  page: Page;
  context: BrowserContext;
  /** What the page asked another origin for, and what its console said was wrong. */
  strayed: string[];
  complaints: string[];
  close(): Promise<void>;
}

export interface Site {
  web: WebArena;
  browser: Browser;
  /** A browser window of its own, signed in with a key when one is given. */
  visit(path: string, options?: BrowserContextOptions & { apiKey?: string }): Promise<Visit>;
}

/** A suite over an arena with its pages and a browser; skipped, loudly by the global setup, where there is none. */
export function describePages(name: string, settings: ConfigInput, suite: (site: () => Site) => void): void {
  const executable = findChromium();
  describe.skipIf(executable === undefined)(name, () => {
    let site: Site;
    beforeAll(async () => {
      const web = await startWebArena(settings, new Blob([readFileSync(inject("pgliteDump"))]));
      const browser = await launch(executable as string);
      site = { web, browser, visit: (path, options) => visit(web, browser, path, options) };
    });
    afterAll(async () => {
      await site?.browser.close();
      await site?.web.stop();
    });
    suite(() => site);
  });
}

async function visit(
  web: WebArena,
  browser: Browser,
  path: string,
  options: BrowserContextOptions & { apiKey?: string } = {},
): Promise<Visit> {
  const { apiKey, ...rest } = options;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...rest });
  context.setDefaultTimeout(10_000);
  if (apiKey !== undefined) {
    const signedIn = await context.request.post(`${web.url}/api/session`, { data: { api_key: apiKey } });
    expect(signedIn.status()).toBe(201);
  }
  const strayed: string[] = [];
  const complaints: string[] = [];
  context.on("request", (request) => {
    if (new URL(request.url()).origin !== web.url) strayed.push(request.url());
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.goto(web.url + path);
  return { page, context, strayed, complaints, close: () => context.close() };
}

/** Waits until the page has drawn what it is about. */
export async function settle(page: Page): Promise<void> {
  await page.locator("main h1").first().waitFor();
  await page.waitForLoadState("networkidle");
  await expect.poll(() => page.locator("[role=status][aria-label=Loading]").count()).toBe(0);
}
