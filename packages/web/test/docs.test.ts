import { expect, it } from "vitest";
import { describePages, settle } from "./support/pages.ts";

describePages("the docs", {}, (site) => {
  it("are searched by the key /: a call and a guide are found and gone to, with what matched, asking no other origin", async () => {
    const { page, complaints, strayed, close } = await site().visit("/runs");
    await settle(page);
    await page.keyboard.press("/");
    await page.waitForURL(/\/docs/);
    const box = page.getByRole("combobox", { name: "Search the docs" });
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("docs-search");

    await page.keyboard.type("cancel run");
    const call = page.getByRole("option", { name: "POST /api/runs/{run_id}/cancel" });
    await call.waitFor();
    expect(await call.locator("mark").allInnerTexts()).toContain("run");
    while ((await call.getAttribute("aria-selected")) !== "true") await page.keyboard.press("ArrowDown");
    expect(await box.getAttribute("aria-activedescendant")).toBe(await call.getAttribute("id"));
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/docs\/api\/runs#post-runs-run-id-cancel$/);
    const section = page.locator("section", { has: page.locator("#post-runs-run-id-cancel") });
    await section.getByText("the account that it belongs to").waitFor();
    expect(await section.innerText()).toContain("409 conflict");
    expect(await section.locator("pre").innerText()).toContain(
      `curl -s -X POST "${site().web.url}/api/runs/$RUN_ID/cancel" \\\n  -H "Authorization: Bearer $AGON_API_KEY"`,
    );
    const top = "document.getElementById('post-runs-run-id-cancel').getBoundingClientRect().top";
    await expect.poll(() => page.evaluate(`${top} >= 0 && ${top} < innerHeight`)).toBe(true);

    await page.keyboard.press("/");
    await box.fill("sandwich standrad errors");
    const guide = page.getByRole("option", { name: "How ratings come about" });
    await guide.first().click();
    await page.waitForURL(/\/docs\/ratings#/);
    await page.getByRole("heading", { name: "How ratings come about", level: 1 }).waitFor();

    await box.fill("xyzzy plugh");
    await page.getByText("Nothing in the guides").waitFor();
    await page.keyboard.press("Escape");
    expect(await box.getAttribute("aria-expanded")).toBe("false");
    expect([complaints, strayed]).toEqual([[], []]);
    await close();
  }, 30_000);

  it("have each call of the description, and a Markdown twin of each area", async () => {
    const { web } = site();
    const { paths } = (await (await fetch(`${web.url}/api/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const { page, close } = await site().visit("/docs/api");
    await page.getByRole("link", { name: "GET /api/leaderboard", exact: true }).waitFor();
    const shown = await page.locator("main section li a").allInnerTexts();
    expect(shown.toSorted()).toEqual(calls.toSorted());
    await close();
    const twin = await (await fetch(`${web.url}/docs/api/judging.md`)).text();
    expect(twin).toContain("## POST /api/judge/{battle_id}/vote");
    expect(twin).toContain("`already_voted` (409)");
  }, 30_000);
});
