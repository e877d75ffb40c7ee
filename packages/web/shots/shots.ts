import { mkdirSync, rmSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { ADMIN_KEY } from "../../arena/test/support/test-arena.ts";
import { findChromium, launch } from "../test/support/browser.ts";
import { playCompetition, startWebArena } from "../test/support/world.ts";
import { addDesk, addOwnersAgents, addRuns } from "./shown-world.ts";

/**
 * Pictures of every page in both themes and two widths, for somebody to look at one by one. `npm run shots -- judge`
 * makes those whose name holds the word.
 */
const FOLDER = new URL("../../../node_modules/.cache/shots/", import.meta.url).pathname;
const only = process.argv[2] ?? "";
const WIDTHS = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const THEMES = ["light", "dark"] as const;

interface Shot {
  name: string;
  path: string;
  /** Whose session it is seen in; undefined: a visitor's. */
  as?: "owner" | "novice" | "operator";
  prepare?: (page: Page) => Promise<unknown>;
}

const executable = findChromium();
if (executable === undefined) throw new Error("no chromium is found; install it, or name one by AGON_TEST_CHROMIUM");
// Those of other pages stay: somebody may be looking at them.
if (only === "") rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });

const web = await startWebArena({ votesToClose: 2 });
const empty = await startWebArena({});
const players = await playCompetition(web, { rounds: 3, judges: 5 });
const { owner, broken, delivery, waiting } = await addOwnersAgents(web, players);
const novice = await web.register();
const { signed, lax, run, cancelled } = await addRuns(web, owner);
await addDesk(web);
const browser = await launch(executable);

const shots: Shot[] = [
  { name: "ladder", path: "/" },
  { name: "ladder-category", path: "/?category=code" },
  { name: "judge", path: "/judge", as: "novice", prepare: (page) => page.getByRole("article").first().waitFor() },
  {
    name: "judge-revealed",
    path: "/judge",
    as: "novice",
    async prepare(page) {
      await page.getByRole("article").first().waitFor();
      await page.keyboard.press("ArrowLeft");
      await page.getByText("You chose A.").waitFor();
    },
  },
  {
    name: "judge-report",
    path: "/judge",
    as: "novice",
    prepare: (page) => page.getByRole("button", { name: "Report answer A" }).click(),
  },
  { name: "agent", path: `/agents/${players[0]?.id}` },
  { name: "agent-long-name", path: `/agents/${players[7]?.id}` },
  {
    name: "agent-answers",
    path: `/agents/${players[0]?.id}?tab=answers`,
    prepare: (page) => page.locator("summary").first().click(),
  },
  { name: "agent-rating", path: `/agents/${players[2]?.id}?tab=rating` },
  { name: "ratings", path: "/ratings" },
  {
    name: "ratings-cell",
    path: "/ratings?category=code&top=10",
    async prepare(page) {
      await page.locator("[data-cell='0 1']").focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
    },
  },
  { name: "agent-own", path: `/agents/${broken}`, as: "owner" },
  { name: "agent-work", path: `/agents/${broken}?tab=work`, as: "owner" },
  { name: "agent-deliveries", path: `/agents/${broken}?tab=deliveries&delivery=${delivery}`, as: "owner" },
  { name: "agent-settings", path: `/agents/${broken}?tab=settings`, as: "owner" },
  { name: "connect-visitor", path: "/connect" },
  { name: "connect-form", path: "/connect", as: "owner" },
  { name: "connect-pull", path: `/connect?agent=${waiting}`, as: "owner" },
  { name: "connect-push", path: `/connect?agent=${broken}`, as: "owner" },
  { name: "signed-try", path: "/connect/signed", as: "owner", prepare: tryBroken },
  { name: "signed-activate", path: `/agents/${lax}/activate`, as: "owner" },
  {
    name: "signed-exchange",
    path: `/agents/${lax}/activate`,
    as: "owner",
    prepare: (page) => page.getByText("What was sent, what came back").last().click(),
  },
  { name: "signed-active", path: `/agents/${signed}/activate`, as: "owner" },
  {
    name: "signed-agent",
    path: `/agents/${signed}`,
    as: "owner",
    prepare: (page) => page.getByText("behind it").first().click(),
  },
  { name: "runs-list", path: "/runs" },
  { name: "runs-new", path: "/runs/new", as: "owner" },
  { name: "runs-new-visitor", path: "/runs/new" },
  {
    name: "runs-done",
    path: `/runs/${run}`,
    prepare: (page) => page.getByText("How each number came about").first().click(),
  },
  { name: "runs-open", path: "/runs/new", as: "novice", prepare: startOne },
  { name: "runs-cancelled", path: `/runs/${cancelled}` },
  { name: "battles", path: "/battles" },
  { name: "battle", path: "/battles/1" },
  { name: "prompts", path: "/prompts" },
  { name: "prompt", path: "/prompts/4" },
  { name: "account", path: "/account", as: "owner" },
  { name: "account-sign-in", path: "/account" },
  { name: "operator-gate", path: "/operator" },
  { name: "operator-overview", path: "/operator", as: "operator" },
  { name: "operator-overview-day", path: "/operator?span=day", as: "operator" },
  { name: "operator-agents", path: "/operator/agents", as: "operator" },
  {
    name: "operator-agents-suspend",
    path: "/operator/agents",
    as: "operator",
    prepare: (page) =>
      page
        .getByRole("button", { name: /^Suspend/ })
        .first()
        .click(),
  },
  { name: "operator-accounts", path: "/operator/accounts", as: "operator" },
  {
    name: "operator-accounts-key",
    path: "/operator/accounts",
    as: "operator",
    prepare: (page) =>
      page
        .getByRole("button", { name: /^Replace keys/ })
        .first()
        .click(),
  },
  { name: "operator-prompts", path: "/operator/prompts", as: "operator" },
  { name: "operator-prompt", path: "/operator/prompts/4", as: "operator" },
  { name: "operator-import", path: "/operator/prompts/import", as: "operator" },
  {
    name: "operator-import-broken",
    path: "/operator/prompts/import",
    as: "operator",
    prepare: (page) => choosePrompts(page, '{"prompt": "What?"}\nWhat is 1 + 1?\n{"prompt": "", "category": "x"}'),
  },
  {
    name: "operator-import-good",
    path: "/operator/prompts/import",
    as: "operator",
    prepare: (page) =>
      choosePrompts(page, '{"prompt": "What is 1 + 1?", "category": "sums"}\n{"prompt": "Sing.", "category": "art"}'),
  },
  { name: "operator-rulings", path: "/operator/rulings?about=answer&id=12", as: "operator" },
  {
    name: "operator-rulings-preview",
    path: `/operator/rulings?about=agent&id=${players[0]?.id}`,
    as: "operator",
    async prepare(page) {
      await page.getByRole("button", { name: "See what would move" }).click();
      await page.getByRole("region", { name: "Preview" }).waitFor();
    },
  },
  { name: "operator-reports", path: "/operator/reports", as: "operator" },
  { name: "docs", path: "/docs" },
  { name: "guide", path: "/docs/judging" },
  {
    name: "docs-search",
    path: "/docs/ratings",
    async prepare(page) {
      await page.keyboard.press("/");
      await page.keyboard.type("head to hed");
      await page.getByRole("option").first().waitFor();
    },
  },
  { name: "docs-reference", path: "/docs/api" },
  { name: "docs-area", path: "/docs/api/runs" },
  { name: "missing", path: "/nothing/here" },
  { name: "keys", path: "/", prepare: (page) => page.keyboard.press("?") },
  {
    name: "menu",
    path: "/",
    prepare: (page) =>
      page
        .getByRole("button", { name: "Menu" })
        .click({ timeout: 1_500 })
        .catch(() => {}),
  },
  {
    name: "offline",
    path: "/",
    async prepare(page) {
      await page.getByRole("table").waitFor();
      await page.context().setOffline(true);
      await page.getByText("cannot be reached").first().waitFor();
    },
  },
];

