import type { Phase } from "@agon/protocol";
import { and, count, desc, eq, gt, isNull } from "drizzle-orm";
import type { Db, Statement } from "../db/database.ts";
import { runs } from "../db/schema.ts";
import { insertSlots, type RunRow } from "./step-queries.ts";

const LOCK_ACCOUNT: Statement = { name: "lock-account", text: `select id from accounts where id = $1 for update` };

/** Has an account's calls that count its runs wait for each other, on whichever nodes they are. */
export async function lockAccount(tx: Db, accountId: number): Promise<void> {
  await tx.run(LOCK_ACCOUNT, [accountId]);
}

/** Open runs of an account, those begun since a moment, and when the first of these was. */
export async function countRuns(
  tx: Db,
  accountId: number,
  since: Date,
): Promise<{ open: number; recent: number; firstAt: Date | undefined }> {
  const own = eq(runs.accountId, accountId);
  const [open] = await tx.orm
    .select({ total: count() })
    .from(runs)
    .where(and(own, isNull(runs.finishedAt)));
  const recent = await tx.orm
    .select({ at: runs.createdAt })
    .from(runs)
    .where(and(own, gt(runs.createdAt, since)))
    .orderBy(runs.createdAt);
  return { open: Number(open?.total ?? 0), recent: recent.length, firstAt: recent[0]?.at };
}

export async function insertRun(
  tx: Db,
  run: typeof runs.$inferInsert,
  slots: Parameters<typeof insertSlots>[1],
): Promise<RunRow> {
  const [row] = await tx.orm.insert(runs).values(run).returning();
  await insertSlots(tx, slots);
  return row as RunRow;
}

export async function findRun(db: Db, id: string): Promise<RunRow | undefined> {
  const [row] = await db.orm.select().from(runs).where(eq(runs.id, id));
  return row;
}

/** Waits for whoever has the run at this moment, unlike a pass, which leaves it to them. */
export async function lockRun(tx: Db, id: string): Promise<RunRow | undefined> {
  const [row] = await tx.orm.select().from(runs).where(eq(runs.id, id)).for("update");
  return row;
}

/** Runs, latest first, of one account or of all. */
export async function listRuns(
  db: Db,
  page: { limit: number; offset: number; status?: RunRow["status"] | undefined },
): Promise<{ total: number; rows: RunRow[] }> {
  const wanted = page.status === undefined ? undefined : eq(runs.status, page.status);
  const [total] = await db.orm.select({ total: count() }).from(runs).where(wanted);
  const rows = await db.orm
    .select()
    .from(runs)
    .where(wanted)
    .orderBy(desc(runs.number))
    .limit(page.limit)
    .offset(page.offset);
  return { total: Number(total?.total ?? 0), rows };
}

/** One slot with its latest task, as everybody may see it. */
export interface SlotView {
  id: number;
  phase: Phase;
  candidate_id: string | null;
  position: number;
  state: "waiting" | "working" | "done" | "failed" | "cancelled";
  own_account: boolean;
  cause: string | null;
  detail: string | null;
  tries: number;
  agent_id: number | null;
  agent_name: string | null;
  is_house: boolean | null;
  task_state: string | null;
  deadline_ms: number | null;
  latency_ms: number | null;
  prompt_tokens: number | null;
  completion_tokens: number | null;
  model_id: string | null;
  score: number | null;
  score_terms: Record<string, number> | null;
  task_id: number | null;
  response: string | null;
}

const SLOTS: Statement = {
  name: "run-slots",
  text: `
select s.id, s.phase, s.candidate_id, s.position, s.state, s.own_account, s.cause, s.detail, s.tries,
  s.agent_id, a.name as agent_name, a.transport = 'house' as is_house, t.state as task_state, t.latency_ms,
  (extract(epoch from t.deadline_at) * 1000)::float8 as deadline_ms,
  t.prompt_tokens, t.completion_tokens, t.model_id, c.score, c.terms as score_terms, s.task_id,
  case when s.state = 'done' and $2 then t.response end as response
from slots s
left join tasks t on t.id = s.task_id
left join agents a on a.id = s.agent_id
left join contributions c on c.task_id = s.task_id
where s.run_id = $1 order by s.id`,
};

/** The slots of a run; their outputs too, or not, since those may be megabytes. */
export function loadSlotViews(db: Db, runId: string, withOutputs: boolean): Promise<SlotView[]> {
  return db.run(SLOTS, [runId, withOutputs]);
}

const COST: Statement = {
  name: "run-cost",
  text: `
select count(*)::int as tasks, coalesce(sum(t.prompt_tokens), 0)::float8 as prompt_tokens,
  coalesce(sum(t.completion_tokens), 0)::float8 as completion_tokens, coalesce(sum(t.latency_ms), 0)::float8 as agent_ms,
  count(*) filter (where t.state = 'completed' and (t.prompt_tokens is null or t.completion_tokens is null))::int as unknown
from tasks t where t.slot_id = any(array(select id from slots where run_id = $1)) and t.started_at is not null`,
};

export interface RunCost {
  tasks: number;
  prompt_tokens: number;
  completion_tokens: number;
  agent_ms: number;
  /** Answers whose tokens nobody reported. */
  unknown: number;
}

/** What a run took: all tasks that were handed out, failed ones too. */
export async function loadCost(db: Db, runId: string): Promise<RunCost> {
  const [row] = await db.run<RunCost>(COST, [runId]);
  return row as RunCost;
}

/** One contribution as everybody may see it. */
export interface ContributionView {
  role: "SCOUT" | "BUILDER" | "ANALYST";
  score: number;
  /** Milliseconds since the epoch. */
  at: number;
  terms: Record<string, number>;
  phase: Phase;
  run_id: string;
  /** Its beginning. */
  goal: string;
}

/** Indexes: `contributions_agent`, and the primary keys of slots and runs. */
const CONTRIBUTIONS: Statement = {
  name: "agent-contributions",
  text: `
select c.role, c.score, (extract(epoch from c.at) * 1000)::float8 as at, c.terms, s.phase, c.run_id, left(r.goal, 200) as goal
from (
  select *, row_number() over (partition by role order by at desc, task_id desc) as place
  from contributions where agent_id = $1
) c join slots s on s.id = c.slot_id join runs r on r.id = c.run_id
where c.place <= $2 order by c.at, c.task_id`,
};

/** What an agent did in each role, the latest of each, oldest first as `computeReputation` takes it. */
export function loadContributions(db: Db, agentId: number, latest: number): Promise<ContributionView[]> {
  return db.run<ContributionView>(CONTRIBUTIONS, [agentId, latest]);
}
