import { ADMIN_KEY } from "../../arena/test/support/test-arena.ts";
import { startWebhook } from "../../arena/test/support/webhook.ts";
import { MATERIAL } from "../test/support/content.ts";
import { activateSigned, runToEnd, startSigned } from "../test/support/signed.ts";
import { createChance, type Player, type WebArena } from "../test/support/world.ts";

/** Beside the first player an agent that is called and answers badly, and one whose runner never came. */
export async function addOwnersAgents(arena: WebArena, all: readonly Player[]) {
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
export async function addRuns(arena: WebArena, apiKey: string) {
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
export async function addDesk(arena: WebArena) {
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
