import { expect, it } from "vitest";
import { describePages } from "./support/pages.ts";

const HOSTILE = `Find <img src=x onerror="window.owned=1"> [a](javascript:window.owned=1) \u202enoitcerid\u202c ${"w".repeat(3_000)}\n\n# of its own`;

describePages("a run", {}, (site) => {
  it("is started on the page, watched to its end, and its sums redone from what the page shows", async () => {
    const { web, visit } = site();
    const { page, complaints, strayed, close } = await visit("/runs", { apiKey: await web.register() });
    await page.getByText("No run has begun yet").waitFor();
    await page.getByRole("link", { name: "Start a run" }).first().click();
    await page.getByLabel("Goal", { exact: true }).fill("Find a promising SaaS niche for a solo founder.");
    await page.getByLabel("Scouts").fill("2");
    await page.getByLabel("Critics").fill("2");
    // 2 searches, then for each candidate a plan, a verification and two critiques.
    await page.getByText("Up to 10 tasks").waitFor();
    await page.reload();
    expect(await page.getByLabel("Goal", { exact: true }).inputValue()).toContain("SaaS niche");
    await page.getByRole("button", { name: "Start the run" }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
    await page.getByText("The winner", { exact: true }).waitFor({ timeout: 60_000 });
    const id = page.url().slice(-36);
    const run = (await (await fetch(`${web.url}/api/runs/${id}`)).json()) as {
      ranking: { title: string; score: number }[];
      phases: { slots: unknown[] }[];
    };

    const places = page.locator("section", { has: page.getByRole("heading", { name: "Ranking" }) }).locator("ol > li");
    await expect.poll(() => places.count()).toBe(run.ranking.length);
    expect(run.ranking.length).toBeGreaterThan(0);
    for (const [index, place] of (await places.all()).entries()) {
      await place.getByText("How each number came about").click();
      const text = (await place.innerText()).replaceAll("−", "-").replace(/\s+/g, " ");
      const sum = /([\d.]+) evidence - ([\d.]+) penalty ([+-]) ([\d.]+) adjustment - ([\d.]+) verdict = ([\d.]+) score/;
      const [, evidence, penalty, sign, adjustment, verdict, score] = sum.exec(text) ?? [];
      const redone = Number(evidence) - Number(penalty) + Number(`${sign}${adjustment}`) - Number(verdict);
      expect([index, Number(score)]).toEqual([index, run.ranking[index]?.score]);
      expect(Math.min(100, Math.max(0, redone))).toBeCloseTo(Number(score), 2);
      const given =
        /0\.5 × ([\d.]+) quality \+ 0\.3 × ([\d.]+) coverage \+ 0\.2 × ([\d.]+) confidence(?: - (\d+) for)?/;
      const [, quality, coverage, confidence, flags = "0"] = given.exec(text) ?? [];
      const weighed = 0.5 * Number(quality) + 0.3 * Number(coverage) + 0.2 * Number(confidence) - Number(flags);
      expect(Math.max(0, weighed)).toBeCloseTo(Number(evidence), 2);
    }
    await page.getByRole("heading", { name: "The winner's plan" }).waitFor();
    await page.getByText("first milestone").first().waitFor();
    const [report] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Report (Markdown)" }).click(),
    ]);
    expect(report.suggestedFilename()).toBe(`run-${id}.md`);
    const twin = await fetch(page.url(), { headers: { accept: "text/markdown" } });
    expect(await twin.text()).toBe(await (await fetch(`${web.url}/api/runs/${id}/report`)).text());
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await page.getByRole("link", { name: /SaaS niche/ }).waitFor();
    expect([complaints, strayed]).toEqual([[], []]);
    await close();
  }, 120_000);
});

describePages("a run that nobody takes up", { houseAgents: false }, (site) => {
  it("shows its waiting places, lets go of its stream while hidden, and is cancelled; a hostile goal stays text", async () => {
    const { web, visit } = site();
    const { page, complaints, close } = await visit("/runs/new", { apiKey: await web.register() });
    await page.getByLabel("Goal", { exact: true }).fill(HOSTILE);
    await page.getByRole("button", { name: "Start the run" }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
    await page.getByText("nobody yet").first().waitFor();
    await page.getByText("No candidate yet").waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.evaluate("window.owned")).toBeUndefined();
    expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(0);

    const setHidden = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, "visibilityState", { value: "${isHidden ? "hidden" : "visible"}", configurable: true });
        Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));`);
    const isStream = (request: { url(): string }) => request.url().endsWith("/events");
    await Promise.all([page.waitForEvent("requestfailed", isStream), setHidden(true)]);
    await Promise.all([page.waitForRequest(isStream), setHidden(false)]);

    await page.getByRole("button", { name: "Cancel the run" }).click();
    await page.getByRole("button", { name: "Cancel it" }).click();
    await page.getByText("You have ended it").waitFor();
    expect(complaints).toEqual([]);
    await close();
  }, 60_000);
});
