import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import { freePort, type ServerProcess, startServer } from "../scripts/drills/server-process.ts";

/** So many looks in a row that find less than this share of a core in use; between two spells of work lies a second. */
const QUIET_LOOKS = 5;
const QUIET_LOOK_MS = 300;
const QUIET_SHARE = 0.05;
const QUIET_MOST_MS = 180_000;

export const ADMIN_KEY = "admin-key-of-the-benchmark";

export interface ArenaProcess {
  url: string;
  /** A client with as many connections as requests may be under way. */
  pool: Pool;
  call(path: string, headers?: Record<string, string>, body?: unknown): Promise<unknown>;
  addPrompts(count: number, batch: number): Promise<void>;
  /** Registers agents, each of an owner of its own. */
  registerAgents(count: number, fields: (index: number) => object): Promise<{ id: number; secret: string }[]>;
  /** What it reports of itself under this name. */
  metric(name: string): Promise<number>;
  /** Resident memory in bytes, as the process reports it. */
  residentBytes(): Promise<number>;
  /** Waits until it has nothing to do: what a turn left behind, such as answers to be judged, would slow the next one. */
  quiet(): Promise<void>;
  stop(): Promise<void>;
}

/** An arena in a process of its own on a PostgreSQL database, set up as an operator would, without limits on set-up. */
export async function startArenaProcess(options: {
  databaseUrl: string;
  connections: number;
  profile?: string | undefined;
  env?: Record<string, string>;
}): Promise<ArenaProcess> {
  const server: ServerProcess = await startServer(
    await freePort(),
    ["--database-url", options.databaseUrl, "--empty"],
    {
      AGON_SECRET_KEY: "the benchmark's key for sealing secrets",
      AGON_ADMIN_KEY: ADMIN_KEY,
      AGON_REGISTRATIONS_PER_HOUR: "0",
      AGON_LOG_LEVEL: "error",
      NODE_ENV: "production",
      ...(options.profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${options.profile}` }),
      ...options.env,
    },
  );
  const pool = new Pool(server.url, { connections: options.connections });

  const call: ArenaProcess["call"] = async (path, headers = {}, body) => {
    const answer = await pool.request({
      method: "POST",
      path,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${await answer.body.text()}`);
    return answer.body.json();
  };
  const metric = async (name: string) => {
    const answer = await pool.request({ method: "GET", path: "/metrics" });
    return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(await answer.body.text())?.[1]);
  };
  return {
    url: server.url,
    pool,
    call,
    async addPrompts(count, batch) {
      const prompts = Array.from({ length: count }, (_, index) => ({
        external_id: `bench-${batch}-${index}`,
        prompt: `How much is ${index} + ${batch}? Answer with the number.`,
        category: "bench",
      }));
      await call("/api/admin/prompts", { authorization: `Bearer ${ADMIN_KEY}` }, prompts);
    },
    async registerAgents(count, fields) {
      const agents = [];
      for (let index = 0; index < count; index += 1) {
        const account = (await call("/api/register")) as { api_key: string };
        const headers = { authorization: `Bearer ${account.api_key}` };
        const body = { name: `bench ${index}`, ...fields(index) };
        const made = (await call("/api/agents", headers, body)) as { id: number; webhook_secret: string };
        agents.push({ id: made.id, secret: made.webhook_secret });
      }
      return agents;
    },
    metric,
    residentBytes: () => metric("process_resident_memory_bytes"),
    async quiet() {
      const until = performance.now() + QUIET_MOST_MS;
      for (let calm = 0; calm < QUIET_LOOKS; ) {
        const before = await metric("process_cpu_seconds_total");
        await delay(QUIET_LOOK_MS);
        const share = ((await metric("process_cpu_seconds_total")) - before) / (QUIET_LOOK_MS / 1000);
        calm = share < QUIET_SHARE ? calm + 1 : 0;
        if (performance.now() > until) throw new Error("the arena still works a long time after its turn");
      }
    },
    async stop() {
      await pool.destroy();
      await server.stop();
    },
  };
}
