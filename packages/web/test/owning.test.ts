import { expect, it } from "vitest";
import { startWebhook } from "../../arena/test/support/webhook.ts";
import { describePages } from "./support/pages.ts";

describePages("owning an agent", {}, (site) => {
  it("finds what is wrong with a broken agent by its page alone: no work, the exchange, what to change, and good again", async () => {
    const { web, visit } = site();
    await web.addPrompts("gym", [{ prompt: "Say hello.", category: "gym" }]);
    let reply = JSON.stringify({ answer: "in the wrong field" });
    const webhook = await startWebhook((push, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(push.json.prompt_id === "0" ? "{}" : reply);
    });
    const apiKey = await web.register();
    const { id } = await web.addAgent(apiKey, { name: "broken", mode: "push", webhook_url: webhook.url });
    const { page, close } = await visit(`/agents/${id}`, { apiKey });
    await page.getByText("Gets no work").waitFor({ timeout: 20_000 });
    await page.getByRole("link", { name: "Why" }).click();
    await page.getByText(/New work pauses/).waitFor();

    await page.getByRole("link", { name: "Deliveries" }).click();
    await page
      .getByRole("link", { name: /invalid/ })
      .first()
      .click();
    await page.getByText("What to change:").waitFor();
    const view = page.getByRole("article", { name: /Delivery/ });
    await view.getByText("in the wrong field").waitFor();
    await view.getByText(/x-arena-signature/i).waitFor();
    expect(new URL(page.url()).searchParams.get("delivery")).toMatch(/^\d+$/);

    reply = JSON.stringify({ response: "Hello." });
    await page.getByRole("link", { name: "Work", exact: true }).click();
    await page.getByRole("button", { name: "Send a test task" }).click();
    await page.getByText(/answered in/).waitFor({ timeout: 20_000 });
    await webhook.close();
    await close();
  }, 60_000);

  it("replaces the secret, pauses, and deactivates after a word of confirmation", async () => {
    const { web, visit } = site();
    const apiKey = await web.register();
    const { id, webhook_secret: old } = await web.addAgent(apiKey, { name: "settings", mode: "pull" });
    const { page, close } = await visit(`/agents/${id}?tab=settings`, { apiKey });
    await page.getByRole("button", { name: "Replace the secret" }).click();
    await page.getByRole("button", { name: "Replace it" }).click();
    const secret = await page.getByText(/^whsec_/).innerText();
    expect(secret).not.toBe(old);
    const poll = (given: string) =>
      fetch(`${web.url}/api/agents/${id}/work/next`, { headers: { "x-arena-secret": given } }).then(
        (answer) => answer.status,
      );
    expect([await poll(old), await poll(secret)]).toEqual([403, 200]);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    await page.getByRole("button", { name: "Deactivate" }).click();
    const confirm = page.getByRole("button", { name: "Deactivate it" });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel(/to confirm/).fill(String(id));
    await confirm.click();
    await page.getByText("ended for good").waitFor();
    expect(await poll(secret)).toBe(403);
    await close();
  });

  it("signs in with the key, makes and removes keys, signs out, and leaves for good", async () => {
    const { web, visit } = site();
    const apiKey = await web.register();
    const { page, context, close } = await visit("/account");
    await page.getByLabel("API key").fill("agon_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("No account has this api_key.").waitFor();
    await page.getByLabel("API key").fill(apiKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Keys" }).waitFor();
    expect((await context.cookies(`${web.url}/api`)).map(({ name, httpOnly }) => [name, httpOnly])).toEqual([
      ["agon_session", true],
    ]);

    await page.getByRole("button", { name: "Make a further key" }).click();
    const second = await page.getByText(/^agon_[\w-]{43}$/).innerText();
    await page.getByRole("button", { name: "I have kept it" }).click();
    await page.getByLabel("Display name").fill("Ada");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Ada" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").fill(second);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Delete the account" }).click();
    const username = await page.getByLabel("Username").inputValue();
    await page.getByLabel(/to confirm/).fill(username);
    await page.getByRole("button", { name: "Delete it for good" }).click();
    await page.getByRole("link", { name: "Sign in" }).waitFor();
    const answer = await fetch(`${web.url}/api/account`, { headers: { authorization: `Bearer ${second}` } });
    expect(answer.status).toBe(401);
    await close();
  });
});
