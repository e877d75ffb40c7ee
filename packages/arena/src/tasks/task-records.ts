import type { WorkKind } from "@agon/protocol";
import { type Batcher, createBatcher } from "../db/batch.ts";
import { toTimestamp } from "../db/clock.ts";
import type { Database, Db, Statement } from "../db/database.ts";
import type { Clock } from "../ports.ts";
import { type Gate, gateSql } from "./agent-gate.ts";
import { slowdownSql } from "./slowdown.ts";

export type TaskState = "queued" | "running" | "completed" | "failed" | "timeout" | "cancelled";

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
 * Records many reports at once, one row in and one row out per report.
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
  left join agents a on a.id = i.agent_id and a.id = any($1::int[])
), locked as (
  select t.id, t.agent_id, t.state, t.response, t.error, t.test, t.kind,
    i.response as new_response, i.error as new_error, i.invalid, i.latency_ms, i.arrived_at,
    i.arrived_at > t.deadline_at + make_interval(secs => $9) as late
  from input i join tasks t on t.id = i.task_id and t.agent_id = i.agent_id and t.kind = i.kind
  where i.gate = 'open' and t.started_at is not null and t.id = any($3::bigint[])
  order by t.agent_id, t.id
  for update of t
), done as (
  update tasks t set
    state = case when l.late then 'timeout' when l.new_error is null then 'completed' else 'failed' end,
    response = l.new_response, error = l.new_error, latency_ms = l.latency_ms, finished_at = l.arrived_at,
    cause = case when l.late then 'timeout' when l.invalid then 'invalid' when l.new_error is not null then 'error' end
  from locked l
  where t.id = l.id and t.id = any($3::bigint[]) and t.state = 'running' and (not l.late or l.new_error is not null)
  returning t.id, t.agent_id, t.state, t.cause, l.test or t.kind not in ('gym', 'main') as exempt
), explained as (
  update tasks t set error = l.new_error, latency_ms = coalesce(t.latency_ms, l.latency_ms) from locked l
  where t.id = l.id and t.id = any($3::bigint[]) and l.state = 'timeout' and l.error is null and l.new_error is not null
), streaks as (
  select agent_id, bool_or(state = 'completed') as good, max(cause) as cause from done where not exempt group by agent_id
), paused as (
  select a.id from agents a join streaks s on s.agent_id = a.id
  where a.id = any($1::int[]) and (not s.good or a.fault_streak > 0)
  order by a.id for update of a
), failing as (
  update agents a set ${slowdownSql("$12", "$10", "$11", "s.cause")}
  from streaks s, paused p where a.id = s.agent_id and a.id = any($1::int[]) and p.id = a.id and not s.good
), mended as (
  update agents a set fault_streak = 0, slowed_until = null, slowed_cause = null
  from streaks s, paused p where a.id = s.agent_id and a.id = any($1::int[]) and p.id = a.id and s.good
)
select i.gate, coalesce(d.state, l.state) as state, d.id is not null as recorded, coalesce(l.late, false) as late,
  d.id is null and l.id is not null
    and (l.response is distinct from l.new_response or l.error is distinct from l.new_error) as differs
from input i
left join locked l on l.id = i.task_id
left join done d on d.id = i.task_id
order by i.agent_id, i.task_id`,
};

type Row = Omit<RecordResult, "state"> & { state: TaskState | null };

function toResult(row: Row): RecordResult {
  return { ...row, state: row.state ?? undefined };
}

/** Runs inside the transaction that records good gym answers, for what must be true as soon as they are. */
export type AfterRecord = (tx: Db, agentIds: readonly number[]) => Promise<void>;

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
    async run(reports) {
      const gym = reports.filter((report) => report.kind === "gym" && report.error === undefined);
      if (gym.length === 0) return write(db, reports);
      return db.transaction(async (tx) => {
        const results = await write(tx, reports);
        await afterGym(tx, [...new Set(gym.map((report) => report.agentId))]);
        return results;
      });
    },
  });
}
