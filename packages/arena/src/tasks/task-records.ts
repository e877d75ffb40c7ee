import type { WorkKind } from "@agon/protocol";
import { type Batcher, createBatcher } from "../db/batch.ts";
import { toTimestamp } from "../db/clock.ts";
import { type Database, type Db, lookedUpByKey, type Statement } from "../db/database.ts";
import type { Clock } from "../ports.ts";
import { type Gate, gateSql } from "./agent-gate.ts";
import { slowdownSql } from "./slowdown.ts";

export type TaskState = "queued" | "running" | "completed" | "failed" | "timeout" | "cancelled";

/** Why a task ended without an answer that counts. */
export type OutcomeCause = "timeout" | "error" | "invalid" | "unreachable" | "arena";

/** What a runner reports of one task: its answer, or why there is none. Text is clean (no NUL, no lone surrogates). */
export interface Report {
  agentId: number;
  secretHash: string;
  taskId: number;
  kind: WorkKind;
  response: string | undefined;
  error: string | undefined;
  /** The error is ours to tell: what came is not in shape. */
  invalid?: boolean;
  latencyMs: number | undefined;
  /** When the report reached us, in ms since the epoch: lateness is judged by this, not by when it is written. */
  arrivedAt: number;
}

export interface RecordResult {
  gate: Gate;
  /** State of the task after this report; undefined when no such task was ever handed to this agent. */
  state: TaskState | undefined;
  /** Whether this report was the first outcome. */
  recorded: boolean;
  /** The report came after deadline and grace. */
  late: boolean;
  /** An earlier outcome with other content stands. */
  differs: boolean;
}

export interface RecordSettings {
  resultGraceSeconds: number;
  slowdownSeconds: number;
  slowdownMaxSeconds: number;
}

/**
 * Records many reports at once, one row in and one row out per report, in the order of agent and task.
 *
 * Index: tasks by primary key. Locks: the tasks, then the agents whose failures in a row change, both in the order of
 * agent and id, so that two nodes never wait for each other. First outcome wins: only a running task changes state.
 * A late error report gives the timeout its reason; a late answer changes nothing. A good answer touches the agent's row
 * only when it ends a streak of failures.
 */
const RECORD: Statement = {
  name: "record-reports",
  text: `
with input as (
  select i.*, ${gateSql("i.secret_hash")} as gate
  from unnest($1::int[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::int[], $8::timestamptz[], $13::boolean[])
    as i(agent_id, secret_hash, task_id, kind, response, error, latency_ms, arrived_at, invalid)
  left join agents a on a.id = i.agent_id
  where ${lookedUpByKey("i.task_id")}
  order by i.agent_id, i.task_id
), locked as (
  select i.*, t.*, i.arrived_at > t.deadline_at + make_interval(secs => $9) as late
  from input i left join lateral (
    select id, state as old_state, response as old_response, error as old_error, deadline_at,
      test or tasks.kind not in ('gym', 'main') as exempt
    from tasks
    where id = i.task_id and i.gate = 'open' and agent_id = i.agent_id and tasks.kind = i.kind and started_at is not null
    offset 0 for update
  ) t on true
), judged as (
  select l.*, coalesce(old_state = 'running' and (not late or error is not null), false) as recorded,
    case when late then 'timeout' when error is null then 'completed' else 'failed' end as new_state,
    case when late then 'timeout' when invalid then 'invalid' when error is not null then 'error' end as cause
  from locked l
), done as (
  update tasks t set state = j.new_state, response = j.response, error = j.error, latency_ms = j.latency_ms,
    finished_at = j.arrived_at, cause = j.cause
  from judged j where t.id = j.id and j.recorded
), explained as (
  update tasks t set error = j.error, latency_ms = coalesce(t.latency_ms, j.latency_ms) from judged j
  where t.id = j.id and not j.recorded and j.old_state = 'timeout' and j.old_error is null and j.error is not null
), streaks as (
  select agent_id, bool_or(new_state = 'completed') as good, max(cause) as cause from judged
  where recorded and not exempt group by agent_id order by agent_id
), paused as (
  select s.* from streaks s cross join lateral (
    select id from agents where id = s.agent_id and (not s.good or fault_streak > 0) offset 0 for update
  ) a
), failing as (
  update agents a set ${slowdownSql("$12", "$10", "$11", "p.cause")} from paused p where a.id = p.agent_id and not p.good
), mended as (
  update agents a set fault_streak = 0, slowed_until = null, slowed_cause = null
  from paused p where a.id = p.agent_id and p.good
)
select gate, case when recorded then new_state else old_state end as state, recorded, coalesce(late, false) as late,
  not recorded and id is not null
    and (old_response is distinct from response or old_error is distinct from error) as differs
from judged order by agent_id, task_id`,
};

type Row = Omit<RecordResult, "state"> & { state: TaskState | null };

function toResult(row: Row): RecordResult {
  return { ...row, state: row.state ?? undefined };
}

/** Runs inside the transaction that records good gym answers, for what must be true as soon as they are. */
export type AfterRecord = (tx: Db, agentIds: readonly number[]) => Promise<void>;

/** Writes outcomes; with good gym answers among them, in one transaction with what has to follow from those. */
export async function writeWithGym<Item extends { agentId: number }, Result>(
  db: Database,
  items: readonly Item[],
  write: (handle: Db, items: readonly Item[]) => Promise<Result[]>,
  isGoodGym: (item: Item) => boolean,
  afterGym: AfterRecord,
): Promise<Result[]> {
  const agentIds = [...new Set(items.filter(isGoodGym).map((item) => item.agentId))];
  if (agentIds.length === 0) return write(db, items);
  return db.transaction(async (tx) => {
    const results = await write(tx, items);
    await afterGym(tx, agentIds);
    return results;
  });
}

/** Reports of one node, gathered into statements; one report per task and statement. */
export function createRecords(
  db: Database,
  clock: Clock,
  settings: RecordSettings,
  afterGym: AfterRecord,
): Batcher<Report, RecordResult> {
  const write = async (handle: Db, reports: readonly Report[]) => {
    const sorted = [...reports].sort((a, b) => a.agentId - b.agentId || a.taskId - b.taskId);
    const rows = await handle.run<Row>(RECORD, [
      sorted.map((report) => report.agentId),
      sorted.map((report) => report.secretHash),
      sorted.map((report) => report.taskId),
      sorted.map((report) => report.kind),
      sorted.map((report) => report.response ?? null),
      sorted.map((report) => report.error ?? null),
      sorted.map((report) => report.latencyMs ?? null),
      sorted.map((report) => toTimestamp(report.arrivedAt)),
      settings.resultGraceSeconds,
      settings.slowdownSeconds,
      settings.slowdownMaxSeconds,
      toTimestamp(clock.now()),
      sorted.map((report) => report.invalid === true),
    ]);
    const results = new Map(sorted.map((report, index) => [report, toResult(rows[index] as Row)]));
    return reports.map((report) => results.get(report) as RecordResult);
  };
  return createBatcher<Report, RecordResult>({
    keyOf: (report) => `${report.agentId}/${report.taskId}`,
    sizeOf: (report) => (report.response?.length ?? 0) + (report.error?.length ?? 0),
    run: (reports) =>
      writeWithGym(db, reports, write, (report) => report.kind === "gym" && report.error === undefined, afterGym),
  });
}
