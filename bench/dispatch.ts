import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { buildDispatchRequest } from "../packages/arena/src/push/edgearena-push.ts";
import { startThrowawayPostgres } from "../packages/arena/test/support/throwaway-postgres.ts";
import { startArenaProcess } from "./arena-process.ts";
import { type BenchOptions, type Contestant, hold, type Report } from "./contest.ts";
import { createDatabases } from "./databases.ts";
import { type Endpoint, startEndpoint } from "./endpoint-process.ts";
import { pushFromBare, withArena } from "./memory.ts";
import { AGENTS, barePosts } from "./push.ts";

/** Enough for every round at any speed that is likely; what is left over costs nobody anything. */
const TASKS_PER_SECOND = 8_000;
const ENV = {
  AGON_ALLOW_PRIVATE_ENDPOINTS: "true",
  AGON_PROBES_PER_MINUTE: "0",
  AGON_PROBES_PER_HOST_HOUR: "0",
  AGON_REGISTRATIONS_PER_HOUR: "0",
  AGON_HEALTH_ACTIVE_SECONDS: "86400",
};

/** Signed run tasks, answered, held against their schema and recorded, beside undici alone; and memory under way. */
export async function benchDispatch(options: BenchOptions): Promise<Report> {
  const postgres = await startThrowawayPostgres({ durable: true });
  const stops: (() => Promise<unknown>)[] = [() => postgres.stop()];
  const short = options.seconds < 5;
  const flying = short ? 500 : 2_000;
  try {
    const [databaseUrl] = (await createDatabases(postgres.url, 1)) as [string];
    const pushed = await startEndpoint();
    const posted = await startEndpoint();
    stops.push(pushed.stop, posted.stop);
    const arena = await startArena(databaseUrl, pushed, options, stops);
    const request = dispatchRequest(posted.url);
    const bare = [barePosts(posted, request, true, stops), barePosts(posted, request, false, stops)];
    const standings = await hold([...bare, arena], options);
    const [kept, fresh, agon] = standings.map((each) => each.median) as [number, number, number];
    const memory = { agon: await flyFromArena(flying), bare: await pushFromBare(flying) };
    const kilobytes = (bytes: number) => `${(bytes / flying / 1024).toFixed(1)} KB`;
    return {
      bench: `dispatch: run tasks signed, answered, validated, recorded; ${AGENTS} agents, durable PostgreSQL; ${flying} under way`,
      ratios: [
        { name: "of bare undici POSTs on kept connections", value: agon / kept },
        { name: "of bare undici POSTs on a new connection each", value: agon / fresh },
        { name: "memory of a dispatch under way, of a bare undici POST under way", value: memory.agon / memory.bare },
      ],
      standings,
      notes: [
        "figures are dispatches a second: median (least to most) of the rounds",
        `a dispatch under way ${kilobytes(memory.agon)}, bare ${kilobytes(memory.bare)}: growth of resident memory divided by the number`,
      ],
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
): Promise<Contestant> {
  const arena = await startArenaProcess({ databaseUrl, connections: 8, profile: options.profile, env: ENV });
  stops.push(arena.stop);
  endpoint.setOpen(false);
  const agents = await arena.registerAgents(AGENTS, () => signedAgent(endpoint));
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  stops.push(() => client.end());
  await activate(client);
  return {
    name: "agon",
    async run(seconds) {
      const perAgent = Math.ceil((seconds * TASKS_PER_SECOND) / AGENTS);
      await queue(
        client,
        agents.flatMap(({ id }) => Array<number>(perAgent).fill(id)),
      );
      while ((await endpoint.counts()).waiting < AGENTS) await delay(20);
      const before = (await endpoint.counts()).answered;
      const begun = performance.now();
      endpoint.setOpen(true);
      await delay(seconds * 1000);
      endpoint.setOpen(false);
      return ((await endpoint.counts()).answered - before) / ((performance.now() - begun) / 1000);
    },
    async settle() {
      await client.query(`update tasks set state = 'cancelled' where state = 'queued'`);
      endpoint.setOpen(true);
      await arena.quiet();
      endpoint.setOpen(false);
    },
  };
}

async function flyFromArena(count: number): Promise<number> {
  const endpoint = await startEndpoint();
  try {
    return await withArena(ENV, 8, async (arena, databaseUrl) => {
      endpoint.setOpen(false);
      const agents = await arena.registerAgents(count, () => signedAgent(endpoint));
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      await activate(client);
      const before = await arena.residentBytes();
      await queue(
        client,
        agents.map(({ id }) => id),
      );
      while ((await endpoint.counts()).waiting < count) await delay(50);
      await delay(2_000);
      const after = await arena.residentBytes();
      await client.end();
      endpoint.setOpen(true);
      return after - before;
    });
  } finally {
    await endpoint.stop();
  }
}

function signedAgent(endpoint: Endpoint) {
  return { dialect: "edgearena-v1", roles: ["SCOUT"], endpoint_url: endpoint.url };
}

/** As activation would have done, which has a bench of nobody's interest. */
async function activate(client: pg.Client): Promise<void> {
  await client.query(`update agents set status = 'ACTIVE', status_since = now() where dialect = 'edgearena-v1'`);
}

async function queue(client: pg.Client, agentIds: readonly number[]): Promise<void> {
  await client.query(
    `with made as (
      insert into tasks (uuid, agent_id, kind, state, deadline_seconds, inserted_at, run_id)
      select gen_random_uuid(), agent_id, 'scout', 'queued', 60, now(), gen_random_uuid()
      from unnest($1::int[]) as i(agent_id) order by row_number() over (partition by agent_id), agent_id
      returning id, uuid, run_id
    )
    insert into task_payloads (task_id, payload)
    select id, json_build_object('taskId', uuid, 'runId', run_id, 'phase', 'SCOUT', 'role', 'SCOUT', 'candidateId', null,
      'goal', $2::text, 'launchpadName', 'Make Money', 'messages', $3::json)::text from made`,
    [agentIds, GOAL, JSON.stringify(MESSAGES)],
  );
}

const GOAL = "Find a promising niche for a solo founder.";
const MESSAGES = [
  { role: "system", content: `You scout for business ideas. ${"Score high by being specific. ".repeat(40)}` },
  { role: "user", content: GOAL },
];

function dispatchRequest(url: string) {
  const taskId = "0192f4a9-1be4-7123-b21d-0a55f00d4c8e";
  const payload = JSON.stringify({
    taskId,
    runId: taskId,
    phase: "SCOUT",
    role: "SCOUT",
    candidateId: null,
    goal: GOAL,
    launchpadName: "Make Money",
    messages: MESSAGES,
  });
  const completeUrl = `http://127.0.0.1:4600/api/agent-tasks/${taskId}/complete`;
  return buildDispatchRequest({ payload, taskId, url, key: "sa_bench", timestamp: 1_900_000_000, completeUrl });
}
