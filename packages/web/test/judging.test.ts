import { beforeAll, expect, it } from "vitest";
import { describePages } from "./support/pages.ts";
import { type Player, playCompetition } from "./support/world.ts";

/** Presses in the turn in which the page has changed, before anything else can run: four battles, eight keys. */
const EAGER = `
  const pressed = [];
  const press = (key) => {
    if (pressed.length === 8 || pressed.at(-1) === key) return;
    pressed.push(key);
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  };
  new MutationObserver(() => {
    if (document.body.innerText.includes("You chose A.")) press(" ");
    else if (document.querySelector("article") !== null) press("ArrowLeft");
  }).observe(document, { childList: true, subtree: true, characterData: true });
`;

describePages("judging", { votesToClose: 50 }, (site) => {
  let players: Player[];
  beforeAll(async () => {
    players = await playCompetition(site().web, { rounds: 3, judges: 0, agents: 6 });
  }, 120_000);

  it("takes ten battles by keyboard alone, and has the next one before it is asked for", async () => {
    const { web, visit } = site();
    const apiKey = await web.register();
    const { page, complaints, close } = await visit("/judge", { apiKey });
    const keys = ["ArrowLeft", "ArrowRight", "ArrowDown", "ArrowUp"];
    const said = ["You chose A.", "You chose B.", "You called it a tie.", "You found both bad."];
    for (let battle = 0; battle < 10; battle += 1) {
      await page.getByRole("article", { name: "Answer B" }).waitFor();
      await page.keyboard.press(keys[battle % 4] as string);
      await page.getByText(said[battle % 4] as string).waitFor();
      await page.getByText(`${battle + 1} judged today`).waitFor();
      expect(await page.getByRole("article").getByRole("link").count()).toBeGreaterThanOrEqual(2);
      await page.keyboard.press("Space");
      await page.getByRole("button", { name: "A is better" }).waitFor();
    }
    const votes = await web.db.run<{ outcome: string }>(
      { name: "t", text: "select outcome from votes where judge_kind = 'account'" },
      [],
    );
    expect(votes.length).toBe(10);
    expect(new Set(votes.map((vote) => vote.outcome))).toEqual(new Set(["a", "b", "tie", "both_bad"]));
    expect(complaints).toEqual([]);
    await close();
  }, 60_000);

  it("takes keys from the moment on in which what they are about is in sight", async () => {
    const { web, visit } = site();
    const { page, close } = await visit("/ratings", { apiKey: await web.register() });
    await page.addInitScript({ content: EAGER });
    await page.goto(`${web.url}/judge`);
    await page.getByText("4 judged today").waitFor();
    await close();
  });

  it("shows the next battle while the arena does not answer, because it was fetched before", async () => {
    const { web, visit } = site();
    const { page, close } = await visit("/judge", { apiKey: await web.register() });
    await page.getByRole("article").first().waitFor();
    await page.waitForLoadState("networkidle");
    await page.keyboard.press("ArrowLeft");
    await page.getByText("You chose A.").waitFor();
    await page.route("**/api/judge/next", () => {});
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "A is better" }).waitFor();
    await close();
  });

  it("skips with S, keeps nothing of it, and shows another", async () => {
    const { web, visit } = site();
    const { page, close } = await visit("/judge", { apiKey: await web.register() });
    await page.getByRole("article").first().waitFor();
    const before = await page.locator("main").innerText();
    await page.keyboard.press("s");
    await expect.poll(() => page.locator("main").innerText()).not.toBe(before);
    await page.getByText("0 judged today").waitFor();
    await close();
  });

  it("says nothing of whose the answers are before the vote, in the page or in what it was sent", async () => {
    const { web, visit } = site();
    const { page, close } = await visit("/battles", { apiKey: await web.register() });
    const bodies: Promise<string>[] = [];
    page.on("response", (response) => {
      if (response.url().includes("/api/judge/")) bodies.push(response.text().catch(() => ""));
    });
    await page.goto(`${web.url}/judge`);
    await page.getByRole("article").first().waitFor();
    await page.waitForLoadState("networkidle");
    const seen = `${await page.locator("main").innerHTML()} ${(await Promise.all(bodies)).join(" ")}`;
    for (const player of players) expect(seen).not.toContain(player.name);
    expect(bodies.length).toBeGreaterThan(0);
    await close();
  });

  it("tells the operator of an answer, and goes on", async () => {
    const { web, visit } = site();
    const { page, close } = await visit("/judge", { apiKey: await web.register() });
    await page.getByRole("button", { name: "Report answer A" }).click();
    await page.getByRole("radio", { name: /It is spam/ }).check();
    await page.getByLabel("A word on it").fill("Advertises a shop.");
    await page.getByRole("button", { name: "Report", exact: true }).click();
    await page.getByText("The operator will see it.").waitFor();
    await page.getByRole("button", { name: "Back to the battle" }).click();
    await page.keyboard.press("ArrowRight");
    await page.getByText("You chose B.").waitFor();
    const reports = await web.db.run<{ reason: string }>({ name: "t", text: "select reason from reports" }, []);
    expect(reports).toEqual([{ reason: "spam" }]);
    await close();
  });

  it("lets a visitor judge, and says that it moves no rating", async () => {
    const { page, close } = await site().visit("/judge");
    await page.getByRole("article").first().waitFor();
    await page.getByRole("button", { name: "Tie" }).click();
    await page.getByText("move no rating").waitFor();
    await close();
  });

  it("replaces a battle that has ended meanwhile", async () => {
    const { web, visit } = site();
    const { page, close } = await visit("/judge", { apiKey: await web.register() });
    await page.getByRole("article").first().waitFor();
    await page.waitForLoadState("networkidle");
    await web.db.run(
      {
        name: "t",
        text: "update presentations set expires_at = '2020-01-01' where id = (select id from presentations where state = 'live' order by created_at desc offset 1 limit 1)",
      },
      [],
    );
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("alert").waitFor();
    await page.getByRole("article").first().waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.getByText("You chose A.").waitFor();
    await close();
  });
});
