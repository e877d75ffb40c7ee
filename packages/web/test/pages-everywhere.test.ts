import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { ADMIN_KEY } from "../../arena/test/support/test-arena.ts";
import { startWebhook, type Webhook } from "../../arena/test/support/webhook.ts";
import { MATERIAL } from "./support/content.ts";
import { describePages, settle } from "./support/pages.ts";
import { activateSigned, runToEnd, startSigned } from "./support/signed.ts";
import { type Player, playCompetition } from "./support/world.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WIDTHS = [360, 768, 1280, 2560];
/** Past the top bar and well into the page. */
const TABS = 20;

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

describePages("every page", { votesToClose: 1 }, (site) => {
  let players: Player[];
  let webhook: Webhook;
  let pushed: number;
  let waiting: number;
  let signed: number;
  let refused: number;
  let run: string;
  const owner = () => (players[0] as Player).apiKey;
  beforeAll(async () => {
    const { web } = site();
    players = await playCompetition(web, { rounds: 2, judges: 3, agents: 8 });
    webhook = await startWebhook((_push, response) => {
      response.writeHead(500);
      response.end("no model today");
    });
    pushed = (await web.addAgent(owner(), { name: "called", mode: "push", webhook_url: webhook.url })).id;
    waiting = (await web.addAgent(owner(), { name: "not begun yet", mode: "pull" })).id;
    const [good, lax] = [await startSigned(), await startSigned()];
    lax.checks = false;
    signed = await activateSigned(web, owner(), good, "signed");
    refused = await activateSigned(web, owner(), lax, "signed, but takes anything", ["SCOUT", "ANALYST"]);
    await web.db.run(
      {
        name: "report",
        text: `insert into reports (presentation_id, answer_id, judge_kind, judge_id, reason, comment, created_at)
          select gen_random_uuid(), max(id), 'account', '1', 'spam', 'It sells something.', now() from tasks where kind = 'main'`,
      },
      [],
    );
    run = await runToEnd(web, owner(), { goal: `Find a niche for ${"a very particular kind of person ".repeat(20)}.` });
    return () => Promise.all([webhook, good.hook, lax.hook].map((each) => each.close()));
  }, 120_000);

  const paths = () =>
    [
      ["/", false],
      ["/?category=code", false],
      ["/judge", false],
      [`/agents/${players[0]?.id}`, false],
      [`/agents/${players[7]?.id}`, false],
      [`/agents/${players[0]?.id}?tab=answers`, false],
      [`/agents/${players[0]?.id}?tab=rating`, false],
      ["/ratings", false],
      ["/ratings?category=code&top=10", false],
      [`/agents/${pushed}`, true],
      [`/agents/${pushed}?tab=work`, true],
      [`/agents/${pushed}?tab=answers`, true],
      [`/agents/${pushed}?tab=deliveries&delivery=1`, true],
      [`/agents/${pushed}?tab=settings`, true],
      ["/connect", false],
      ["/connect", true],
      [`/connect?agent=${players[0]?.id}`, true],
      [`/connect?agent=${pushed}`, true],
      [`/connect?agent=${waiting}`, true],
      ["/connect/signed", false],
      ["/connect/signed", true],
      [`/agents/${signed}`, false],
      [`/agents/${signed}`, true],
      [`/agents/${signed}/activate`, true],
      [`/agents/${refused}/activate`, true],
      [`/agents/${refused}/activate`, false],
      ["/runs", false],
      ["/runs/new", false],
      ["/runs/new", true],
      [`/runs/${run}`, false],
      ["/battles", false],
      ["/battles/1", false],
      ["/prompts", false],
      ["/prompts/4", false],
      ["/account", false],
      ["/account", true],
      ["/operator", false],
      ...[
        "",
        "?span=day",
        "/agents",
        "/accounts",
        "/prompts",
        "/prompts/4",
        "/prompts/import",
        "/rulings",
        "/reports",
      ].map((path) => [`/operator${path}`, "operator"] as const),
      ["/docs", false],
      ["/docs/judging", false],
      ["/docs/api", false],
      ["/docs/api/agents", false],
    ] as const;

  it("has nothing that axe objects to in both themes, fits from 360 to 2560 px without a sideways scroll, shows where the focus is on all that Tab reaches, asks no other origin, and complains of nothing", async () => {
    for (const [path, isOwn] of paths()) {
      const { page, strayed, complaints, close } = await site().visit(path, {
        colorScheme: "light",
        bypassCSP: true,
        ...(isOwn ? { apiKey: isOwn === "operator" ? ADMIN_KEY : owner() } : {}),
      });
      await settle(page);
      await page.addScriptTag({ content: axe });
      expect([path, "light", await objections(page)]).toEqual([path, "light", []]);
      await page.emulateMedia({ colorScheme: "dark" });
      await page.locator("html[data-theme=dark]").waitFor();
      await transitioned(page);
      expect([path, "dark", await objections(page)]).toEqual([path, "dark", []]);
      expect([path, await tooWide(page)]).toEqual([path, []]);
      await page.setViewportSize({ width: 1280, height: 900 });
      expect([path, await withoutFocusMark(page)]).toEqual([path, []]);
      expect([path, strayed, complaints]).toEqual([path, [], []]);
      await close();
    }
  }, 480_000);

  it("has nothing that axe objects to in dialogs, and when a vote has told who is who", async () => {
    // Each visitor is a judge who holds the battles that they were shown; those before have left none.
    const { web } = site();
    await web.addPrompts(
      "main",
      MATERIAL.map(({ prompt, category }) => ({ prompt: `${prompt} Once more.`, category })),
    );
    for (const player of players.slice(0, 4)) {
      const answers = MATERIAL[player.id % MATERIAL.length]?.answers;
      await web.work(player, () => `${answers?.[0]}${" ".repeat(player.id)}`);
    }
    await web.arena.passes.judge();
    const states: [string, boolean, (page: Page) => Promise<unknown>][] = [
      ["/judge", false, (page) => page.keyboard.press("?")],
      ["/judge", false, (page) => page.getByRole("button", { name: "Report answer A" }).click()],
      [
        "/judge",
        false,
        async (page) => {
          await page.getByRole("article").first().waitFor();
          await page.keyboard.press("ArrowLeft");
        },
      ],
      [`/agents/${pushed}?tab=settings`, true, (page) => page.getByRole("button", { name: "Deactivate" }).click()],
      [
        `/agents/${pushed}?tab=settings`,
        true,
        (page) => page.getByRole("button", { name: "Replace the secret" }).click(),
      ],
      ["/account", true, (page) => page.getByRole("button", { name: /^Delete/ }).click()],
    ];
    for (const [path, isOwn, act] of states) {
      const visit = { colorScheme: "light", bypassCSP: true, ...(isOwn ? { apiKey: owner() } : {}) } as const;
      const { page, close } = await site().visit(path, visit);
      await settle(page);
      await act(page);
      await page.locator("[role=dialog], [role=alertdialog]").or(page.getByText("You chose A.")).first().waitFor();
      await page.addScriptTag({ content: axe });
      for (const theme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: theme });
        await page.locator(`html[data-theme=${theme}]`).waitFor();
        await transitioned(page);
        expect([path, act.toString(), theme, await objections(page)]).toEqual([path, act.toString(), theme, []]);
      }
      await close();
    }
  }, 120_000);

  it("answers an address of nothing with 404 and a page that says so", async () => {
    for (const path of [
      "/nothing",
      "/agents/999999",
      "/agents/x",
      "/battles/999999",
      "/prompts/999999",
      "/docs/nothing",
      "/docs/api/nothing",
      "/runs/nothing",
      "/runs/00000000-0000-4000-8000-000000000000",
      "/agents/999999/activate",
    ]) {
      const answer = await fetch(site().web.url + path, { headers: { accept: "text/html" } });
      expect([path, answer.status]).toEqual([path, 404]);
      const { page, close } = await site().visit(path);
      await page.getByText("404").waitFor();
      await close();
    }
  }, 60_000);
});

