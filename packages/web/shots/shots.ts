import { mkdirSync, rmSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { ADMIN_KEY } from "../../arena/test/support/test-arena.ts";
import { startWebhook } from "../../arena/test/support/webhook.ts";
import { findChromium, launch } from "../test/support/browser.ts";
import { MATERIAL } from "../test/support/content.ts";
import { activateSigned, runToEnd, startSigned } from "../test/support/signed.ts";
import { createChance, type Player, playCompetition, startWebArena, type WebArena } from "../test/support/world.ts";

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

/** Beside the first player an agent that is called and answers badly, and one whose runner never came. */
async function addOwnersAgents(arena: WebArena, all: readonly Player[]) {
  const apiKey = all[0]?.apiKey as string;
  let isBroken = false;
  const webhook = await startWebhook((_push, response) => {
    response.writeHead(isBroken ? 500 : 200, { "content-type": "application/json" });
    response.end(
      isBroken
        ? JSON.stringify({ error: "model quota exceeded", hint: "raise the limit" })
        : JSON.stringify({ response: "ok" }),
    );
  });
  const made = await arena.addAgent(apiKey, {
    name: "night shift",
    mode: "push",
    webhook_url: webhook.url,
    model_claimed: "gpt-5.1-mini",
  });
  isBroken = true;
  const bearer = { authorization: `Bearer ${apiKey}` };
  await arena.arena.app.inject({ method: "POST", url: `/api/agents/${made.id}/test-task`, headers: bearer });
  await arena.arena.app.inject({ method: "POST", url: `/api/agents/${made.id}/retest`, headers: bearer });
  const list = await arena.arena.app.inject({ url: `/api/agents/${made.id}/deliveries`, headers: bearer });
  const silent = await arena.addAgent(apiKey, { name: "not begun yet", mode: "pull" });
  await arena.addPrompts(
    "main",
    MATERIAL.map(({ prompt, category }) => ({ prompt: `${prompt} Take your time.`, category })),
  );
  for (const player of all.slice(0, 6)) {
    await arena.work(player, (prompt) => {
      const material = MATERIAL.find((each) => prompt.startsWith(each.prompt));
      return `${material?.answers[player.id % 3] ?? "Hello."}${" ".repeat(player.id)}`;
    });
  }
  await arena.arena.passes.judge();
  return { owner: apiKey, broken: made.id, delivery: list.json().items[0].id as number, waiting: silent.id };
}

/** A run that was done by the house, one that was cancelled, and two signed agents: one is active, one takes anything. */
async function addRuns(arena: WebArena, apiKey: string) {
  const [good, other] = [await startSigned(), await startSigned()];
  other.checks = false;
  const active = await activateSigned(arena, apiKey, good, "scout of the line", ["SCOUT", "BUILDER", "ANALYST"]);
  const refused = await activateSigned(arena, apiKey, other, "takes anything", ["SCOUT", "ANALYST"]);
  const done = await runToEnd(arena, apiKey, {
    goal: "Find a promising SaaS niche for a solo founder.",
    critics_per_candidate: 2,
  });
  const second = await runToEnd(arena, apiKey, {
    goal: "Find a local service that two people can start in a month.",
    builders_per_candidate: 0,
    verifiers_per_candidate: 0,
    critics_per_candidate: 0,
  });
  const headers = { authorization: `Bearer ${apiKey}` };
  const payload = { goal: `What would ${"a long and rambling goal ".repeat(30)} be?`, launchpad: "make-money" };
  const made = await arena.arena.app.inject({ method: "POST", url: "/api/runs", headers, payload });
  await arena.arena.app.inject({ method: "POST", url: `/api/runs/${made.json().id}/cancel`, headers });
  const now = Date.now();
  for (let hour = 3; hour < 150; hour += 1) {
    if (hour % 37 === 5) continue;
    const isOk = hour < 60 || hour > 71;
    await arena.db.run(
      {
        name: "shots-health",
        text: "insert into health_checks (agent_id, kind, at, ok, detail) values ($1, 'health', $2, $3, '')",
      },
      [active, new Date(now - hour * 3_600_000).toISOString(), isOk],
    );
  }
  console.log(`runs ${done} and ${second}`);
  return { signed: active, lax: refused, run: done, cancelled: made.json().id as string };
}

/** A day of tasks of nobody's agent, so that no other page shows them, and what an operator finds and did. */
async function addDesk(arena: WebArena) {
  const chance = createChance(11);
  const now = Date.now();
  const causes = ["timeout", "error", "error", "invalid", "unreachable", "arena"] as const;
  const ended = Array.from({ length: 2_400 }, () => {
    const at = now - (chance() < 0.3 ? chance() * 3_600_000 : chance() * 86_400_000);
    const cause = chance() < 0.12 ? (causes[Math.floor(chance() * causes.length)] as string) : null;
    return { at, ms: 300 + 9_000 * chance() ** 4 + (at > now - 900_000 ? 2_500 : 0), cause };
  }).sort((a, b) => a.at - b.at);
  await arena.db.run(
    {
      name: "shots-tasks",
      text: `insert into tasks (uuid, agent_id, kind, state, cause, deadline_seconds, inserted_at, started_at, finished_at)
        select gen_random_uuid(), 0, 'gym', case when cause is null then 'completed' when cause = 'timeout' then 'timeout' else 'failed' end,
          cause, 300, at - make_interval(secs => ms / 1000), at - make_interval(secs => ms / 1000), at
        from unnest($1::timestamptz[], $2::float8[], $3::text[]) as i(at, ms, cause)`,
    },
    [
      ended.map((each) => new Date(each.at).toISOString()),
      ended.map((each) => each.ms),
      ended.map((each) => each.cause),
    ],
  );
  const answers = await arena.db.run<{ id: number }>(
    { name: "shots-answers", text: "select id from tasks where votable order by id limit 4" },
    [],
  );
  const words = ["It advertises a shop in its last line.", null, "Says which model it is, twice.", null];
  for (const [index, { id }] of answers.entries()) {
    await arena.db.run(
      {
        name: "shots-report",
        text: `insert into reports (presentation_id, answer_id, judge_kind, judge_id, reason, comment, created_at)
          values (gen_random_uuid(), $1, $2, '1', $3, $4, $5)`,
      },
      [
        id,
        index % 2 === 0 ? "account" : "anonymous",
        ["spam", "harm", "names_itself", "spam"][index],
        words[index],
        new Date(now - index * 4_000_000).toISOString(),
      ],
    );
  }
  await arena.db.run(
    {
      name: "shots-unknown",
      text: "insert into unknown_gates (answer_id, gate, detail, found_at) values ($1, 'check', $2, $3)",
    },
    [answers[0]?.id, "could not be judged: the pattern is not linear", new Date(now - 7_200_000).toISOString()],
  );
  const spammer = await arena.register();
  const { id } = await arena.addAgent(spammer, { name: "buy-now-bot", mode: "pull" });
  const asOperator = async (method: "GET" | "POST", path: string, payload?: object) => {
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    const answer = await arena.arena.app.inject({
      method,
      url: `/api/admin/${path}`,
      headers,
      ...(payload && { payload }),
    });
    if (answer.statusCode >= 300) throw new Error(answer.body);
    return answer.json();
  };
  await asOperator("POST", `agents/${id}/suspend`, { reason: "Each answer ends with the address of a shop." });
  const banned = await asOperator("POST", "accounts", { username: "eleven-accounts" });
  await asOperator("POST", `accounts/${banned.user_id}/ban`);
  const choice = { numbers: [1, 2] };
  const { ruling_id } = await asOperator("POST", "rulings", {
    kind: "void",
    choice,
    reason: "Cast by a script.",
    apply: true,
  });
  const back = { kind: "release", choice: { ruling_id }, reason: "It was a person after all.", apply: true };
  await asOperator("POST", "rulings", back);
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
