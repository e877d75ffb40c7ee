import { expect, it } from "vitest";
import { describePages, settle } from "./support/pages.ts";
import { playCompetition } from "./support/world.ts";

const number = (text: string | undefined) =>
  Number((text ?? "").replace("−", "-").replace("½", "0.5").replace("+", ""));

describePages("ratings", { votesToClose: 1 }, (site) => {
  it("are redone by hand from what an agent's page shows, to the numbers that are published", async () => {
    const { web, visit } = site();
    const [player] = await playCompetition(web, { rounds: 2, judges: 3, agents: 5 });
    await web.arena.passes.rank();
    const board = (await (await fetch(`${web.url}/api/leaderboard?agent_id=${player?.id}`)).json()) as {
      items: [{ elo: number; rating: number; ci_low: number; ci_high: number }];
    };
    const [published] = board.items;
    const { page, complaints, strayed, close } = await visit(`/agents/${player?.id}`);
    await page.getByRole("link", { name: "How this number came about" }).click();
    await page.getByRole("heading", { name: "The published rating" }).waitFor();
    await settle(page);

    // The rating at which the score is what the opponents' ratings expect, less the pull: found by halving.
    const fit = page.getByRole("table", { name: "Score and expected score against each opponent" });
    const met = (await fit.locator("tbody tr").all()).map(async (row) => {
      const [, rating, battles, , score] = await row.locator("td").allInnerTexts();
      return { rating: number(rating), battles: number(battles), score: number(score) };
    });
    const opponents = await Promise.all(met);
    const score = opponents.reduce((sum, each) => sum + each.score, 0);
    const left = (own: number) =>
      opponents.reduce((sum, each) => sum - each.battles / (1 + 10 ** ((each.rating - own) / 400)), score) -
      (0.1 / 4) * ((own - 1500) / (400 / Math.LN10));
    let [low, high] = [0, 4_000];
    while (high - low > 1e-9) {
      const middle = (low + high) / 2;
      if (left(middle) > 0) low = middle;
      else high = middle;
    }
    // Opponents' ratings are shown with one digit.
    expect(Math.abs(low - published.rating)).toBeLessThan(0.1);
    const terms = (await page.getByLabel("The rating and what it fits").innerText()).replace(/\s+/g, " ");
    expect(terms).toContain(published.rating.toFixed(2));
    expect(terms).toContain(`${published.ci_low.toFixed(1)} to ${published.ci_high.toFixed(1)}`);
    expect(terms).toMatch(/= left over 0$/);

    // Elo from 1500 on, vote by vote, over all pages, oldest last.
    const steps: number[][] = [];
    const table = page.getByRole("table", { name: "Each counted vote with the terms of its change" });
    for (;;) {
      for (const row of await table.locator("tbody tr").all()) {
        steps.push((await row.locator("td").allInnerTexts()).slice(3).map(number));
      }
      const older = page.getByRole("button", { name: "Older" });
      if ((await older.count()) === 0 || (await older.isDisabled())) break;
      const before = await table.locator("tbody tr").first().innerText();
      await older.click();
      await expect.poll(() => table.locator("tbody tr").first().innerText()).not.toBe(before);
    }
    expect(steps.length).toBeGreaterThan(10);
    let elo = 1500;
    for (const [before, opponent, won, expected, change, after] of steps.toReversed() as [
      number,
      number,
      number,
      number,
      number,
      number,
    ][]) {
      expect(before).toBeCloseTo(elo, 1);
      expect(expected).toBeCloseTo(1 / (1 + 10 ** ((opponent - elo) / 400)), 3);
      expect(change).toBeCloseTo(32 * (won - expected), 1);
      elo += 32 * (won - 1 / (1 + 10 ** ((opponent - elo) / 400)));
      expect(after).toBeCloseTo(elo, 1);
    }
    expect(elo).toBeCloseTo(published.elo, 1);
    expect([complaints, strayed]).toEqual([[], []]);
    await close();
  }, 60_000);

  it("have a crosstable that keys walk through, saying each cell in words", async () => {
    const { web, visit } = site();
    const { page, close } = await visit("/ratings?top=10");
    const table = page.getByRole("table", { name: /Share of battles/ });
    await table.waitFor();
    const { agents, results } = (await (
      await fetch(`${web.url}/api/leaderboard/head-to-head?limit=10&by=rating`)
    ).json()) as {
      agents: { id: number; name: string }[];
      results: { a: number; b: number; wins_a: number; wins_b: number; ties: number; both_bad: number }[];
    };
    await table.locator("[data-cell='0 1']").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const [row, column] = [agents[2], agents[1]] as [{ id: number; name: string }, { id: number; name: string }];
    const pair = results.find(({ a, b }) => [row.id, column.id].every((id) => id === a || id === b));
    if (pair === undefined) throw new Error("two that never met");
    const [won, lost] = pair.a === row.id ? [pair.wins_a, pair.wins_b] : [pair.wins_b, pair.wins_a];
    const all = pair.wins_a + pair.wins_b + pair.ties + pair.both_bad;
    const share = Math.round(((won + (pair.ties + pair.both_bad) / 2) / all) * 100);
    const focused = page.locator("[data-cell]:focus");
    expect(await focused.locator("[aria-hidden]").innerText()).toMatch(new RegExp(`^${share}\\s+${all}$`));
    expect(await focused.locator(".sr-only").innerText()).toContain(
      `${row.name} against ${column.name}: ${share} % of ${all}`,
    );
    await page.getByText(`${won} won, ${lost} lost`).first().waitFor();
    await page.getByRole("group", { name: "Category" }).getByRole("button", { name: "code" }).click();
    await page.waitForURL(/category=code/);
    await close();
  }, 30_000);
});
