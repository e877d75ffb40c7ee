import { findChromium, launch } from "../test/support/browser.ts";
import { playCompetition, startWebArena } from "../test/support/world.ts";

/**
 * How fast the pages are in a browser on this machine: the leaderboard with many agents and votes, and the next battle
 * after a vote. Figures to read, not to assert: they are the machine's as much as the pages'.
 */
const AGENTS = 1_000;
const VOTES = 100_000;
const ROUNDS = 7;

const executable = findChromium();
if (executable === undefined) throw new Error("no chromium is found; install it, or name one by AGON_TEST_CHROMIUM");
const web = await startWebArena({ votesToClose: 1_000 });
await playCompetition(web, { rounds: 4, judges: 1, agents: 5 });
await fill();
const browser = await launch(executable);
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
context.setDefaultTimeout(20_000);
await context.request.post(`${web.url}/api/session`, { data: { api_key: await web.register() } });

const board: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const page = await context.newPage();
  // From the beginning of the navigation to the first row that can be pressed, by the page's own clock.
  await page.addInitScript(`new MutationObserver((_, self) => {
    if (document.querySelector("[role=row] a") === null) return;
    self.disconnect();
    requestAnimationFrame(() => { window.usable = performance.now(); });
  }).observe(document, { childList: true, subtree: true });`);
  await page.goto(`${web.url}/`);
  await page.waitForFunction("window.usable !== undefined");
  board.push((await page.evaluate("window.usable")) as number);
  await page.close();
}

const scroll = await context.newPage();
await scroll.goto(`${web.url}/`);
await scroll.getByRole("row").nth(2).waitFor();
const rows = (await scroll.evaluate("document.querySelectorAll('[role=row]').length")) as number;
const total = await scroll.getByRole("table").getAttribute("aria-rowcount");
await scroll.close();

const page = await context.newPage();
await page.goto(`${web.url}/judge`);
const next: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  await page.getByRole("article").first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("ArrowLeft");
  await page.getByText("You chose A.").waitFor();
  // From the key to the frame in which the next pair can be voted on.
  await page.evaluate(`window.shown = new Promise((resolve) => addEventListener("keydown", (event) => {
    const began = event.timeStamp;
    new MutationObserver((_, self) => {
      if (![...document.querySelectorAll("button")].some((each) => each.textContent.startsWith("A is better"))) return;
      self.disconnect();
      requestAnimationFrame(() => resolve(performance.now() - began));
    }).observe(document, { childList: true, subtree: true });
  }, { once: true, capture: true })); 0`);
  await page.keyboard.press("Space");
  next.push((await page.evaluate("window.shown")) as number);
}
await browser.close();
console.log(
  `leaderboard, ${AGENTS} agents and ${VOTES} votes: usable after ${summary(board)}; ${rows} of ${total} rows exist`,
);
console.log(`next battle after a vote: ${summary(next)}`);
process.exit();

function summary(values: number[]): string {
  const sorted = [...values].sort((a, b) => a - b).map(Math.round);
  return `${sorted[Math.floor(sorted.length / 2)]} ms (${sorted[0]} to ${sorted.at(-1)} ms in ${sorted.length} rounds)`;
}

/** Agents and votes as a long competition leaves them, written straight into the database. */
async function fill() {
  const run = (text: string, params: unknown[] = []) =>
    web.db.run({ name: `fill ${text.length} ${text.slice(0, 40)}`, text }, params);
  const [at] = (await run(
    "select max(id)::int as agent, (select max(id)::int from prompts) as prompt, (select coalesce(max(number), 0)::int from votes) as vote from agents",
  )) as { agent: number; prompt: number; vote: number }[];
  if (at === undefined) throw new Error("there is no agent to copy");
  await run(`insert into accounts (username, created_at) select 'filler-' || g, now() from generate_series(1, $1) g`, [
    AGENTS,
  ]);
  await run(
    `insert into agents (account_id, name, transport, dialect, owner_handle, secret_sealed, secret_hash, created_at, gym_completed_at)
     select (select min(id) from accounts where username like 'filler-%') + g - 1, 'agent number ' || g, 'pull', 'tesserax', 'filler', '', 'hash ' || g, now(), now()
     from generate_series(1, $1) g`,
    [AGENTS],
  );
  await run(
    `insert into prompts (kind, prompt, category, created_at, opened_at, closed_at) select 'main', 'Prompt ' || g, 'filler', now(), now(), now() from generate_series(1, 500) g`,
  );
  await run(
    `insert into battles (prompt_id, answer_a, answer_b, agent_a, agent_b, judged_by, votes, created_at, decided_at)
     select $3 + 1 + g % 500, 10000000 + g * 2, 10000001 + g * 2, $2 + 1 + g % $1, $2 + 1 + (g * 7 + g / $1 + 1) % $1, 'people', 1, now(), now()
     from generate_series(1, ${VOTES}) g`,
    [AGENTS, at.agent, at.prompt],
  );
  await run(
    `insert into votes (number, battle_id, judge_kind, judge_id, outcome, agent_a, agent_b, category, counted, cast_at, elo_a, elo_b)
     select $1 + row_number() over (order by id), id, 'account', 'filler', (array['a', 'b', 'tie', 'both_bad'])[1 + id % 4], agent_a, agent_b, 'filler', true, now(),
       1500 + 200 * sin(agent_a) + 30 * sin(id), 1500 + 200 * sin(agent_b) + 30 * cos(id)
     from battles where answer_a >= 10000000`,
    [at.vote],
  );
  await run(`update counters set value = (select max(number) from votes) where name = 'votes'`);
  await run(
    `insert into standings (agent_id, category, elo, battles, wins, losses, ties, both_bad)
     select id, '', 1500 + 200 * sin(id), 200, 50, 50, 50, 50 from agents where name like 'agent number %'`,
  );
  await run("analyze");
}
