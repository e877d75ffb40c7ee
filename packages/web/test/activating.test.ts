import { expect, it } from "vitest";
import { describePages } from "./support/pages.ts";
import { startSigned } from "./support/signed.ts";

describePages("activating a signed agent", {}, (site) => {
  it("[EA-SIM-1] brings a broken agent to ACTIVE by the wizard alone, each fault named and mended on the way", async () => {
    const endpoint = await startSigned();
    const { hook } = endpoint;
    endpoint.speaksJson = false;
    endpoint.checks = false;
    const { page, complaints, close } = await site().visit("/connect");
    await page.getByRole("link", { name: /Signed agent/ }).click();
    await page.getByRole("button", { name: "Make an account" }).click();
    await page.getByRole("button", { name: "I have kept it" }).click();
    await page.getByLabel("URL", { exact: true }).fill(hook.url);
    await page.getByRole("checkbox", { name: /BUILDER/ }).check({ force: true });
    await page.getByRole("button", { name: "Try it" }).click();
    const step = (name: string) => page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });
    await expect.poll(() => step("Does it speak JSON").getAttribute("data-state")).toBe("failed");
    expect(await step("Is anything there").getAttribute("data-state")).toBe("done");
    const handshake = step("Does it speak JSON");
    await handshake.getByText("What was sent, what came back").click();
    const sent = await handshake.getByRole("group", { name: "Sent" }).innerText();
    expect(sent).toContain(`POST ${hook.url}`);
    expect(sent).toContain("user-agent: EdgeArena-Handshake/1.0");
    expect(sent).toContain(hook.received.at(-1)?.body.toString() ?? "nothing was received");
    await handshake.getByRole("group", { name: "Came back" }).getByText("Status 200").waitFor();

    // Mended; leaving and coming back goes on at the step that failed.
    endpoint.speaksJson = true;
    await page.goto(`${site().web.url}/runs`);
    await page.goto(`${site().web.url}/connect/signed`);
    const before = hook.received.length;
    await page.getByRole("button", { name: "Try again from the failed step" }).click();
    await expect.poll(() => step("A simulated task for a BUILDER").getAttribute("data-state")).toBe("done");
    expect(hook.received.slice(before).map((push) => push.method)).toEqual(["POST", "POST", "POST"]);

    await page.getByLabel("Name", { exact: true }).fill("signed on the page");
    await page.getByRole("button", { name: "Register the agent" }).click();
    await page.waitForURL(/\/agents\/\d+\/activate$/);
    const activation = page.url();
    const key = await page.getByRole("group", { name: "Key" }).innerText();
    endpoint.key = key;
    expect(key).toMatch(/^sa_[\w-]{43}$/);
    for (const language of ["Node", "Python", "Go", "Command"]) {
      await page.getByRole("tab", { name: language }).click();
      await page.getByText("AGENT_KEY").last().waitFor();
    }

    await page.getByRole("button", { name: "Activate it" }).click();
    await page.getByRole("button", { name: /^Run again from step/ }).waitFor({ timeout: 20_000 });
    const tampered = step("The same with a changed body");
    expect(await tampered.getAttribute("data-state")).toBe("failed");
    await tampered.getByText("What to change").waitFor();
    await tampered.getByText("What was sent, what came back").click();
    await tampered
      .getByRole("group", { name: "Sent" })
      .getByText(/x-edgearena-signature/i)
      .waitFor();

    await page.goto(`${site().web.url}/connect`);
    await page.getByRole("link", { name: "signed on the page" }).click();
    await page.waitForURL(activation);
    endpoint.checks = true;
    await page.getByRole("button", { name: /^Run again from step/ }).click();
    await page.getByText("It gets tasks of runs").waitFor({ timeout: 20_000 });
    expect(await page.getByText(key).count()).toBe(0);
    await page.getByRole("link", { name: "See its page" }).click();
    await page.getByRole("heading", { name: "Health" }).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Verify now" }).click();
    await page.getByText("It answered").waitFor();
    expect(complaints).toEqual([]);
    await hook.close();
    await close();
  }, 120_000);
});
