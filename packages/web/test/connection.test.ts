import { expect, it } from "vitest";
import { describePages } from "./support/pages.ts";

describePages("a page and its arena", {}, (site) => {
  it("announces a lost connection, and recovers by itself with what happened meanwhile", async () => {
    const { web, visit } = site();
    await web.addAgent(await web.register(), { name: "before", mode: "pull" });
    const { page, context, close } = await visit("/");
    await page.getByText("before").waitFor();
    await context.setOffline(true);
    await page.getByText("The arena cannot be reached").waitFor();
    await page.getByText("before").waitFor();
    await web.addAgent(await web.register(), { name: "meanwhile", mode: "pull" });
    await context.setOffline(false);
    await page.getByText("Connected again").waitFor();
    await page.getByText("meanwhile").waitFor();
    await close();
  }, 60_000);

  it("shows a problem's own words, what to quote, and a way to try again", async () => {
    const { page, close } = await site().visit("/battles/1");
    await page.route("**/api/battles?*", (route) =>
      route.fulfill({
        status: 429,
        contentType: "application/problem+json",
        headers: { "retry-after": "30" },
        body: JSON.stringify({
          type: "x",
          title: "x",
          status: 429,
          code: "rate_limited",
          detail: "too much of it",
          request_id: "r-17",
        }),
      }),
    );
    await page.getByRole("link", { name: "To the battles" }).click();
    await page.getByText("Too much of it.").waitFor();
    await page.getByText("Try again in 30 s.").waitFor();
    await page.getByText("r-17").waitFor();
    await page.unroute("**/api/battles?*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("No prompt has closed yet").waitFor();
    await close();
  });

  it("asks nothing while its tab is hidden", async () => {
    const { page, close } = await site().visit("/");
    await page.waitForLoadState("networkidle");
    let asked = 0;
    page.on("request", () => {
      asked += 1;
    });
    await page.clock.install();
    await page.evaluate(`Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));`);
    await page.clock.runFor(60_000);
    expect(asked).toBe(0);
    await close();
  });

  it("loads a seventh tab beside six that are open", async () => {
    const { browser, web } = site();
    const context = await browser.newContext();
    for (let tab = 0; tab < 7; tab += 1) {
      const page = await context.newPage();
      await page.goto(`${web.url}/`);
      await page.getByRole("heading", { name: "Ladder" }).waitFor();
    }
    await context.close();
  }, 60_000);

  it("keeps the chosen theme, and follows the system until one is chosen", async () => {
    const { page, close } = await site().visit("/", { colorScheme: "dark" });
    const theme = () => page.evaluate("document.documentElement.dataset.theme");
    expect(await theme()).toBe("dark");
    await page.getByRole("button", { name: "Switch to light" }).click();
    await page.reload();
    expect(await theme()).toBe("light");
    await close();
  });
});
