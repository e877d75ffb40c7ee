import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { startThrowawayPostgres } from "../packages/arena/test/support/throwaway-postgres.ts";
import { freePort } from "../scripts/drills/server-process.ts";
import { startArenaProcess } from "./arena-process.ts";
import type { BenchOptions, Report } from "./contest.ts";
import { createDatabases } from "./databases.ts";
import { startEndpoint } from "./endpoint-process.ts";

/** Memory of polls that wait and of pushes under way, per connection, beside bare programs that hold the same sockets. */
export async function benchMemory(options: BenchOptions): Promise<Report> {
  const short = options.seconds < 5;
  const polls = short ? 1_000 : 5_000;
  const pushes = short ? 300 : 1_000;
  const parked = { agon: await parkAtArena(polls), bare: await parkAtBare(polls) };
  const flying = { agon: await pushFromArena(pushes), bare: await pushFromBare(pushes) };
  const kilobytes = (bytes: number, count: number) => `${(bytes / count / 1024).toFixed(1)} KB`;
  return {
    bench: `memory: ${polls} parked polls, ${pushes} pushes under way`,
    ratios: [
      { name: "a parked poll, of a held request of a bare server", value: parked.agon / parked.bare },
      { name: "a push under way, of a bare undici POST under way", value: flying.agon / flying.bare },
    ],
    standings: [],
    notes: [
      `a parked poll ${kilobytes(parked.agon, polls)}, bare ${kilobytes(parked.bare, polls)}`,
      `a push under way ${kilobytes(flying.agon, pushes)}, bare ${kilobytes(flying.bare, pushes)}`,
      "figures are growth of resident memory divided by the number",
    ],
  };
}

async function parkAtArena(count: number): Promise<number> {
  return withArena({}, count + 8, async (arena) => {
    const agents = await arena.registerAgents(50, () => ({ mode: "pull" }));
    const before = await arena.residentBytes();
    const pool = new Pool(arena.url, { connections: count, headersTimeout: 0 });
    const polls = Array.from({ length: count }, (_, index) => {
      const agent = agents[index % agents.length] as { id: number; secret: string };
      const headers = { "x-arena-secret": agent.secret };
      return pool
        .request({ method: "GET", path: `/api/agents/${agent.id}/work/next?wait=50`, headers })
        .catch(() => {});
    });
    while ((await arena.metric("agon_parked_polls")) < count) await delay(100);
    await delay(2_000);
    const after = await arena.residentBytes();
    await pool.destroy();
    await Promise.all(polls);
    return after - before;
  });
}

async function pushFromArena(count: number): Promise<number> {
  const endpoint = await startEndpoint();
  const env = {
    AGON_ALLOW_PRIVATE_ENDPOINTS: "true",
    AGON_PROBES_PER_MINUTE: "0",
    AGON_PROBES_PER_HOST_HOUR: "0",
  };
  try {
    return await withArena(env, 8, async (arena) => {
      endpoint.setOpen(false);
      await arena.registerAgents(count, () => ({ mode: "push", webhook_url: endpoint.url }));
      const before = await arena.residentBytes();
      await arena.addPrompts(50, 0);
      while ((await endpoint.counts()).waiting < count) await delay(50);
      await delay(2_000);
      const after = await arena.residentBytes();
      endpoint.setOpen(true);
      return after - before;
    });
  } finally {
    await endpoint.stop();
  }
}

export async function withArena<Result>(
  env: Record<string, string>,
  connections: number,
  use: (arena: Awaited<ReturnType<typeof startArenaProcess>>, databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  const postgres = await startThrowawayPostgres();
  const [databaseUrl] = await createDatabases(postgres.url, 1);
  const arena = await startArenaProcess({ databaseUrl: databaseUrl as string, connections, env });
  try {
    return await use(arena, databaseUrl as string);
  } finally {
    await arena.stop();
    await postgres.stop();
  }
}

async function parkAtBare(count: number): Promise<number> {
  const port = await freePort();
  const child = forkHolder("serve", port, count);
  await once(child, "message");
  const before = await askMemory(child);
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: count, headersTimeout: 0 });
  for (let index = 0; index < count; index += 1) pool.request({ method: "GET", path: "/" }).catch(() => {});
  await delay(4_000);
  const after = await askMemory(child);
  await pool.destroy();
  child.kill();
  return after - before;
}

export async function pushFromBare(count: number): Promise<number> {
  const endpoint = await startEndpoint();
  endpoint.setOpen(false);
  const child = forkHolder("post", Number(new URL(endpoint.url).port), count);
  await once(child, "message");
  const before = await askMemory(child);
  child.send("go");
  while ((await endpoint.counts()).waiting < count) await delay(50);
  await delay(2_000);
  const after = await askMemory(child);
  child.kill();
  await endpoint.stop();
  return after - before;
}

function forkHolder(mode: "serve" | "post", port: number, count: number): ChildProcess {
  return fork(fileURLToPath(new URL("./bare-holder.ts", import.meta.url)), [mode, String(port), String(count)]);
}

async function askMemory(child: ChildProcess): Promise<number> {
  child.send("memory");
  const [bytes] = await once(child, "message");
  return bytes as number;
}
