import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { roleOutput } from "../../packages/arena/test/support/role-outputs.ts";
import { startThrowawayPostgres } from "../../packages/arena/test/support/throwaway-postgres.ts";
import { freePort, startServer } from "./server-process.ts";

/**
 * Thirty runs at once on two nodes, with 40 agents (36 that are called, four that poll) of which a third misbehave, and
 * one node is killed without warning in the middle. All runs have to end, no place may be with two agents at once,
 * nothing may be sent twice, nobody may be charged for the kill, and every sum redone from the API has to come out as
 * it is stored. Talks to this machine's loopback only, and ends by itself.
 */
const USAGE = "npm run drill:runs -- [--short]";
const PULLING = 4;
const DEADLINE_SECONDS = 4;
const TASKS_AT_ONCE = 2;
const MOST_SECONDS = 240;
const SHAPE = { scouts: 3, builders_per_candidate: 1, verifiers_per_candidate: 2, critics_per_candidate: 1 };

interface Dispatch {
  taskId: string;
  phase: string;
  candidateId: string | null;
}
type Answer = (response: ServerResponse, task: Dispatch) => void;

const json = (response: ServerResponse, value: unknown, status = 200) => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
};
const envelope = (output: unknown) => ({ output, promptTokens: 100, completionTokens: 20, modelId: "drill" });

/** An output in shape, with grades that differ from task to task. */
function goodOutput({ taskId, phase, candidateId }: Dispatch): Record<string, unknown> {
  const output = roleOutput(phase, candidateId);
  const number = Number.parseInt(taskId.slice(-6), 16);
  const word = [...taskId].reverse().join("");
  if (phase === "SCOUT") {
    return {
      ...output,
      candidate_title: word,
      core_problem: `${word} ${number}`,
      proposed_solution: `${number} ${word}`,
    };
  }
  if (phase === "VERIFY") {
    return { ...output, evidence_quality_score: number % 101, red_flags: Array(number % 3).fill("flag") };
  }
  if (phase === "CRITIQUE") {
    const verdict = number % 7 === 0 ? "eliminate" : "pass";
    return { ...output, penalty_points: number % 23, score_adjustments: { a: (number % 9) - 4, b: 0.125 }, verdict };
  }
  return output;
}

const GOOD: Answer = (response, task) =>
  void setTimeout(() => json(response, envelope(goodOutput(task))), 20 + 200 * Math.random());
