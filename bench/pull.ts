import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { Pool } from "undici";
import { startThrowawayPostgres } from "../packages/arena/test/support/throwaway-postgres.ts";
import { freePort, startServer } from "../scripts/drills/server-process.ts";
import { type BenchOptions, type Contestant, hold, type Report, rate, type Standing } from "./contest.ts";
import { graphileWorkerPeers } from "./peer-graphile-worker.ts";
import { pgBossPeers } from "./peer-pg-boss.ts";

const AGENTS = 500;
const PROMPTS = 1_000;
/** Requests under way at once, the same for every contestant. */
const IN_FLIGHT = 256;
const ADMIN_KEY = "admin-key-of-the-benchmark";
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
    const databases = await createDatabases(postgres.url, ["arena", "graphile", "boss"]);
    const arena = await startArena(databases.arena as string, options.profile, stops);
    const bare = await startBare(stops);
    const graphile = await graphileWorkerPeers(databases.graphile as string, IN_FLIGHT);
    const boss = await pgBossPeers(databases.boss as string, IN_FLIGHT);
    stops.push(graphile.stop, boss.stop);
    const standings = await hold(
      options.profile === undefined
        ? [bare, arena, graphile.single, boss.single, graphile.batched, boss.batched]
        : [bare, arena],
      options,
    );
    return toReport(standings);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

function toReport(standings: Standing[]): Report {
  const median = (name: string) => standings.find((each) => each.name === name)?.median ?? Number.NaN;
  const peer = Math.max(median("graphile-worker, one at a time"), median("pg-boss, one at a time"));
  return {
    bench: `pull: next + result, ${AGENTS} agents, ${PROMPTS} prompts, durable PostgreSQL, ${IN_FLIGHT} in flight`,
    ratios: [
      { name: "of the bare server", value: median("agon") / median("bare node:http"), goal: 0.3 },
      { name: "times the better peer, one job at a time", value: median("agon") / peer, goal: 5 },
    ],
    standings,
    notes: ["figures are cycles a second: median (least to most) of the rounds"],
  };
}

async function createDatabases(url: string, names: string[]): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const urls: Record<string, string> = {};
  for (const name of names) {
    await client.query(`create database ${name}`);
    const own = new URL(url);
    own.pathname = `/${name}`;
    urls[name] = own.href;
  }
  await client.end();
  return urls;
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
  url: string,
  profile: string | undefined,
  stops: (() => Promise<unknown>)[],
): Promise<Contestant> {
  const port = await freePort();
  const server = await startServer(port, ["--database-url", url, "--empty"], {
    AGON_SECRET_KEY: "the benchmark's key for sealing secrets",
    AGON_ADMIN_KEY: ADMIN_KEY,
    AGON_REGISTRATIONS_PER_HOUR: "0",
    AGON_LOG_LEVEL: "error",
    NODE_ENV: "production",
    ...(profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` }),
  });
  stops.push(() => server.stop());
  const pool = new Pool(server.url, { connections: IN_FLIGHT });
  stops.push(() => pool.destroy());
  const agents = await registerAgents(pool);
  await addPrompts(pool, 0);
  let added = 1;
  let next = 0;
  let cycles = 0;
  return {
    name: "agon",
    async run(seconds) {
      const before = cycles;
      const perSecond = await rate(seconds, IN_FLIGHT, async () => {
        // Each agent works alone, as runners do; the loops share the agents out among them.
        const agent = agents[next++ % agents.length] as Agent;
        await cycle(pool, agent);
        cycles += 1;
      });
      // The pool must not run dry in a round: an agent that has seen everything would only be told so.
      if ((cycles + (cycles - before) * 2) / AGENTS > added * PROMPTS) await addPrompts(pool, added++);
      return perSecond;
    },
  };
}

async function registerAgents(pool: Pool): Promise<Agent[]> {
  const agents: Agent[] = [];
  for (let index = 0; index < AGENTS; index += 1) {
    const account = (await call(pool, "POST", "/api/register")) as { api_key: string };
    const headers = { authorization: `Bearer ${account.api_key}` };
    const made = (await call(pool, "POST", "/api/agents", headers, { name: `bench ${index}`, mode: "pull" })) as {
      id: number;
      webhook_secret: string;
    };
    agents.push({ id: made.id, secret: made.webhook_secret });
  }
  return agents;
}

async function addPrompts(pool: Pool, batch: number): Promise<void> {
  const prompts = Array.from({ length: PROMPTS }, (_, index) => ({
    external_id: `bench-${batch}-${index}`,
    prompt: `How much is ${index} + ${batch}? Answer with the number.`,
    category: "bench",
  }));
  await call(pool, "POST", "/api/admin/prompts", { authorization: `Bearer ${ADMIN_KEY}` }, prompts);
}

async function call(
  pool: Pool,
  method: "POST",
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<unknown> {
  const answer = await pool.request({
    method,
    path,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${await answer.body.text()}`);
  return answer.body.json();
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
