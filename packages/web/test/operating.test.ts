import { expect, it } from "vitest";
import { ADMIN_KEY } from "../../arena/test/support/test-arena.ts";
import { describePages } from "./support/pages.ts";
import { playCompetition } from "./support/world.ts";

const BROKEN = [
  '{"external_id": "a-1", "prompt": "What is 17 + 25?", "category": "sums", "check": {"kind": "number", "value": 42}}',
  '{"external_id": "a-2", "category": "sums"}',
  "What is 1 + 1?",
].join("\n");
const GOOD = [
  '{"external_id": "a-1", "prompt": "What is 17 + 25?", "category": "sums", "check": {"kind": "number", "value": 42}}',
  '{"external_id": "a-2", "prompt": "What is 1 + 1?", "category": "sums"}',
].join("\n");
const file = (text: string) => ({ name: "sums.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(text) });

describePages("operating an arena", {}, (site) => {
  it("signs in with the operator's key alone, in every tab, and out of all of them", async () => {
    const { web, visit } = site();
    const apiKey = await web.register();
    const { page, context, complaints, close } = await visit("/operator", { apiKey });
    await page.getByText("The desk needs the operator's key").waitFor();
    expect(await page.getByRole("link", { name: "Desk" }).count()).toBe(0);
    await page.getByLabel("Operator's key").fill(apiKey);
    await page.getByRole("button", { name: "Open the desk" }).click();
    await page.getByText("This is not the operator's key.").waitFor();
    expect(complaints).toEqual([expect.stringContaining("401")]);
    await page.getByLabel("Operator's key").fill(ADMIN_KEY);
    await page.getByRole("button", { name: "Open the desk" }).click();
    await page.getByText("In flight").first().waitFor();
    const cookies = await context.cookies(`${web.url}/api`);
    const found = cookies.find((each) => each.name === "agon_operator");
    expect(found).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/api" });
    expect(found?.value).not.toContain(ADMIN_KEY);

    const other = await context.newPage();
    await other.goto(`${web.url}/operator/agents`);
    await other.getByText("No agent has registered yet").waitFor();
    await page.getByRole("button", { name: "Sign out" }).first().click();
    await page.getByLabel("Operator's key").waitFor();
    await other.getByLabel("Operator's key").waitFor();
    await close();
  });

  it("asks for nothing of the desk's before it is known that the operator looks", async () => {
    const { web, visit } = site();
    const { page, complaints, close } = await visit("/");
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/admin/")) asked.push(request.url());
    });
    for (const place of [
      "",
      "/agents",
      "/accounts",
      "/prompts",
      "/prompts/1",
      "/prompts/import",
      "/rulings",
      "/reports",
    ]) {
      await page.goto(`${web.url}/operator${place}`);
      await page.getByLabel("Operator's key").waitFor();
    }
    expect([asked, complaints]).toEqual([[], []]);
    await close();
  });

  it("imports with preview, retires, voids with preview, suspends and reinstates, each with the way back", async () => {
    const { web, visit } = site();
    const players = await playCompetition(web, { rounds: 1, judges: 2, agents: 4 });
    const { page, complaints, strayed, close } = await visit("/account");
    await page.getByLabel("API key").fill(ADMIN_KEY);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(/\/operator$/);
    const desk = page.getByRole("navigation", { name: "Desk" });

    // A broken file: the places and the reasons are shown, and nothing is stored.
    await desk.getByRole("link", { name: "Prompts" }).click();
    await page.getByRole("link", { name: "Import prompts" }).first().click();
    await page.getByLabel("Choose a file with prompts").setInputFiles(file(BROKEN));
    const broken = page.getByRole("list", { name: "What is broken" }).getByRole("listitem");
    await broken.first().waitFor();
    expect(await broken.allInnerTexts()).toEqual([
      expect.stringMatching(/line 2\s+prompt/),
      expect.stringMatching(/line 3\s+is not JSON/),
    ]);
    expect(await page.getByRole("button", { name: /^Import \d/ }).count()).toBe(0);
    expect(await sums()).toEqual([]);

    // The same file, mended.
    await page.getByLabel("Choose another file").setInputFiles(file(GOOD));
    await page.getByRole("button", { name: "Import 2 prompts" }).click();
    await page.getByText("2 prompts of sums.jsonl are in the pool.").waitFor();
    expect(await sums()).toEqual(["a-1 in", "a-2 in"]);
    await page.getByRole("button", { name: "Take them out again" }).click();
    await page.getByText("2 prompts are retired").waitFor();
    expect(await sums()).toEqual(["a-1 retired", "a-2 retired"]);

    // Brought back one by one, its check tried, and retired again.
    await desk.getByRole("link", { name: "Prompts" }).click();
    await page
      .getByRole("button", { name: /^Bring back prompt/ })
      .first()
      .waitFor();
    await page.getByRole("link", { name: "What is 17 + 25?" }).click();
    await page.getByRole("button", { name: "Bring it back" }).click();
    await page.getByText("It is back in the pool.").waitFor();
    await page.getByLabel("A sample answer").fill("It is 41.");
    await page.getByRole("button", { name: "Try the check" }).click();
    await page.getByText("wrong", { exact: true }).waitFor();
    await page.getByLabel("Check", { exact: true }).fill('{"kind": "number", "value": 41}');
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    await page.getByLabel("A sample answer").fill("It is 41.");
    await page.getByRole("button", { name: "Try the check" }).click();
    await page.getByText("right", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Retire it" }).click();
    await page.getByText("It is retired: nobody gets it any more.").waitFor();
    expect(await sums()).toEqual(["a-1 retired", "a-2 retired"]);

    // Voiding: who would move is shown before, and moves just so.
    await desk.getByRole("link", { name: "Rulings" }).click();
    const agent = players[0]?.id as number;
    const before = await elo(agent);
    const rankedAs = await ladderRow();
    await page.getByLabel("Which").selectOption("agent");
    await page.getByLabel("Agent's id").fill(String(agent));
    await page.getByRole("button", { name: "See what would move" }).click();
    const row = page.getByRole("region", { name: "Preview" }).getByRole("row", { name: /meridian/ });
    const shown = await row.getByRole("cell").nth(1).innerText();
    expect(shown).toBe(`${Math.round(before)} → 1500`);
    expect(await elo(agent)).toBe(before);
    await page.getByRole("button", { name: /^Void \d+ votes/ }).click();
    await page.getByText("Is published with the ruling: at least 3 characters.").waitFor();
    complaints.length = 0;
    await page.getByLabel("Reason").fill("It copied its answers.");
    await page.getByRole("button", { name: /^Void \d+ votes/ }).click();
    await page.getByText(/Ruling \d+: \d+ votes? counts? no more/).waitFor();
    expect(await elo(agent)).toBe(1500);
    expect(rankedAs).not.toContain("unranked");
    expect(await ladderRow()).toMatch(/^– meridian .*unranked$/);
    await page.goto(`${web.url}/operator/rulings`);
    await page.getByRole("button", { name: /^Lift ruling/ }).click();
    await page.getByRole("button", { name: "Lift it" }).click();
    await page.getByText(/is lifted: its \d+ votes count as they did/).waitFor();
    expect(await elo(agent)).toBe(before);
    expect(await ladderRow()).toBe(rankedAs);

    // A wrong click on an agent is taken back where it is told.
    await desk.getByRole("link", { name: "Agents" }).click();
    await page.getByRole("button", { name: "Suspend meridian" }).click();
    await page.getByLabel("Reason").fill("Answers with texts of others.");
    await page.getByRole("button", { name: "Suspend it" }).click();
    await page.getByText("Suspended: Answers with texts of others.").waitFor();
    expect(await pollStatus(players[0] as { id: number; secret: string })).toBe(403);
    await page.getByRole("status").getByRole("button", { name: "Reinstate" }).click();
    await page.getByText("meridian gets work again.").waitFor();
    expect(await pollStatus(players[0] as { id: number; secret: string })).not.toBe(403);

    expect([complaints, strayed]).toEqual([[], []]);
    await close();

    async function sums(): Promise<string[]> {
      const list = {
        name: "sums",
        text: "select external_id, retired_at from prompts where category = 'sums' order by 1",
      };
      const rows = await web.db.run<{ external_id: string; retired_at: string | null }>(list, []);
      return rows.map((each) => `${each.external_id} ${each.retired_at === null ? "in" : "retired"}`);
    }
    /** The agent's row on the ladder, in a tab of its own, once the ranking has been computed. */
    async function ladderRow(): Promise<string> {
      await web.arena.passes.rank();
      const ladder = await page.context().newPage();
      await ladder.goto(`${web.url}/`);
      const text = await ladder.getByRole("row", { name: /meridian/ }).innerText();
      await ladder.close();
      // The trend is drawn beside it when it has come.
      return text.replace(/\s+/g, " ").replace("no trend yet ", "");
    }
    async function elo(id: number): Promise<number> {
      return (await web.arena.app.inject({ url: `/api/agents/${id}/rating-history` })).json().elo;
    }
    async function pollStatus({ id, secret }: { id: number; secret: string }): Promise<number> {
      const headers = { "x-arena-secret": secret };
      return (await web.arena.app.inject({ url: `/api/agents/${id}/work/next`, headers })).statusCode;
    }
  }, 60_000);
});
