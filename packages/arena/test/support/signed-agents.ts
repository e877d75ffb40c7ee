import type { Phase } from "@agon/protocol";
import { sql } from "drizzle-orm";
import { queueRunTask } from "../../src/tasks/run-task-inserts.ts";
import type { TestDatabase } from "./open-databases.ts";
import type { TestArena } from "./test-arena.ts";

export interface SignedAgent {
  id: number;
  key: string;
  headers: { authorization: string };
}

/** Registers an edgearena-v1 agent of a fresh account; it is PENDING. */
export async function registerSigned(
  arena: TestArena,
  url: string,
  roles: string[] = ["SCOUT", "BUILDER", "ANALYST"],
): Promise<SignedAgent> {
  const account = await arena.app.inject({ method: "POST", url: "/api/register" });
  const headers = { authorization: `Bearer ${account.json().api_key}` };
  const payload = { name: "signed", mode: "push", dialect: "edgearena-v1", roles, endpoint_url: url };
  const made = await arena.app.inject({ method: "POST", url: "/api/agents", headers, payload });
  if (made.statusCode !== 201) throw new Error(made.body);
  return { id: made.json().id, key: made.json().webhook_secret, headers };
}

/** Puts an agent into a status as if it had come there just now, for tests of what follows from it. */
export async function putInto(database: TestDatabase, arena: TestArena, agentId: number, status: string) {
  const now = new Date(arena.clock.now()).toISOString();
  await database.db.orm.execute(sql`update agents set status = ${status}, status_since = ${now}, failures_in_row = 0,
    successes_in_row = 0, cooldown_until = null, next_probe_at = ${now} where id = ${agentId}`);
}

export interface QueuedTask {
  id: number;
  uuid: string;
  candidateId: string | null;
}

const SETTINGS = {
  scoutDeadlineSeconds: 30,
  buildDeadlineSeconds: 90,
  verifyDeadlineSeconds: 30,
  critiqueDeadlineSeconds: 30,
  claimBySeconds: 15,
};

/** Queues a task of a run of nobody's, straight into the funnel. */
export async function queueTask(
  database: TestDatabase,
  arena: TestArena,
  agentId: number,
  phase: Phase = "SCOUT",
  slot: number | "test" = 1,
): Promise<QueuedTask> {
  const random = { bytes: (length: number) => new Uint8Array(length), uuid: () => crypto.randomUUID() };
  const candidateId = phase === "SCOUT" ? null : crypto.randomUUID();
  const id = await queueRunTask(database.db, { clock: arena.clock, random }, SETTINGS, {
    agentId,
    slotId: slot === "test" ? undefined : slot,
    runId: crypto.randomUUID(),
    phase,
    candidateId,
    goal: "Find a niche.",
    launchpadName: "Make Money",
    messages: [
      { role: "system", content: "Score well." },
      { role: "user", content: "Find a niche." },
    ],
  });
  const [row] = await database.db.run<{ uuid: string }>(
    { name: "uuid-of", text: "select uuid from tasks where id = $1" },
    [id],
  );
  return { id, uuid: row?.uuid as string, candidateId };
}

export interface TaskState {
  state: string;
  cause: string | null;
  error: string | null;
  response: string | null;
  prompt_tokens: number | null;
  model_id: string | null;
  note: string | null;
}

export async function readTask(database: TestDatabase, id: number): Promise<TaskState> {
  const text = "select state, cause, error, response, prompt_tokens, model_id, note from tasks where id = $1";
  const [row] = await database.db.run<TaskState>({ name: "read-task", text }, [id]);
  return row as TaskState;
}

export interface AgentState {
  status: string;
  failures: number;
  successes: number;
  cooldown: number | null;
}

/** `cooldown` in seconds from now. */
export async function readAgent(database: TestDatabase, arena: TestArena, id: number): Promise<AgentState> {
  const text = `select status, failures_in_row as failures, successes_in_row as successes,
    extract(epoch from cooldown_until - $2::timestamptz)::float8 as cooldown from agents where id = $1`;
  const now = new Date(arena.clock.now()).toISOString();
  const [row] = await database.db.run<AgentState>({ name: "read-agent", text }, [id, now]);
  return row as AgentState;
}
