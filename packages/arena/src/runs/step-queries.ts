import type { Phase } from "@agon/protocol";
import { and, asc, eq } from "drizzle-orm";
import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";
import { candidates, contributions, runs, slots } from "../db/schema.ts";

export type RunRow = typeof runs.$inferSelect;
export type SlotRow = typeof slots.$inferSelect;
export type CandidateRow = typeof candidates.$inferSelect;

/** A run that a pass may carry on. */
export interface DueRun {
  id: string;
  number: number;
  phase: Phase;
  /** A task is over, or the phase is. Else slots wait for agents, and there is nothing but that. */
  has_news: boolean;
  /** Since when the slot waits that has waited longest, in ms since the epoch. */
  waiting_since: number | null;
}

/** Indexes: `runs_open`, `slots_open`, tasks by primary key. A run that only waits for agents at work is left alone. */
const DUE: Statement = {
  name: "due-runs",
  text: `
select * from (
  select r.id, r.number, r.status as phase,
    not exists (select from slots s where s.run_id = r.id and s.state in ('waiting', 'working'))
      or exists (select from slots s join tasks t on t.id = s.task_id
        where s.run_id = r.id and s.state = 'working' and t.state not in ('queued', 'running')) as has_news,
    (select (extract(epoch from min(s.waiting_since)) * 1000)::float8 from slots s
      where s.run_id = r.id and s.state = 'waiting') as waiting_since
  from runs r where r.finished_at is null and r.number > $1
) open where has_news or waiting_since is not null
order by number limit $2`,
};

/** Runs that a pass may carry on, oldest first, behind a number. */
export function loadDueRuns(db: Db, after: number, limit: number): Promise<DueRun[]> {
  return db.run(DUE, [after, limit]);
}

/** A run that is still open, locked until the end of the transaction; undefined when another node is at it. */
export async function lockOpenRun(tx: Db, id: string): Promise<RunRow | undefined> {
  const [row] = await tx.orm.select().from(runs).where(eq(runs.id, id)).for("update", { skipLocked: true });
  return row?.finishedAt === null ? row : undefined;
}

export async function updateRun(tx: Db, id: string, change: Partial<RunRow>): Promise<void> {
  await tx.orm.update(runs).set(change).where(eq(runs.id, id));
}

/** Slots of one phase, in the order of candidates and positions. */
export function loadPhaseSlots(tx: Db, runId: string, phase: Phase): Promise<SlotRow[]> {
  return tx.orm
    .select()
    .from(slots)
    .where(and(eq(slots.runId, runId), eq(slots.phase, phase)))
    .orderBy(asc(slots.id));
}

export async function insertSlots(tx: Db, rows: (typeof slots.$inferInsert)[]): Promise<void> {
  if (rows.length > 0) await tx.orm.insert(slots).values(rows);
}

export async function updateSlot(tx: Db, id: number, change: Partial<SlotRow>): Promise<void> {
  await tx.orm.update(slots).set(change).where(eq(slots.id, id));
}

/** A task that was made for a slot. */
export interface SlotTask {
  id: number;
  slot_id: number;
  agent_id: number;
  state: "queued" | "running" | "completed" | "failed" | "timeout" | "cancelled";
  cause: "timeout" | "error" | "invalid" | "unreachable" | "arena" | null;
  error: string | null;
  started: boolean;
}

const SLOT_TASKS: Statement = {
  name: "slot-tasks",
  text: `select id, slot_id, agent_id, state, cause, error, started_at is not null as started
from tasks where slot_id = any($1::bigint[]) order by id`,
};

export function loadSlotTasks(tx: Db, slotIds: readonly number[]): Promise<SlotTask[]> {
  return slotIds.length === 0 ? Promise.resolve([]) : tx.run(SLOT_TASKS, [slotIds]);
}

const ANSWERS: Statement = {
  name: "run-answers",
  text: `
select t.id, t.response, a.id as agent_id, a.account_id
from tasks t join agents a on a.id = t.agent_id
where t.id = any($1::bigint[])`,
};

/** Who answered a task, and what: the output as JSON text. */
export interface Answer {
  response: string;
  agent_id: number;
  account_id: number;
}

export async function loadAnswers(tx: Db, taskIds: readonly number[]): Promise<Map<number, Answer>> {
  if (taskIds.length === 0) return new Map();
  const rows = await tx.run<Answer & { id: number }>(ANSWERS, [taskIds]);
  return new Map(rows.map((row) => [row.id, row]));
}

const ACCOUNTS: Statement = {
  name: "task-accounts",
  text: `select t.id, a.account_id from tasks t join agents a on a.id = t.agent_id where t.id = any($1::bigint[])`,
};

/** Whose agents did these tasks. */
export async function loadTaskAccounts(tx: Db, taskIds: readonly number[]): Promise<Map<number, number>> {
  if (taskIds.length === 0) return new Map();
  const rows = await tx.run<{ id: number; account_id: number }>(ACCOUNTS, [taskIds]);
  return new Map(rows.map((row) => [row.id, row.account_id]));
}

export async function insertCandidates(tx: Db, rows: (typeof candidates.$inferInsert)[]): Promise<void> {
  if (rows.length > 0) await tx.orm.insert(candidates).values(rows);
}

export function loadCandidates(tx: Db, runId: string): Promise<CandidateRow[]> {
  return tx.orm.select().from(candidates).where(eq(candidates.runId, runId)).orderBy(asc(candidates.number));
}

export async function updateCandidate(tx: Db, id: string, change: Partial<CandidateRow>): Promise<void> {
  await tx.orm.update(candidates).set(change).where(eq(candidates.id, id));
}

/** Keeps what tasks were worth; a task that has a worth keeps it. */
export async function insertContributions(tx: Db, rows: (typeof contributions.$inferInsert)[]): Promise<void> {
  if (rows.length > 0) await tx.orm.insert(contributions).values(rows).onConflictDoNothing();
}

const CANCEL_TASKS: Statement = {
  name: "cancel-run-tasks",
  text: `
with due as (
  select t.id from slots s join tasks t on t.id = s.task_id
  where s.run_id = $1 and t.state in ('queued', 'running') order by t.agent_id, t.id for update of t
)
update tasks t set state = 'cancelled', finished_at = $2 from due
where t.id = due.id and t.state in ('queued', 'running') returning t.agent_id`,
};
const CANCEL_SLOTS: Statement = {
  name: "cancel-slots",
  text: `update slots set state = 'cancelled', finished_at = $2 where run_id = $1 and state in ('waiting', 'working')`,
};

/** Ends all that is open of a run; its agents have room again. */
export async function cancelOpenWork(tx: Db, runId: string, now: number): Promise<number[]> {
  const rows = await tx.run<{ agent_id: number }>(CANCEL_TASKS, [runId, toTimestamp(now)]);
  await tx.run(CANCEL_SLOTS, [runId, toTimestamp(now)]);
  return rows.map((row) => row.agent_id);
}
