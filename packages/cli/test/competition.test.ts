import { existsSync } from "node:fs";
import { join } from "node:path";
import { runPull, serveWebhook } from "@agon/agent";
import { applyOutcome, type Outcome, START_ELO, type Standing } from "@agon/arena";
import { describe, expect, it } from "vitest";
import { ADMIN_KEY, type RealArena, startRealArena } from "./real-arena.ts";
import { createHome } from "./run-agon.ts";

const shared = process.env.AGON_SHARED ?? join(import.meta.dirname, "../../../../shared");
const sets = [join(shared, "data/prompts/mt_bench/question.jsonl"), join(shared, "data/prompts/gsm8k_test/test.jsonl")];
const hasSets = sets.every((path) => existsSync(path));
if (!hasSets) console.warn(`the public prompt sets are not at ${shared}: the competition on real prompts is skipped`);

const ANSWERS = 50;
const BATTLES_BY_PEOPLE = 10;

interface Owner {
  id: number;
  secret: string;
  apiKey: string;
}

async function call<Body>(url: string, init: RequestInit = {}): Promise<Body> {
  const answer = await fetch(url, init);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (answer.status === 204 ? undefined : await answer.json()) as Body;
}

async function register(arena: RealArena, fields: object): Promise<Owner> {
  const { api_key: apiKey } = await call<{ api_key: string }>(`${arena.baseUrl}/api/register`, { method: "POST" });
  const made = await call<{ id: number; webhook_secret: string }>(`${arena.baseUrl}/api/agents`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(fields),
  });
  return { id: made.id, secret: made.webhook_secret, apiKey };
}

describe.skipIf(!hasSets)("a competition on public prompt sets", () => {
  it("is answered on both transports, judged by checks and by people, and rated as its vote log says", async () => {
    await using arena = await startRealArena({
      pushGapSeconds: 0,
      allowPrivateEndpoints: true,
      registrationsPerHour: 0,
      votesPerHour: 0,
      passSeconds: 0.2,
    });
    using home = createHome();
    const env = { AGON_BASE_URL: arena.baseUrl, AGON_ADMIN_KEY: ADMIN_KEY };
    const imported = await home.run(["prompts", "import", ...sets, "--json"], env);
    expect(imported).toMatchObject({ code: 0, stderr: "" });
    expect((await arena.admin("/api/admin/prompts?limit=1")) as object).toMatchObject({ total: 80 + 1_319 });
    const again = await home.run(["prompts", "import", ...sets], env);
    expect(again.code).toBe(0);
    expect((await arena.admin("/api/admin/prompts?limit=1")) as object).toMatchObject({ total: 80 + 1_319 });

    await answerSome(arena);
    await voteSome(arena);

    const log = (await (await fetch(`${arena.baseUrl}/api/votes/export`)).text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { number: number; a: number; b: number; winner: Outcome; counted: boolean });
    expect(log.map((vote) => vote.number)).toEqual(log.map((_, index) => index + 1));
    expect(log.length).toBeGreaterThanOrEqual(BATTLES_BY_PEOPLE);
    const board = await call<{ items: Record<string, unknown>[] }>(`${arena.baseUrl}/api/leaderboard`);
    const shown = board.items
      .filter((item) => (item.battles as number) > 0)
      .map((item) => [(item.agent as { id: number }).id, item.elo, item.wins, item.losses, item.ties, item.both_bad]);
    expect(new Map(shown.map(([id, ...rest]) => [id, rest]))).toEqual(replay(log.filter((vote) => vote.counted)));
  }, 60_000);
});

/** Two pull agents and a pushed one, each of an owner of its own, until they have answered enough together. */
async function answerSome(arena: RealArena): Promise<void> {
  const stop = new AbortController();
  const done: string[] = [];
  const answer = (style: string) => async (work: { prompt: string }) => {
    done.push(style);
    if (done.length >= ANSWERS) stop.abort();
    return `${style}: ${work.prompt.length} characters, so the answer is ${work.prompt.length % 100}`;
  };
  let secret: string | undefined;
  const webhook = await serveWebhook({ secret: () => secret, answer: answer("pushed"), port: 0, signal: stop.signal });
  const pushed = await register(arena, { name: "pushed", webhook_url: `${webhook.url}/` });
  secret = pushed.secret;
  await call(`${arena.baseUrl}/api/agents/${pushed.id}/retest`, {
    method: "POST",
    headers: { authorization: `Bearer ${pushed.apiKey}` },
  });
  const runs = ["short", "long"].map(async (style) => {
    const agent = await register(arena, { name: `the ${style} one`, mode: "pull" });
    await runPull({
      baseUrl: arena.baseUrl,
      agentId: agent.id,
      secret: agent.secret,
      answer: answer(style),
      waitSeconds: 1,
      signal: stop.signal,
    });
  });
  await Promise.all([...runs, webhook.done]);
  expect(new Set(done)).toEqual(new Set(["pushed", "short", "long"]));
  expect(done.length).toBeGreaterThanOrEqual(ANSWERS);
}

/** Judges of their own accounts vote through the API until enough battles are decided by people. */
async function voteSome(arena: RealArena): Promise<void> {
  const choices = ["a", "b", "tie", "both_bad"];
  let votes = 0;
  for (let judge = 0; votes < BATTLES_BY_PEOPLE; judge += 1) {
    expect(judge).toBeLessThan(20);
    const { api_key } = await call<{ api_key: string }>(`${arena.baseUrl}/api/register`, { method: "POST" });
    const headers = { authorization: `Bearer ${api_key}` };
    for (let turn = 0; turn < 4 && votes < BATTLES_BY_PEOPLE; turn += 1) {
      const battle = await call<{ battle_id: string } | undefined>(`${arena.baseUrl}/api/judge/next`, { headers });
      if (battle === undefined) break;
      const choice = choices[votes % choices.length];
      const revealed = await call<{ counted: boolean }>(`${arena.baseUrl}/api/judge/${battle.battle_id}/vote`, {
        method: "POST",
        headers,
        body: JSON.stringify({ choice }),
      });
      if (revealed.counted) votes += 1;
    }
  }
}

function replay(log: readonly { a: number; b: number; winner: Outcome }[]) {
  const board = new Map<number, Standing>();
  const fresh: Standing = { elo: START_ELO, battles: 0, wins: 0, losses: 0, ties: 0, bothBad: 0 };
  for (const { a, b, winner } of log) {
    const [left, right] = applyOutcome(board.get(a) ?? fresh, board.get(b) ?? fresh, winner);
    board.set(a, left);
    board.set(b, right);
  }
  return new Map(
    [...board].map(([id, { elo, wins, losses, ties, bothBad }]) => [id, [elo, wins, losses, ties, bothBad]]),
  );
}
