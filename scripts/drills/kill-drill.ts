import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { startThrowawayPostgres } from "../../packages/arena/test/support/throwaway-postgres.ts";
import { freePort, type ServerProcess, startServer } from "./server-process.ts";

/**
 * Kills the server without warning in the middle of pull cycles, starts it again, and looks at what the database holds:
 * no acknowledged result may be missing or changed, no agent may have been given a prompt twice, and every task must be
 * terminal 12 s after its deadline. Talks to this machine's loopback only.
 */
const USAGE = "npm run drill -- [--short] [--database pglite|postgres|both] [--rounds 5]";
const AGENTS = 6;
const CYCLES = 300;
const DEADLINE_SECONDS = 10;
const TERMINAL_SECONDS = 12;

interface Agent {
  id: number;
  secret: string;
}

interface Ledger {
  cycles: number;
  /** Answers that the server said it recorded, by task id. */
  acknowledged: Map<number, string>;
  /** Which tasks brought an agent a prompt. */
  given: Map<string, Set<string>>;
  /** Outcomes that no client should see. */
  faults: string[];
}

interface TaskRow {
  id: number;
  agent_id: number;
  prompt_id: number;
  kind: string;
  state: string;
  response: string | null;
  overdue: boolean;
}

interface Place {
  name: string;
  args: string[];
  env: Record<string, string>;
  /** Rows of the database after the server has stopped. */
  query(sql: string): Promise<unknown[]>;
  remove(): Promise<void>;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      short: { type: "boolean", default: false },
      database: { type: "string", default: "both" },
      rounds: { type: "string" },
    },
  });
  if (!["pglite", "postgres", "both"].includes(values.database)) {
    console.error(USAGE);
    return 2;
  }
  const rounds = Number(values.rounds ?? (values.short ? 1 : 5));
  const server = values.database === "pglite" ? undefined : await startThrowawayPostgres();
  let failed = 0;
  try {
    for (let round = 1; round <= rounds; round += 1) {
      if (values.database !== "postgres") failed += await runRound(round, pglitePlace());
      if (server !== undefined) failed += await runRound(round, await postgresPlace(server.url));
    }
  } finally {
    await server?.stop();
  }
  console.log(failed === 0 ? "kill drill: nothing was lost" : `kill drill: ${failed} rounds failed`);
  return failed === 0 ? 0 : 1;
}

async function runRound(round: number, place: Place): Promise<number> {
  const port = await freePort();
  const env = {
    AGON_PROMPT_DEADLINE_SECONDS: String(DEADLINE_SECONDS),
    AGON_SLOWDOWN_SECONDS: "0",
    AGON_REGISTRATIONS_PER_HOUR: "0",
    AGON_ADMIN_KEY: "admin-key-of-the-kill-drill",
    AGON_LOG_LEVEL: "error",
    ...place.env,
  };
  const start = () => startServer(port, place.args, env);
  let server: ServerProcess = await start();
  try {
    const agents = await prepare(server.url);
    const ledger: Ledger = { cycles: 0, acknowledged: new Map(), given: new Map(), faults: [] };
    const stop = new AbortController();
    const runners = agents.map((agent) => runAgent(server.url, agent, ledger, stop.signal));

    const killAt = CYCLES * (0.3 + 0.4 * Math.random());
    await until(() => ledger.cycles >= killAt);
    await server.kill();
    const killedAfter = ledger.cycles;
    server = await start();
    await until(() => ledger.cycles >= CYCLES);
    stop.abort();
    await Promise.all(runners);
    await delay((DEADLINE_SECONDS + TERMINAL_SECONDS) * 1000);
    const code = await server.stop();
    const faults = [...ledger.faults, ...(await audit(place, ledger)), ...(code === 0 ? [] : [`exit code ${code}`])];
    const acknowledged = ledger.acknowledged.size;
    console.log(
      `${place.name} round ${round}: killed after ${killedAfter} of ${ledger.cycles} cycles, ${acknowledged} acknowledged: ${faults.length === 0 ? "good" : faults.join("; ")}`,
    );
    return faults.length === 0 ? 0 : 1;
  } finally {
    await server.kill();
    await place.remove();
  }
}

