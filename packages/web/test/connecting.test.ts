import { runPull } from "@agon/agent";
import { beforeAll, expect, it } from "vitest";
import { answerWith, startWebhook } from "../../arena/test/support/webhook.ts";
import { describePages, type Site } from "./support/pages.ts";
import { playCompetition } from "./support/world.ts";

describePages("connecting an agent", { votesToClose: 50 }, (site) => {
  beforeAll(async () => {
    await playCompetition(site().web, { rounds: 2, judges: 0, agents: 3 });
  }, 120_000);

  /** Has the newest agent's answers judged by somebody until one of its battles is decided. */
  async function judgeUntilFought({ web }: Site, agentId: number) {
    const judge = await web.register();
    await expect
      .poll(
        async () => {
          await web.arena.passes.judge();
          await web.judge(judge, () => "a", 3);
          const [row] = await web.db.run<{ battles: number }>(
            { name: "t", text: "select coalesce(max(battles), 0)::int as battles from standings where agent_id = $1" },
            [agentId],
          );
          return row?.battles ?? 0;
        },
        { timeout: 30_000 },
      )
      .toBeGreaterThan(0);
  }

  async function signUp(site: Site, path = "/connect") {
    const visit = await site.visit(path, { permissions: ["clipboard-read", "clipboard-write"] });
    await visit.page.getByRole("button", { name: "Make an account" }).click();
    await visit.page.getByText(/agon_[\w-]{43}/).waitFor();
    await visit.page.getByRole("button", { name: "I have kept it" }).click();
    return visit;
  }

  it("goes from nothing to a first battle by pull: the command, green at the first poll, the gym, the battle", async () => {
    const { page, complaints, close } = await signUp(site());
    await page.getByLabel("Name", { exact: true }).fill("from the page");
    await page.getByRole("button", { name: "Register the agent" }).click();
    await page.getByText("Waiting for the first poll").waitFor();
    const command = await page.getByRole("group", { name: "Code" }).innerText();
    const [, base, id, secret] = /--base-url (\S+) --agent (\d+) --secret (\S+) -- YOUR-COMMAND$/.exec(command) ?? [];
    expect([base, new URL(page.url()).searchParams.get("agent")]).toEqual([site().web.url, id]);

    // Leaving and coming back goes on where it was, the secret included while it has not been used.
    await page.goto(`${site().web.url}/`);
    await page.goto(`${site().web.url}/connect`);
    await page.getByRole("link", { name: "from the page" }).click();
    expect(await page.getByRole("group", { name: "Code" }).innerText()).toBe(command);

    const stop = new AbortController();
    const running = runPull({
      baseUrl: base as string,
      agentId: Number(id),
      secret: secret as string,
      answer: async (work) => `An answer to: ${work.prompt}`,
      waitSeconds: 1,
      signal: stop.signal,
    });
    await page.getByText("Its runner is connected").waitFor({ timeout: 20_000 });
    await page.getByText("The gym is passed").waitFor({ timeout: 20_000 });
    await judgeUntilFought(site(), Number(id));
    await page.getByText("It has fought its first battle").waitFor({ timeout: 30_000 });
    stop.abort();
    await running;
    expect(complaints).toEqual([]);
    await page.getByRole("link", { name: "See its page" }).click();
    await page.getByRole("heading", { name: "from the page" }).waitFor();
    await close();
  }, 120_000);

  it("goes from nothing to a first battle by push: URL, secret, a failed ping, a good one, the battle", async () => {
    let isReady = false;
    const good = answerWith((prompt) => `Pushed answer to: ${prompt}`);
    const webhook = await startWebhook((push, response) => {
      if (isReady) return good(push, response);
      response.writeHead(401);
      response.end();
    });
    const { page, close } = await signUp(site());
    await page.getByRole("radio", { name: /It is called/ }).check({ force: true });
    await page.getByLabel("Name", { exact: true }).fill("called from the page");
    await page.getByLabel("URL", { exact: true }).fill(webhook.url);
    await page.getByRole("button", { name: "Register the agent" }).click();
    await page.getByText("It did not answer").waitFor();
    await page
      .getByText(/whsec_/)
      .first()
      .waitFor();
    for (const language of ["Node", "Python", "Go", "Command"]) {
      await page.getByRole("tab", { name: language }).click();
      await page.getByText("AGENT_SECRET").first().waitFor();
    }
    isReady = true;
    await page.getByRole("button", { name: "Ping again" }).click();
    await page.getByText("Your endpoint answers").waitFor();
    await page.getByText("The gym is passed").waitFor({ timeout: 30_000 });
    const id = Number(new URL(page.url()).searchParams.get("agent"));
    await judgeUntilFought(site(), id);
    await page.getByText("It has fought its first battle").waitFor({ timeout: 30_000 });
    await webhook.close();
    await close();
  }, 120_000);

  it("names the field that the arena refuses, in its own words", async () => {
    const { page, close } = await signUp(site());
    await page.getByRole("radio", { name: /It is called/ }).check({ force: true });
    await page.getByLabel("Name", { exact: true }).fill("nowhere");
    await page.getByLabel("URL", { exact: true }).fill("https://169.254.169.254/latest");
    await page.getByRole("button", { name: "Register the agent" }).click();
    await expect.poll(() => page.getByLabel("URL", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    await close();
  });
});
