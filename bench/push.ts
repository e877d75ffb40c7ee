import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import { buildTesseraxRequest } from "../packages/arena/src/push/tesserax-push.ts";
import { startThrowawayPostgres } from "../packages/arena/test/support/throwaway-postgres.ts";
import { startArenaProcess } from "./arena-process.ts";
import { type BenchOptions, type Contestant, hold, type Report, rate } from "./contest.ts";
import { createDatabases } from "./databases.ts";
import { type Endpoint, startEndpoint } from "./endpoint-process.ts";

export const AGENTS = 500;
const PROMPTS = 2_000;

/** Signed pushes, answered, validated and recorded, beside bare undici POSTs of the same bytes. */
export async function benchPush(options: BenchOptions): Promise<Report> {
  const postgres = await startThrowawayPostgres({ durable: true });
  const stops: (() => Promise<unknown>)[] = [() => postgres.stop()];
  try {
    const [databaseUrl] = await createDatabases(postgres.url, 1);
    const pushed = await startEndpoint();
    const posted = await startEndpoint();
    stops.push(pushed.stop, posted.stop);
    const arena = await startArena(databaseUrl as string, pushed, options, stops);
    const standings = await hold(
      [
        barePosts(posted, promptRequest(), false, stops),
        barePosts(posted, promptRequest(), true, stops),
        arena(false),
        arena(true),
      ],
      options,
    );
    const [fresh, kept, agonFresh, agonKept] = standings.map((each) => each.median) as [number, number, number, number];
    return {
      bench: `push: signed, answered, validated, recorded; ${AGENTS} agents, durable PostgreSQL`,
      ratios: [
        {
          name: "of bare undici POSTs, a new connection each, as prompts go to agents that live apart",
          value: agonFresh / fresh,
          goal: 0.4,
        },
        {
          name: "of bare undici POSTs where both keep all connections, as with many agents at one origin and no gap",
          value: agonKept / kept,
          goal: 0.4,
        },
      ],
      standings,
      notes: ["figures are pushes a second: median (least to most) of the rounds"],
    };
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function startArena(
  databaseUrl: string,
  endpoint: Endpoint,
  options: BenchOptions,
  stops: (() => Promise<unknown>)[],
): Promise<(keepsConnections: boolean) => Contestant> {
  const arena = await startArenaProcess({
    databaseUrl,
    connections: 8,
    profile: options.profile,
    env: {
      AGON_PUSH_GAP_SECONDS: "0",
      AGON_ALLOW_PRIVATE_ENDPOINTS: "true",
      AGON_PROBES_PER_MINUTE: "0",
      AGON_PROBES_PER_HOST_HOUR: "0",
    },
  });
  stops.push(arena.stop);
  endpoint.setOpen(false);
  await arena.addPrompts(PROMPTS, 0);
  await arena.registerAgents(AGENTS, () => ({ mode: "push", webhook_url: endpoint.url }));
  return (keepsConnections) => ({
    name: `agon, ${keepsConnections ? "kept" : "new"} connections`,
    async run(seconds) {
      endpoint.setKeeps(keepsConnections);
      const before = (await endpoint.counts()).answered;
      const begun = performance.now();
      endpoint.setOpen(true);
      await delay(seconds * 1000);
      endpoint.setOpen(false);
      return ((await endpoint.counts()).answered - before) / ((performance.now() - begun) / 1000);
    },
    async settle() {
      while ((await endpoint.counts()).waiting < AGENTS) await delay(20);
      await arena.quiet();
    },
  });
}

/** What the arena sends, sent by undici alone, from as many callers as there are agents. */
export function barePosts(
  endpoint: Endpoint,
  request: { body: Buffer; headers: Record<string, string> },
  keepsConnections: boolean,
  stops: (() => Promise<unknown>)[],
): Contestant {
  const pool = new Pool(new URL(endpoint.url).origin, { connections: AGENTS });
  stops.push(() => pool.destroy());
  return {
    name: keepsConnections ? "bare undici, kept connections" : "bare undici, new connections",
    run: (seconds) =>
      rate(seconds, AGENTS, async () => {
        const answer = await pool.request({ method: "POST", path: "/hook", ...request, reset: !keepsConnections });
        await answer.body.json();
      }),
  };
}

function promptRequest() {
  return buildTesseraxRequest({
    payload: {
      prompt_id: "42",
      prompt: "How much is 41 + 1? Answer with the number.",
      category: "bench",
      deadline_seconds: 300,
    },
    secret: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
    id: "main-42",
    timestamp: 1_900_000_000,
  });
}