/** Promises a call that never comes: the task is with the agent until its deadline. */
const LATER: Answer = (response) => response.writeHead(202).end();
const CUT: Answer = (response) => response.destroy();
const BAD: readonly Answer[] = [
  (response) => json(response, {}, 500),
  () => {},
  CUT,
  LATER,
  (response) => response.end("<html>soon</html>"),
  (response, task) => json(response, envelope({ ...goodOutput(task), candidate_id: "another", candidate_title: "" })),
  (response, task) => json(response, goodOutput(task)),
];

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { short: { type: "boolean", default: false } }, allowPositionals: false });
  const runs = values.short ? 8 : 30;
  const agents = values.short ? 16 : 40;
  const postgres = await startThrowawayPostgres();
  const faults: string[] = [];
  const sent = new Map<string, number>();
  /** Tasks that agents are working on, by the node that waits for them. */
  const underWay = new Map<string, Set<string>>();
  const servers: Server[] = [];
  const stop = new AbortController();
  const env = {
    AGON_SECRET_KEY: "the run drill's key for sealing secrets",
    AGON_ADMIN_KEY: "admin-key-of-the-run-drill",
    AGON_ALLOW_PRIVATE_ENDPOINTS: "true",
    AGON_REGISTRATIONS_PER_HOUR: "0",
    AGON_RUNS_OPEN: "0",
    AGON_RUNS_PER_DAY: "0",
    AGON_COOLDOWN_SECONDS: "3",
    AGON_HOUSE_AFTER_SECONDS: "5",
    AGON_LOG_LEVEL: "error",
    ...Object.fromEntries(
      ["SCOUT", "BUILD", "VERIFY", "CRITIQUE"].map((each) => [
        `AGON_${each}_DEADLINE_SECONDS`,
        String(DEADLINE_SECONDS),
      ]),
    ),
  };
  const args = ["--database-url", postgres.url, "--empty"];
  const nodes = [
    await startServer(await freePort(), args, env),
    await startServer(await freePort(), args, env),
  ] as const;
  const alive = new Set<string>(nodes.map((node) => node.url));
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const number = async (sql: string) => Number((await client.query(sql)).rows[0].count);
  try {
    const pulling: Promise<void>[] = [];
    for (let index = 0; index < agents; index += 1) {
      if (index < PULLING) {
        const agent = await register(nodes[0].url, { name: `pull ${index}`, mode: "pull" });
        pulling.push(pull(alive, agent, stop.signal, faults));
        continue;
      }
      const answer = index % 3 === 0 ? (BAD[(index / 3) % BAD.length] as Answer) : GOOD;
      let atOnce = 0;
      const server = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        if (request.method === "GET") return void response.end();
        const task = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Dispatch;
        sent.set(task.taskId, (sent.get(task.taskId) ?? 0) + 1);
        // The address for a later answer is that of the node that sent it.
        const node = new URL(request.headers["x-agon-complete-url"] as string).origin;
        const tasks = underWay.get(node) ?? new Set();
        underWay.set(node, tasks.add(task.taskId));
        atOnce += 1;
        if (atOnce > TASKS_AT_ONCE) faults.push(`push ${index} had ${atOnce} tasks at once`);
        response.once("close", () => tasks.delete(task.taskId));
        const due = performance.now() + DEADLINE_SECONDS * 1000;
        response.once("close", () => {
          // What the agent has not ended itself is with it until the deadline, also when the node that sent it is gone.
          const isEnded = answer === CUT || (answer !== LATER && response.writableEnded);
          if (isEnded) atOnce -= 1;
          else setTimeout(() => (atOnce -= 1), due - performance.now());
        });
        answer(response, task);
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      servers.push(server);
      const endpoint_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/agent`;
      await register(nodes[0].url, { name: `push ${index}`, dialect: "edgearena-v1", endpoint_url });
    }
    await client.query(
      `update agents set status = 'ACTIVE', status_since = now(), max_concurrent = ${TASKS_AT_ONCE} where dialect = 'edgearena-v1'`,
    );
    const ids = await Promise.all(Array.from({ length: runs }, (_, index) => begin(nodes[index % 2]?.url as string)));
    // A third of what a run without a fault needs.
    await until(async () => (await number("select count(*) from tasks where finished_at is not null")) >= runs * 6);
    // Not any node at any moment: one that waits for agents, or there is nothing in the middle of which it dies.
    const busiest = () => [...underWay].sort(([, a], [, b]) => b.size - a.size)[0];
    await until(async () => (busiest()?.[1].size ?? 0) >= agents / 8);
    const victim = nodes.find((node) => node.url === busiest()?.[0]) ?? nodes[1];
    const survivor = nodes.find((node) => node !== victim) as (typeof nodes)[number];
    const atKill = underWay.get(victim.url)?.size ?? 0;
    alive.delete(victim.url);
    await victim.kill();
    await until(async () => (await number("select count(*) from runs where finished_at is null")) === 0);
    stop.abort();
    await Promise.all(pulling);
    await audit(client, sent, faults);
    const statuses: Record<string, number> = {};
    let candidates = 0;
    for (const id of ids) {
      const run = (await (await fetch(`${survivor.url}/api/runs/${id}`)).json()) as Run;
      statuses[run.status] = (statuses[run.status] ?? 0) + 1;
      candidates += redo(run, faults);
    }
    const tasks = await number("select count(*) from tasks");
    const lost = await number("select count(*) from tasks where cause = 'arena'");
    const house = await number(
      "select count(*) from tasks t join agents a on a.id = t.agent_id where a.transport = 'house'",
    );
    const pulled = await number(
      "select count(*) from tasks t join agents a on a.id = t.agent_id where a.transport = 'pull'",
    );
    console.log(
      `run drill: ${runs} runs ${JSON.stringify(statuses)}, ${tasks} tasks (${house} by the house, ${pulled} pulled), ${atKill} under way at the node that was killed, ${lost} lost with it, ${candidates} sums redone: ${faults.length === 0 ? "good" : faults.slice(0, 10).join("; ")}`,
    );
  } finally {
    stop.abort();
    await client.end();
    for (const node of nodes) await node.kill();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await postgres.stop();
  }
  return faults.length === 0 ? 0 : 1;
}

async function post(
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method: "POST",
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json() as Promise<Record<string, unknown>>;
}

interface Registered {
  id: number;
  secret: string;
}

async function register(url: string, agent: Record<string, unknown>): Promise<Registered> {
  const { api_key } = await post(`${url}/api/register`);
  const headers = { authorization: `Bearer ${api_key}` };
  const made = await post(`${url}/api/agents`, { roles: ["SCOUT", "BUILDER", "ANALYST"], ...agent }, headers);
  return { id: made.id as number, secret: made.webhook_secret as string };
}

async function begin(url: string): Promise<string> {
  const { api_key } = await post(`${url}/api/register`);
  const run = { goal: "Find a niche.", launchpad: "make-money", ...SHAPE };
  return (await post(`${url}/api/runs`, run, { authorization: `Bearer ${api_key}` })).id as string;
}

/** Polls whichever node is there, as a runner behind a balancer would. */
async function pull(
  alive: ReadonlySet<string>,
  agent: Registered,
  signal: AbortSignal,
  faults: string[],
): Promise<void> {
  const headers = { "x-arena-secret": agent.secret };
  for (let turn = 0; !signal.aborted; turn += 1) {
    const url = [...alive][turn % alive.size] as string;
    try {
      const next = await fetch(`${url}/api/agents/${agent.id}/work/next?wait=5`, { headers, signal });
      if (next.status !== 200) {
        if (next.status !== 204) faults.push(`a poll was answered ${next.status}`);
        continue;
      }
      const work = (await next.json()) as { work_id: string; task: Dispatch };
      await post(
        `${url}/api/agents/${agent.id}/work/${work.work_id}/result`,
        { response: JSON.stringify(goodOutput(work.task)) },
        headers,
      );
    } catch {
      // The node that was killed, or the end.
      await delay(20);
    }
  }
}

async function audit(client: pg.Client, sent: ReadonlyMap<string, number>, faults: string[]): Promise<void> {
  for (const [uuid, times] of sent) if (times > 1) faults.push(`task ${uuid} was sent ${times} times`);
  const expectNone = async (what: string, sql: string) => {
    const { rows } = await client.query(sql);
    if (rows.length > 0) faults.push(`${rows.length} ${what}, such as ${JSON.stringify(rows[0])}`);
  };
  await expectNone(
    "places were with two agents at once",
    `select a.slot_id from tasks a join tasks b on b.slot_id = a.slot_id and b.id > a.id
     where a.finished_at is null or b.inserted_at < a.finished_at`,
  );
  await expectNone(
    "tasks are open",
    `select id from tasks where state in ('queued', 'running') and slot_id is not null`,
  );
  await expectNone("slots are open", `select id from slots where state in ('waiting', 'working')`);
  await expectNone(
    "places had more than two tries",
    `select slot_id from tasks where state in ('completed', 'failed', 'timeout') and cause is distinct from 'arena'
     and slot_id is not null group by slot_id having count(*) > 2`,
  );
  await expectNone(
    "tasks were charged to nobody's agent",
    `select c.task_id from contributions c join tasks t on t.id = c.task_id where t.cause = 'arena' or t.state = 'cancelled'`,
  );
  // Of those that are called, the agents themselves count what they have at once.
  await expectNone(
    "polling agents were over their limit",
    `select a.agent_id from tasks a join tasks b on b.agent_id = a.agent_id and b.started_at <= a.started_at
       and b.finished_at > a.started_at join agents on agents.id = a.agent_id
     where agents.transport = 'pull' group by a.agent_id, a.id, agents.max_concurrent having count(*) > agents.max_concurrent`,
  );
}

interface Run {
  id: string;
  status: string;
  winner_id: string | null;
  candidates: {
    id: string;
    state: string;
    rank: number | null;
    score: number | null;
    verifications: {
      output: {
        evidence_quality_score: number;
        claim_coverage_score: number;
        overall_confidence: string;
        red_flags: string[];
      };
    }[];
    critiques: {
      output: {
        penalty_points: number;
        score_adjustments: Record<string, number>;
        verdict: string;
        fatal_flaw: boolean;
      };
    }[];
  }[];
}

/** Scores each candidate anew from what agents answered, by the formula as docs/scoring.md has it; returns how many. */
function redo(run: Run, faults: string[]): number {
  const round = (value: number) => Math.round((value + Number.EPSILON) * 100) / 100;
  const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));
  const middle = (values: number[]) => {
    const sorted = values.sort((a, b) => a - b);
    const half = Math.floor(sorted.length / 2);
    return sorted.length % 2 === 1
      ? (sorted[half] as number)
      : round(((sorted[half - 1] as number) + (sorted[half] as number)) / 2);
  };
  const scored = run.candidates.filter((each) => each.score !== null);
  for (const candidate of scored) {
    const evidence = middle(
      candidate.verifications.map(({ output }) => {
        const confidence = { high: 100, medium: 60, low: 20 }[output.overall_confidence] as number;
        const flags = Math.min(20, 5 * output.red_flags.length);
        return round(
          clamp(
            0.5 * output.evidence_quality_score + 0.3 * output.claim_coverage_score + 0.2 * confidence - flags,
            0,
            100,
          ),
        );
      }),
    );
    const penalty = middle(candidate.critiques.map(({ output }) => round(clamp(output.penalty_points, 0, 40))));
    const adjustment = middle(
      candidate.critiques.map(({ output }) =>
        round(
          clamp(
            Object.values(output.score_adjustments).reduce((sum, each) => sum + clamp(each, -20, 20), 0),
            -20,
            20,
          ),
        ),
      ),
    );
    const against = candidate.critiques.filter(
      ({ output }) => output.verdict === "eliminate" || output.fatal_flaw,
    ).length;
    const verdict = round((30 * against) / candidate.critiques.length);
    const isOut = 2 * against > candidate.critiques.length;
    const score = isOut ? 0 : round(clamp(evidence - penalty + adjustment - verdict, 0, 100));
    if (score !== candidate.score) faults.push(`run ${run.id}: ${score} redone, ${candidate.score} stored`);
    if (isOut !== (candidate.state === "eliminated")) faults.push(`run ${run.id}: a candidate is ${candidate.state}`);
  }
  const best = Math.max(...scored.filter((each) => each.state === "in").map((each) => each.score as number));
  const winner = scored.find((each) => each.id === run.winner_id);
  if ((run.status === "COMPLETED") !== (winner !== undefined))
    faults.push(`run ${run.id} is ${run.status} with winner ${run.winner_id}`);
  if (winner !== undefined && (winner.score !== best || winner.rank !== 1))
    faults.push(`run ${run.id}: the winner is not the best`);
  return scored.length;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + MOST_SECONDS * 1000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`the drill did not get on within ${MOST_SECONDS} s; ${USAGE}`);
    await delay(100);
  }
}

process.exitCode = await main();
