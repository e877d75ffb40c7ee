import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { verifyEdgearena } from "@agon/protocol";
import pg from "pg";
import { roleOutput } from "../../packages/arena/test/support/role-outputs.ts";
import { startThrowawayPostgres } from "../../packages/arena/test/support/throwaway-postgres.ts";
import { freePort, startServer } from "./server-process.ts";

/**
 * Two nodes dispatch 2,000 tasks to 60 agents, a third of which misbehave in ten ways, and one node is killed without
 * warning in the middle. Nothing may be sent twice, every task has to end with the right blame, and nobody may be
 * punished for the kill. Talks to this machine's loopback only, and ends by itself.
 */
const GOOD_AGENTS = 40;
const TASKS_PER_GOOD = 45;
/** Each failure counts, and the tenth in a row would suspend the agent and leave the rest of its tasks behind. */
const TASKS_PER_BAD = 10;
const DEADLINE_SECONDS = 3;
const KILL_AFTER = 600;
const ANSWER_MS = 40;
const MOST_SECONDS = 90;

type Answer = (response: ServerResponse, task: { taskId: string }) => void;
interface Behaviour {
  name: string;
  answer: Answer;
  state: string;
  cause: string | null;
  /** Whether it is a health failure. */
  isBlamed: boolean;
}

const json = (response: ServerResponse, value: unknown, status = 200) => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
};
const envelope = (output: unknown) => ({ output, promptTokens: 1, completionTokens: 1, modelId: "drill" });
const GOOD: Behaviour = {
  name: "good",
  answer: (response) =>
    void setTimeout(() => json(response, envelope(roleOutput("SCOUT"))), ANSWER_MS * Math.random() * 2),
  state: "completed",
  cause: null,
  isBlamed: false,
};
const failing = (name: string, cause: string, isBlamed: boolean, answer: Answer): Behaviour => ({
  name,
  answer,
  state: cause === "timeout" ? "timeout" : "failed",
  cause,
  isBlamed,
});
const BAD: readonly Behaviour[] = [
  failing("500", "error", true, (response) => json(response, {}, 500)),
  failing("401", "error", true, (response) => json(response, {}, 401)),
  failing("redirect", "error", true, (response) => response.writeHead(302, { location: "/" }).end()),
  failing("silence", "timeout", true, () => {}),
  failing("reset", "unreachable", true, (response) => response.destroy()),
  failing("promise broken", "timeout", true, (response) => response.writeHead(202).end()),
  failing("html", "invalid", false, (response) => response.end("<html>soon</html>")),
  failing("wrong phase", "invalid", false, (response) => json(response, envelope(roleOutput("BUILD", "x")))),
  failing("no envelope", "invalid", false, (response) => json(response, roleOutput("SCOUT"))),
  failing("too much", "invalid", false, (response) =>
    json(response, envelope({ ...roleOutput("SCOUT"), more: "x".repeat(300_000) })),
  ),
];
const BEHAVIOURS: readonly Behaviour[] = [...Array<Behaviour>(GOOD_AGENTS).fill(GOOD), ...BAD, ...BAD];

interface Agent {
  id: number;
  key: string;
  behaviour: Behaviour;
}

async function main(): Promise<number> {
  const postgres = await startThrowawayPostgres();
  const sent = new Map<string, number>();
  const byNode = new Map<string, number>();
  const faults: string[] = [];
  const agents: Agent[] = [];
  async function receive(agent: Agent, request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method === "GET") return void response.end();
    const body = Buffer.concat(chunks);
    const verified = verifyEdgearena({
      key: agent.key,
      url: `http://${request.headers.host}${request.url}`,
      timestamp: request.headers["x-edgearena-timestamp"] as string,
      signature: request.headers["x-edgearena-signature"] as string,
      body,
      now: Date.now() / 1000,
    });
    if (!verified.ok) faults.push(`a dispatch was not rightly signed: ${verified.detail}`);
    const task = JSON.parse(body.toString("utf8")) as { taskId: string };
    // The address for a later answer is that of the node that sent it.
    const node = new URL(request.headers["x-agon-complete-url"] as string).origin;
    byNode.set(node, (byNode.get(node) ?? 0) + 1);
    sent.set(task.taskId, (sent.get(task.taskId) ?? 0) + 1);
    agent.behaviour.answer(response, task);
  }
  // A server each: at one origin agents share connections, and a reset on a kept one is the arena's fault by its own rules.
  const endpoints = BEHAVIOURS.map((_, index) =>
    createServer((request, response) => void receive(agents[index] as Agent, request, response)),
  );
  for (const endpoint of endpoints) {
    endpoint.listen(0, "127.0.0.1");
    await once(endpoint, "listening");
  }

  const env = {
    AGON_SECRET_KEY: "the dispatch drill's key for sealing secrets",
    AGON_ADMIN_KEY: "admin-key-of-the-dispatch-drill",
    AGON_ALLOW_PRIVATE_ENDPOINTS: "true",
    AGON_REGISTRATIONS_PER_HOUR: "0",
    AGON_COOLDOWN_SECONDS: "0",
    AGON_LOG_LEVEL: "error",
  };
  const args = ["--database-url", postgres.url, "--empty"];
  const nodes = [
    await startServer(await freePort(), args, env),
    await startServer(await freePort(), args, env),
  ] as const;
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    for (const [index, behaviour] of BEHAVIOURS.entries()) {
      const { port } = (endpoints[index] as Server).address() as AddressInfo;
      agents.push({ ...(await register(nodes[0].url, `http://127.0.0.1:${port}/agent`, behaviour.name)), behaviour });
    }
    await client.query(
      `update agents set status = 'ACTIVE', status_since = now(), max_concurrent = 4 where dialect = 'edgearena-v1'`,
    );
    await queue(client, agents);
    await until(() => sent.size >= KILL_AFTER);
    // The busier one, or there might be nothing in the middle of it.
    const [first, second] = nodes;
    await ((byNode.get(first.url) ?? 0) > (byNode.get(second.url) ?? 0) ? first : second).kill();
    const killedAfter = sent.size;
    const open = async () =>
      Number((await client.query(`select count(*) from tasks where state in ('queued', 'running')`)).rows[0].count);
    await until(async () => (await open()) === 0);
    const lost = await audit(client, agents, sent, faults);
    const verdict = faults.length === 0 ? "good" : faults.slice(0, 10).join("; ");
    console.log(
      `dispatch drill: killed after ${killedAfter} of ${sent.size} dispatches, ${lost} lost with the node: ${verdict}`,
    );
  } finally {
    await client.end();
    for (const node of nodes) await node.kill();
    for (const endpoint of endpoints) {
      endpoint.closeAllConnections();
      endpoint.close();
    }
    await postgres.stop();
  }
  return faults.length === 0 ? 0 : 1;
}