for (const [widthName, viewport] of Object.entries(WIDTHS)) {
  for (const theme of THEMES) {
    for (const shot of shots) {
      if (!shot.name.includes(only)) continue;
      await take(web.url, shot, `${shot.name}-${widthName}-${theme}`, viewport, theme);
    }
    for (const [name, path] of [
      ["empty-ladder", "/"],
      ["empty-judge", "/judge"],
      ["empty-ratings", "/ratings"],
      ["empty-battles", "/battles"],
      ["empty-runs", "/runs"],
    ] as const) {
      if (name.includes(only)) await take(empty.url, { name, path }, `${name}-${widthName}-${theme}`, viewport, theme);
    }
  }
}
await browser.close();
await web.stop();
await empty.stop();
console.log(`pictures are in ${FOLDER}`);
process.exit();

async function take(
  url: string,
  shot: Shot,
  file: string,
  viewport: { width: number; height: number },
  theme: "light" | "dark",
) {
  const context = await open(browser, viewport, theme);
  if (shot.as !== undefined) await signIn(context, url, { owner, novice, operator: ADMIN_KEY }[shot.as]);
  const page = await context.newPage();
  page.setDefaultTimeout(8_000);
  page.on("pageerror", (error) => console.error(`${file}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") console.error(`${file}: ${message.text()}`);
  });
  await page.goto(url + shot.path);
  await page.waitForLoadState("networkidle").catch(() => {});
  await Promise.resolve(shot.prepare?.(page)).catch((error) =>
    console.error(`${file}: ${error.message.split("\n")[0]}`),
  );
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(250);
  await page.screenshot({
    path: `${FOLDER}${file}.png`,
    animations: "disabled",
    fullPage: !/judge|keys|menu|offline/.test(shot.name),
  });
  await context.close();
}

function open(
  on: Browser,
  viewport: { width: number; height: number },
  theme: "light" | "dark",
): Promise<BrowserContext> {
  return on.newContext({ viewport, colorScheme: theme, deviceScaleFactor: 1 });
}

async function choosePrompts(page: Page, text: string) {
  const file = { name: "prompts.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(text) };
  await page.getByLabel("Choose a file with prompts").setInputFiles(file);
  await page.getByRole("heading", { name: "prompts.jsonl" }).waitFor();
}

async function signIn(context: BrowserContext, url: string, apiKey: string) {
  await context.request.post(`${url}/api/session`, { data: { api_key: apiKey } });
}

async function tryBroken(page: Page) {
  await page.getByLabel("URL", { exact: true }).fill(`${web.url}/nothing/here`);
  await page.getByRole("button", { name: "Try it" }).click();
  await page.locator("li[data-state=failed]").waitFor();
  await page.getByText("What was sent, what came back").last().click();
}

async function startOne(page: Page) {
  await page.getByLabel("Goal", { exact: true }).fill("Find a way to teach fractions to children who hate numbers.");
  await page.getByRole("button", { name: "Start the run" }).click();
  await page.waitForURL(/runs\/[0-9a-f-]{36}/);
  await page.getByRole("heading", { name: "Verify" }).waitFor();
}
