import type { Phase } from "@agon/protocol";
import { sql } from "drizzle-orm";
import type { Db } from "../../src/db/database.ts";
import { createRunOutcomes, type RunOutcome } from "../../src/tasks/run-outcomes.ts";
import type { TestDatabase } from "../support/open-databases.ts";
import { roleOutput } from "../support/role-outputs.ts";
import { putInto, registerSigned } from "../support/signed-agents.ts";
import type { TestArena } from "../support/test-arena.ts";

/** A task of a run as an agent would get it. */
export interface GivenTask {
  id: number;
  agentId: number;
  phase: Phase;
  candidateId: string | null;
  slotId: number;
  payload: { goal: string; launchpadName: string; messages: { role: string; content: string }[] };
}

export async function rows<Row>(db: Db, text: string): Promise<Row[]> {
  const result = (await db.orm.execute(sql.raw(text))) as unknown as { rows: Row[] };
  return result.rows;
}

/** An edgearena-v1 agent of a fresh account that may be sent work; nobody answers at its URL. */
export async function addActive(
  database: TestDatabase,
  arena: TestArena,
  change: { roles?: string[]; status?: string; maxConcurrent?: number } = {},
) {
  const agent = await registerSigned(arena, "https://agent.example/hook", change.roles);
  await putInto(database, arena, agent.id, change.status ?? "ACTIVE");
  await database.db.orm.execute(
    sql`update agents set max_concurrent = ${change.maxConcurrent ?? 1} where id = ${agent.id}`,
  );
  return agent;
}

/** Tasks that wait for agents outside, oldest first. */
export async function queuedTasks(database: TestDatabase): Promise<GivenTask[]> {
  const found = await rows<{
    id: number;
    agent_id: number;
    candidate_id: string | null;
    slot_id: number;
    payload: string;
  }>(
    database.db,
    `select t.id::int, t.agent_id, t.candidate_id, t.slot_id::int, p.payload from tasks t
     join task_payloads p on p.task_id = t.id join agents a on a.id = t.agent_id
     where t.state = 'queued' and a.transport <> 'house' order by t.id`,
  );
  return found.map((row) => {
    const payload = JSON.parse(row.payload);
    return {
      id: row.id,
      agentId: row.agent_id,
      phase: payload.phase,
      candidateId: row.candidate_id,
      slotId: row.slot_id,
      payload,
    };
  });
}

/** Claims a task as a dispatcher would. */
export async function takeTask(database: TestDatabase, arena: TestArena, id: number): Promise<void> {
  const now = new Date(arena.clock.now()).toISOString();
  await database.db.orm.execute(sql`update tasks set state = 'running', started_at = ${now},
    deadline_at = ${now}::timestamptz + make_interval(secs => deadline_seconds) where id = ${id} and state = 'queued'`);
}

export type Answer = Pick<RunOutcome, "response" | "cause" | "error">;

export function answerWell(task: GivenTask, change: Record<string, unknown> = {}): Answer {
  const output = roleOutput(task.phase, task.candidateId);
  // Each scout finds something else, or all but one would be set aside.
  const own = task.phase === "SCOUT" ? distinctFind(task.slotId) : {};
  return { response: JSON.stringify({ ...output, ...own, ...change }) };
}

const WORDS = ["amber", "basalt", "copper", "dune", "ember", "fjord", "glacier", "harbour", "island", "jungle"];

/** Texts without a common piece of any length. */
export function distinctFind(seed: number) {
  const word = WORDS[seed % WORDS.length] as string;
  return {
    candidate_title: `${word} ${seed}`,
    core_problem: `${word} `.repeat(5) + seed,
    proposed_solution: `${seed} ${word} ${word}`,
    target_customer: `${word} people`,
  };
}

/** Records what an agent made of its task, through the funnel. */
export async function endTask(
  database: TestDatabase,
  arena: TestArena,
  task: { id: number; agentId: number },
  answer: Answer,
): Promise<boolean> {
  const settings = {
    cooldownSeconds: 60,
    healthActiveSeconds: 300,
    healthDegradedSeconds: 60,
    healthProbationSeconds: 60,
  };
  const random = { bytes: (length: number) => new Uint8Array(length), uuid: () => crypto.randomUUID() };

  const outcomes = createRunOutcomes(database.db, arena.clock, { random, settings });
  const record = await outcomes.add({ taskId: task.id, agentId: task.agentId, latencyMs: 5, ...answer });
  return record.recorded;
}

/** Has every agent outside answer all that it is given, and the house too, until the run is over or nothing moves. */
export async function play(
  database: TestDatabase,
  arena: TestArena,
  answer: (task: GivenTask) => Answer = (task) => answerWell(task),
  most = 60,
): Promise<void> {
  for (let pass = 0; pass < most; pass += 1) {
    await arena.passes.runs();
    await arena.passes.house();
    const tasks = await queuedTasks(database);
    for (const task of tasks) {
      await takeTask(database, arena, task.id);
      await endTask(database, arena, task, answer(task));
    }
    const [open] = await rows<{ open: number }>(
      database.db,
      "select count(*)::int as open from runs where finished_at is null",
    );
    if (open?.open === 0) return;
    if (tasks.length === 0) arena.clock.advance(2);
  }
}
