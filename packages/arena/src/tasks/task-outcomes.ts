import { type Batcher, createBatcher } from "../db/batch.ts";
import { toTimestamp } from "../db/clock.ts";
import { type Database, type Db, lookedUpByKey, type Statement } from "../db/database.ts";
import type { Clock } from "../ports.ts";
import { slowdownSql } from "./slowdown.ts";
import type { AfterRecord, RecordSettings } from "./task-records.ts";

export type OutcomeCause = "timeout" | "error" | "invalid" | "unreachable" | "arena";

/** What the arena itself learnt of a task that it had sent out. Text is clean (no NUL, no lone surrogates). */
export interface Outcome {
  taskId: number;
  agentId: number;
  kind: "gym" | "main";
  /** Set when it is answered. */
  response: string | undefined;
  cause: OutcomeCause | undefined;
  error: string | undefined;
  latencyMs: number;
}

/**
 * Records outcomes of pushed tasks; returns those that were the first of their task. As for reports, but without
 * authentication and lateness (the exchange's own deadline has judged that), and with our own faults, which touch
 * nothing of the agent. A slowed agent's next turn is put off with its pause, or it would stand first in every claim.
 * Running is told by other columns than the state, so that no plan can read the index of all running tasks instead.
 */
const RECORD: Statement = {
  name: "record-outcomes",
  text: `
with input as (
  select * from unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::int[])
    as i(task_id, agent_id, response, cause, error, latency_ms)
  where ${lookedUpByKey("task_id")} order by agent_id, task_id
), done as (
  update tasks t set
    state = case when i.cause is null then 'completed' when i.cause = 'timeout' then 'timeout' else 'failed' end,
    response = i.response, error = i.error, cause = i.cause, latency_ms = i.latency_ms, finished_at = $7
  from input i where t.id = i.task_id and t.agent_id = i.agent_id and t.finished_at is null and t.state <> 'queued'
  returning t.id, t.agent_id, t.cause, t.test or t.kind not in ('gym', 'main') as exempt
), blamed as (
  select agent_id, bool_or(cause is null) as good, max(cause) as cause from done
  where not exempt and cause is distinct from 'arena' group by agent_id order by agent_id
), paused as (
  select b.* from blamed b cross join lateral (
    select id from agents where id = b.agent_id and (not b.good or fault_streak > 0) offset 0 for update
  ) a
), failing as (
  update agents a set ${slowdownSql("$7", "$8", "$9", "p.cause")},
    next_push_at = greatest(a.next_push_at, $7::timestamptz + make_interval(secs =>
      least($9::float8, $8::float8 * power(2, least(a.fault_streak, 20)))))
  from paused p where a.id = p.agent_id and not p.good
), mended as (
  update agents a set fault_streak = 0, slowed_until = null, slowed_cause = null
  from paused p where a.id = p.agent_id and p.good
)
select id from done`,
};

/** Outcomes of one node, gathered into statements. Resolves to whether it was the first of its task. */
export function createOutcomes(
  db: Database,
  clock: Clock,
  settings: RecordSettings,
  afterGym: AfterRecord,
): Batcher<Outcome, boolean> {
  const write = async (handle: Db, outcomes: readonly Outcome[]) => {
    const rows = await handle.run<{ id: number }>(RECORD, [
      outcomes.map((outcome) => outcome.taskId),
      outcomes.map((outcome) => outcome.agentId),
      outcomes.map((outcome) => outcome.response ?? null),
      outcomes.map((outcome) => outcome.cause ?? null),
      outcomes.map((outcome) => outcome.error ?? null),
      outcomes.map((outcome) => outcome.latencyMs),
      toTimestamp(clock.now()),
      settings.slowdownSeconds,
      settings.slowdownMaxSeconds,
    ]);
    const recorded = new Set(rows.map((row) => row.id));
    return outcomes.map((outcome) => recorded.has(outcome.taskId));
  };
  return createBatcher<Outcome, boolean>({
    keyOf: (outcome) => outcome.taskId,
    sizeOf: (outcome) => outcome.response?.length ?? 0,
    async run(outcomes) {
      const gym = outcomes.filter((outcome) => outcome.kind === "gym" && outcome.cause === undefined);
      if (gym.length === 0) return write(db, outcomes);
      return db.transaction(async (tx) => {
        const results = await write(tx, outcomes);
        await afterGym(tx, [...new Set(gym.map((outcome) => outcome.agentId))]);
        return results;
      });
    },
  });
}