/** Waits until colours are no longer on their way from one theme to the other. */
async function transitioned(page: Page): Promise<void> {
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter((each) => each instanceof CSSTransition).map((each) => each.finished))`);
}

/** What axe finds wrong with the page as it is shown now. */
async function objections(page: Page): Promise<string[]> {
  const violations = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)",
  )) as Violation[];
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`));
}

/** The widths at which the page would scroll sideways. */
async function tooWide(page: Page): Promise<number[]> {
  const wrong: number[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const over = await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() =>
      resolve(document.documentElement.scrollWidth - document.documentElement.clientWidth))))`);
    if (over !== 0) wrong.push(width);
  }
  return wrong;
}

/** What Tab reaches from the top of the page without being seen to. */
async function withoutFocusMark(page: Page): Promise<string[]> {
  const wrong: string[] = [];
  for (let step = 0; step < TABS; step += 1) {
    await page.keyboard.press("Tab");
    const [name, isShown] = (await page.evaluate(`(() => {
      const at = document.activeElement;
      if (at === null || at === document.body) return ["", true];
      const shown = (each) => {
        const style = each === null ? undefined : getComputedStyle(each);
        return style !== undefined && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
      };
      // A link that covers its row shows it on the row.
      return [at.outerHTML.slice(0, 160), shown(at) || shown(at.closest("[role=row], li, label"))];
    })()`)) as [string, boolean];
    if (!isShown) wrong.push(name);
    if (name === "") break;
  }
  return wrong;
}
