import { type Batcher, createBatcher } from "../db/batch.ts";
import { toTimestamp } from "../db/clock.ts";
import { type Database, type Db, lookedUpByKey, type Statement } from "../db/database.ts";
import type { Clock } from "../ports.ts";
import { slowdownSql } from "../tasks/slowdown.ts";
import { type AfterRecord, type OutcomeCause, type RecordSettings, writeWithGym } from "../tasks/task-records.ts";
import { DELIVERY_COLUMNS, type Delivery, keepSql, rowsSql, toColumns, toDeliveryRow } from "./delivery-log.ts";

/** What became of a pushed task. Text is clean (no NUL, no lone surrogates). */
export interface PushRecord {
  taskId: number;
  agentId: number;
  kind: "gym" | "main";
  /** Set when it is answered. */
  response: string | undefined;
  cause: OutcomeCause | undefined;
  error: string | undefined;
  latencyMs: number;
  /** Its agent's last task failed, so that a good answer has something to end. */
  hasFaults: boolean;
  /** The exchange; none when we failed before anything was sent. */
  delivery: Delivery | undefined;
}

const COLUMNS = { ...DELIVERY_COLUMNS, response: "text", error: "text", latency_ms: "int", has_faults: "boolean" };
const [NOW, FIRST_PAUSE, LONGEST_PAUSE] = [1, 2, 3].map((more) => `$${Object.keys(COLUMNS).length + more}`) as [
  string,
  string,
  string,
];

/**
 * Records outcomes of pushed tasks and keeps their exchanges; returns the outcomes that were the first of their task. As
 * for reports, but without authentication and lateness (the exchange's own deadline has judged that), and with our own
 * faults, which touch nothing of the agent. Running is told by other columns than the state, so that no plan can read the
 * index of all running tasks instead.
 *
 * Indexes: tasks and agents by primary key. Locks: the tasks, then the agents whose failures in a row change, both in the
 * order of agents. An agent is looked at only when that may be so.
 */
const RECORD: Statement = {
  name: "record-pushes",
  text: `
with input as (
  select * from ${rowsSql(COLUMNS)} where ${lookedUpByKey("task_id")} order by agent_id, task_id
), done as (
  update tasks t set
    state = case when i.cause is null then 'completed' when i.cause = 'timeout' then 'timeout' else 'failed' end,
    response = i.response, error = i.error, cause = i.cause, latency_ms = i.latency_ms, finished_at = ${NOW}
  from input i where t.id = i.task_id and t.agent_id = i.agent_id and t.finished_at is null and t.state <> 'queued'
  returning t.id, t.agent_id, t.cause, i.has_faults, t.test or t.kind not in ('gym', 'main') as exempt
), kept as (
  ${keepSql("input")} where purpose is not null
), blamed as (
  select agent_id, bool_or(cause is null) as good, max(cause) as cause from done
  where not exempt and cause is distinct from 'arena' and (cause is not null or has_faults)
  group by agent_id order by agent_id
), paused as (
  select b.* from blamed b cross join lateral (
    select id from agents where id = b.agent_id and (not b.good or fault_streak > 0) offset 0 for update
  ) a
), failing as (
  update agents a set ${slowdownSql(NOW, FIRST_PAUSE, LONGEST_PAUSE, "p.cause")}
  from paused p where a.id = p.agent_id and not p.good
), mended as (
  update agents a set fault_streak = 0, slowed_until = null, slowed_cause = null
  from paused p where a.id = p.agent_id and p.good
)
select id from done`,
};

/** Records of one node, gathered into statements. Resolves to whether it was the first outcome of its task. */
export function createPushRecords(
  db: Database,
  clock: Clock,
  settings: RecordSettings,
  afterGym: AfterRecord,
): Batcher<PushRecord, boolean> {
  const write = async (handle: Db, records: readonly PushRecord[]) => {
    const rows = await handle.run<{ id: number }>(RECORD, [
      ...toColumns(records.map(toRow)),
      toTimestamp(clock.now()),
      settings.slowdownSeconds,
      settings.slowdownMaxSeconds,
    ]);
    const recorded = new Set(rows.map((row) => row.id));
    return records.map((record) => recorded.has(record.taskId));
  };
  return createBatcher<PushRecord, boolean>({
    keyOf: (record) => record.taskId,
    // The answer once as such, and once as part of the exchange.
    sizeOf: (record) => 2 * (record.response?.length ?? 0) + (record.delivery?.requestBody.length ?? 0),
    run: (records) =>
      writeWithGym(db, records, write, (record) => record.kind === "gym" && record.cause === undefined, afterGym),
  });
}

function toRow(record: PushRecord): unknown[] {
  const { delivery, response = null, error = null, latencyMs, hasFaults } = record;
  return [
    ...(delivery === undefined ? withoutExchange(record) : toDeliveryRow(delivery)),
    response,
    error,
    latencyMs,
    hasFaults,
  ];
}

/** The columns of a delivery that there is none of: only what tells whose task it is, and that it was our fault. */
function withoutExchange({ taskId, agentId, cause }: PushRecord): unknown[] {
  const known: Record<string, unknown> = { task_id: taskId, agent_id: agentId, cause };
  return Object.keys(DELIVERY_COLUMNS).map((name) => known[name] ?? null);
}
