import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { startThrowawayPostgres } from "../packages/arena/test/support/throwaway-postgres.ts";
import { freePort } from "../scripts/drills/server-process.ts";
import { startArenaProcess } from "./arena-process.ts";
import { type BenchOptions, type Contestant, hold, type Report, rate, type Standing } from "./contest.ts";
import { createDatabases } from "./databases.ts";
import { graphileWorkerPeers } from "./peer-graphile-worker.ts";
import { pgBossPeers } from "./peer-pg-boss.ts";

const AGENTS = 500;
const PROMPTS = 1_000;
/** Requests under way at once, the same for every contestant: each agent's runner is at work. */
const IN_FLIGHT = AGENTS;
const response = JSON.stringify({ response: "42", latency_ms: 5 });

interface Agent {
  id: number;
  secret: string;
}

/** Pull cycles (next + result) on the real path, durable, beside a bare server and two job queues. */
export async function benchPull(options: BenchOptions): Promise<Report> {
  const postgres = await startThrowawayPostgres({ durable: true });
  const stops: (() => Promise<unknown>)[] = [() => postgres.stop()];
  try {
    const [arenaUrl, graphileUrl, bossUrl] = await createDatabases(postgres.url, 3);
    const arena = await startArena(arenaUrl as string, options.profile, stops);
    const bare = await startBare(stops);
    if (options.profile !== undefined) return toReport(await hold([bare, arena], options));
    const graphile = await graphileWorkerPeers(graphileUrl as string, IN_FLIGHT);
    const boss = await pgBossPeers(bossUrl as string, IN_FLIGHT);
    stops.push(graphile.stop, boss.stop);
    return toReport(await hold([bare, arena, graphile.single, boss.single, graphile.batched, boss.batched], options));
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

function toReport(standings: Standing[]): Report {
  const median = (name: string) => standings.find((each) => each.name === name)?.median ?? 0;
  const peer = Math.max(median("graphile-worker, one at a time"), median("pg-boss, one at a time"));
  return {
    bench: `pull: next + result, ${AGENTS} agents, ${PROMPTS} prompts, durable PostgreSQL, ${IN_FLIGHT} in flight`,
    ratios: [
      { name: "of the bare server", value: median("agon") / median("bare node:http"), goal: 0.3 },
      ...(peer > 0
        ? [{ name: "times the better peer, one job at a time", value: median("agon") / peer, goal: 5 }]
        : []),
    ],
    standings,
    notes: ["figures are cycles a second: median (least to most) of the rounds"],
  };
}

async function startBare(stops: (() => Promise<unknown>)[]): Promise<Contestant> {
  const port = await freePort();
  const child = fork(fileURLToPath(new URL("./bare-pull-server.ts", import.meta.url)), [String(port)]);
  await once(child, "message");
  stops.push(async () => {
    child.kill();
    await once(child, "exit");
  });
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: IN_FLIGHT });
  stops.push(() => pool.destroy());
  return {
    name: "bare node:http",
    run: (seconds) => rate(seconds, IN_FLIGHT, () => cycle(pool, { id: 1, secret: "whsec_x" })),
  };
}

async function startArena(
  databaseUrl: string,
  profile: string | undefined,
  stops: (() => Promise<unknown>)[],
): Promise<Contestant> {
  const arena = await startArenaProcess({ databaseUrl, connections: IN_FLIGHT, profile });
  stops.push(arena.stop);
  const agents = await arena.registerAgents(AGENTS, () => ({ mode: "pull" }));
  await arena.addPrompts(PROMPTS, 0);
  let added = 1;
  let cycles = 0;
  return {
    name: "agon",
    async run(seconds) {
      const before = cycles;
      const perSecond = await rate(seconds, IN_FLIGHT, async (worker) => {
        await cycle(arena.pool, agents[worker] as Agent);
        cycles += 1;
      });
      // The pool must not run dry in a round: an agent that has seen everything would only be told so.
      if ((cycles + (cycles - before) * 2) / AGENTS > added * PROMPTS) await arena.addPrompts(PROMPTS, added++);
      return perSecond;
    },
    settle: arena.quiet,
  };
}

/** What a runner does for one task: fetch it, answer it. */
async function cycle(pool: Pool, agent: Agent): Promise<void> {
  const headers = { "x-arena-secret": agent.secret };
  const next = await pool.request({ method: "GET", path: `/api/agents/${agent.id}/work/next?wait=5`, headers });
  if (next.statusCode !== 200) throw new Error(`a poll was answered ${next.statusCode} ${await next.body.text()}`);
  const work = (await next.body.json()) as { work_id: string };
  const result = await pool.request({
    method: "POST",
    path: `/api/agents/${agent.id}/work/${work.work_id}/result`,
    headers: { ...headers, "content-type": "application/json" },
    body: response,
  });
  const text = await result.body.text();
  if (result.statusCode !== 200) throw new Error(`a result was answered ${result.statusCode} ${text}`);
}