async function register(url: string, endpoint: string, name: string): Promise<{ id: number; key: string }> {
  const post = async (path: string, headers: Record<string, string>, body?: unknown) => {
    const answer = await fetch(`${url}${path}`, {
      method: "POST",
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json() as Promise<Record<string, unknown>>;
  };
  const { api_key } = await post("/api/register", {});
  const agent = { name, dialect: "edgearena-v1", roles: ["SCOUT"], endpoint_url: endpoint };
  const made = await post("/api/agents", { authorization: `Bearer ${api_key}` }, agent);
  return { id: made.id as number, key: made.webhook_secret as string };
}

async function queue(client: pg.Client, agents: readonly Agent[]): Promise<void> {
  // In turn, so that at the moment of the kill every kind of agent has something under way.
  const rows = agents.flatMap((agent) =>
    Array.from({ length: agent.behaviour === GOOD ? TASKS_PER_GOOD : TASKS_PER_BAD }, (_, turn) => ({ agent, turn })),
  );
  rows.sort((a, b) => a.turn - b.turn);
  const tasks = rows.map(({ agent }) => ({ agentId: agent.id, uuid: randomUUID(), runId: randomUUID() }));
  await client.query(
    `with made as (
      insert into tasks (uuid, agent_id, kind, state, deadline_seconds, inserted_at, run_id)
      select uuid, agent_id, 'scout', 'queued', $4, now(), run_id
      from unnest($1::uuid[], $2::int[], $3::uuid[]) as i(uuid, agent_id, run_id)
      returning id, uuid, run_id
    )
    insert into task_payloads (task_id, payload)
    select id, json_build_object('taskId', uuid, 'runId', run_id, 'phase', 'SCOUT', 'role', 'SCOUT', 'candidateId', null,
      'goal', 'g', 'launchpadName', 'l', 'messages', json_build_array())::text from made`,
    [
      tasks.map((each) => each.uuid),
      tasks.map((each) => each.agentId),
      tasks.map((each) => each.runId),
      DEADLINE_SECONDS,
    ],
  );
}

/** What the database holds against what the agents saw; returns how many tasks were lost with the node. */
async function audit(
  client: pg.Client,
  agents: readonly Agent[],
  sent: ReadonlyMap<string, number>,
  faults: string[],
): Promise<number> {
  for (const [uuid, times] of sent) if (times > 1) faults.push(`task ${uuid} was sent ${times} times`);
  const byId = new Map(agents.map((agent) => [agent.id, agent]));
  const failures = new Map<number, number>();
  const { rows } = await client.query(`select uuid, agent_id, state, cause from tasks where kind = 'scout'`);
  const expected = GOOD_AGENTS * TASKS_PER_GOOD + 2 * BAD.length * TASKS_PER_BAD;
  if (rows.length !== expected) faults.push(`${rows.length} tasks instead of ${expected}`);
  let lost = 0;
  for (const row of rows) {
    const { behaviour } = byId.get(row.agent_id) as Agent;
    if (row.cause === "arena") {
      lost += 1;
      if (row.state !== "timeout") faults.push(`a lost task is ${row.state}`);
      continue;
    }
    if (row.state !== behaviour.state || row.cause !== behaviour.cause) {
      faults.push(`${behaviour.name}: ${row.state} ${row.cause}`);
    }
    if (!sent.has(row.uuid)) faults.push(`${behaviour.name}: a task has an outcome and was never sent`);
    if (behaviour.isBlamed) failures.set(row.agent_id, (failures.get(row.agent_id) ?? 0) + 1);
  }
  // More would mean that it lost tasks of which nothing had happened yet.
  if (lost > 4 * agents.length) faults.push(`${lost} tasks were lost`);
  const states = await client.query(`select id, status, failures_in_row from agents where dialect = 'edgearena-v1'`);
  for (const { id, status, failures_in_row } of states.rows) {
    const { behaviour } = byId.get(id) as Agent;
    const blamed = failures.get(id) ?? 0;
    // Of four at once, those that began before a change of status do not count, so no more is known than these bounds.
    const isRight = blamed === 0 ? status === "ACTIVE" && failures_in_row === 0 : status !== "ACTIVE" || blamed < 6;
    if (!isRight) faults.push(`${behaviour.name} is ${status} after ${blamed} failures`);
  }
  if (lost === 0) faults.push("nothing was under way at the node that was killed");
  return lost;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + MOST_SECONDS * 1000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`the drill made no progress for ${MOST_SECONDS} s`);
    await delay(50);
  }
}

process.exitCode = await main();