async function prepare(url: string): Promise<Agent[]> {
  const prompts = Array.from({ length: 400 }, (_, index) => ({
    external_id: `drill-${index}`,
    prompt: `How much is ${index} + 1?`,
    category: "drill",
    check: { kind: "number", value: index + 1 },
  }));
  await post(`${url}/api/admin/prompts`, prompts, { authorization: "Bearer admin-key-of-the-kill-drill" });
  const agents: Agent[] = [];
  for (let index = 0; index < AGENTS; index += 1) {
    const account = (await post(`${url}/api/register`, undefined)) as { api_key: string };
    const headers = { authorization: `Bearer ${account.api_key}` };
    const agent = (await post(`${url}/api/agents`, { name: `drill ${index}`, mode: "pull" }, headers)) as {
      id: number;
      webhook_secret: string;
    };
    agents.push({ id: agent.id, secret: agent.webhook_secret });
  }
  return agents;
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** A runner that keeps an answer until it is acknowledged, as a careful one does, and never gives up on the server. */
async function runAgent(base: string, agent: Agent, ledger: Ledger, signal: AbortSignal): Promise<void> {
  const url = `${base}/api/agents/${agent.id}/work`;
  const headers = { "x-arena-secret": agent.secret };
  while (!signal.aborted) {
    const next = await fetch(`${url}/next?wait=1`, { headers }).catch(() => undefined);
    if (next === undefined) {
      await delay(50);
      continue;
    }
    if (next.status === 204) continue;
    if (next.status !== 200) {
      ledger.faults.push(`a poll was answered ${next.status}`);
      return;
    }
    const work = (await next.json().catch(() => undefined)) as { work_id: string; prompt_id: string } | undefined;
    if (work === undefined) continue;
    note(ledger, agent, work);
    // The answer names the try: if the server kept another one than it acknowledged, the texts differ.
    const response = `answer ${randomUUID()}`;
    await submit(`${url}/${work.work_id}/result`, headers, work.work_id, response, ledger, signal);
    ledger.cycles += 1;
  }
}

function note(ledger: Ledger, agent: Agent, work: { work_id: string; prompt_id: string }): void {
  if (!work.work_id.startsWith("main-")) return;
  const key = `${agent.id} ${work.prompt_id}`;
  ledger.given.set(key, (ledger.given.get(key) ?? new Set()).add(work.work_id));
}

async function submit(
  url: string,
  headers: Record<string, string>,
  workId: string,
  response: string,
  ledger: Ledger,
  signal: AbortSignal,
): Promise<void> {
  const until = performance.now() + DEADLINE_SECONDS * 1000;
  while (performance.now() < until) {
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify({ response }) }).catch(
      () => undefined,
    );
    if (answer?.status === 200) {
      const body = (await answer.json().catch(() => undefined)) as { duplicate?: boolean } | undefined;
      if (body?.duplicate === true) ledger.faults.push(`${workId} kept another answer`);
      ledger.acknowledged.set(Number(workId.split("-")[1]), response);
      return;
    }
    if (answer !== undefined) {
      if (answer.status !== 409) ledger.faults.push(`${workId}'s result was answered ${answer.status}`);
      return;
    }
    if (signal.aborted) return;
    await delay(50);
  }
}

/** What the database holds against what the clients saw. */
async function audit(place: Place, ledger: Ledger): Promise<string[]> {
  const rows = (await place.query(
    `select id::int, agent_id, prompt_id, kind, state, response,
       state in ('queued', 'running') and started_at is not null as overdue from tasks order by id`,
  )) as TaskRow[];
  const byId = new Map(rows.map((row) => [row.id, row]));
  const faults: string[] = [];
  for (const [id, response] of ledger.acknowledged) {
    const row = byId.get(id);
    if (row?.state !== "completed" || row.response !== response) faults.push(`task ${id} lost its answer`);
  }
  for (const [key, tasks] of ledger.given) if (tasks.size > 1) faults.push(`${key} was given twice: ${[...tasks]}`);
  const handed = rows.filter((row) => row.kind === "main" && row.state !== "cancelled");
  if (new Set(handed.map((row) => `${row.agent_id} ${row.prompt_id}`)).size !== handed.length) {
    faults.push("the database holds a prompt twice for an agent");
  }
  for (const row of rows) if (row.overdue) faults.push(`task ${row.id} is still ${row.state}`);
  return faults;
}

async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 120_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error("the drill made no progress for two minutes");
    await delay(5);
  }
}

function pglitePlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), "agon-kill-drill-"));
  return {
    name: "embedded",
    args: ["--data", folder],
    env: {},
    async query(sql) {
      const db = await PGlite.create({ dataDir: join(folder, "database") });
      const { rows } = await db.query(sql);
      await db.close();
      return rows;
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function postgresPlace(serverUrl: string): Promise<Place> {
  const name = `drill_${randomUUID().replaceAll("-", "")}`;
  const ask = async (url: string, sql: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(sql).finally(() => client.end());
    return rows as unknown[];
  };
  await ask(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    name: "PostgreSQL",
    args: ["--database-url", url.href],
    env: { AGON_SECRET_KEY: "the kill drill's key for sealing secrets" },
    query: (sql) => ask(url.href, sql),
    remove: async () => void (await ask(serverUrl, `drop database ${name} with (force)`)),
  };
}

process.exitCode = await main();
