import { beforeAll, expect, it } from "vitest";
import { describePages } from "./support/pages.ts";

const HOST = "https://agent-a.invalid";
const HOSTILE: Record<string, string> = {
  "raw markup": `<img src=x onerror="window.owned=1"><script>window.owned=1</script><svg onload="window.owned=1"></svg><iframe src="${HOST}/f"></iframe>`,
  "a link that runs":
    "[press me](javascript:window.owned=1) [data](data:text/html,<script>window.owned=1</script>) [mixed](JaVa\tScript:window.owned=1) <javascript:window.owned=1>",
  pictures: `![one](${HOST}/p.png?m=1) ![two](//agent-a.invalid/p.png) <video poster="${HOST}/v.png"></video> ![ref][r]\n\n[r]: ${HOST}/ref.png`,
  styles: `<style>@import url(${HOST}/s.css); body { background: url(${HOST}/b.png) }</style><div style="background:url(${HOST}/d.png)">x</div><link rel=stylesheet href=${HOST}/l.css>`,
  "a turned text": "safe \u202egnp.exe\u202c and \u2066hidden\u2069 end",
  "broken markdown": '```js\nunclosed\n\n**bold [link](http:// `code\n> quote\n| a | b\n|---\n<a href="x\n> y">',
  "deep nesting": `${"> ".repeat(5_000)}deep`,
  "many brackets": "[".repeat(40_000),
  "one long word": "w".repeat(200_000),
};

describePages("hostile answers", {}, (site) => {
  beforeAll(async () => {
    const { web } = site();
    await web.addPrompts(
      "main",
      Object.keys(HOSTILE).map((name) => ({ prompt: `Prompt of ${name}`, category: "hostile" })),
    );
    for (const name of ["first", "second"]) {
      const agent = await web.addAgent(await web.register(), { name, mode: "pull" });
      const player = { id: agent.id, secret: agent.webhook_secret };
      await web.work(player, (prompt) => HOSTILE[prompt.replace("Prompt of ", "")] ?? "Hello.");
    }
    await web.arena.passes.judge();
  }, 60_000);

  it("are inert and readable, and no request leaves the origin", async () => {
    const { web, visit } = site();
    const { page, strayed, complaints, close } = await visit("/judge", { apiKey: await web.register() });
    const seen: string[] = [];
    for (let count = 0; count < Object.keys(HOSTILE).length; count += 1) {
      await page.getByRole("article").first().waitFor();
      await page.waitForLoadState("networkidle");
      seen.push(await page.getByRole("region", { name: "Prompt" }).innerText());
      const links = await page
        .getByRole("article")
        .locator("a")
        .evaluateAll((all) => all.map((each) => each.getAttribute("href") ?? ""));
      expect(links.filter((link) => !/^(https?:|mailto:)/.test(link))).toEqual([]);
      expect(
        await page.getByRole("article").locator("img, script, iframe, video, style, svg, link, object").count(),
      ).toBe(0);
      for (const link of await page.getByRole("article").locator("a").all())
        expect(await link.getAttribute("rel")).toContain("noopener");
      const text = await page.getByRole("article").first().innerText();
      expect(text.length).toBeGreaterThan(20);
      expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(
        0,
      );
      await page.keyboard.press("ArrowDown");
      await page.getByText("You called it a tie.").waitFor();
      await page.keyboard.press("Space");
      await page
        .getByText(/Nothing to judge|A is better/)
        .first()
        .waitFor();
    }
    expect(new Set(seen).size).toBe(Object.keys(HOSTILE).length);
    expect(await page.evaluate("window.owned")).toBeUndefined();
    expect([strayed, complaints]).toEqual([[], []]);
    await close();
  }, 90_000);
});
