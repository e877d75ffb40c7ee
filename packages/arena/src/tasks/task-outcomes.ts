import { type Batcher, createBatcher } from "../db/batch.ts";
import { toTimestamp } from "../db/clock.ts";
import type { Database, Db, Statement } from "../db/database.ts";
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
 * Records outcomes of pushed tasks, one row in and one row out each. First outcome wins. As for reports, but without
 * authentication and lateness (the exchange's own deadline has judged that), and with our own faults, which touch
 * nothing of the agent. A slowed agent's next turn is put off with its pause, or it would stand first in every claim.
 */
const RECORD: Statement = {
  name: "record-outcomes",
  text: `
with input as (
  select * from unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::int[])
    as i(task_id, agent_id, response, cause, error, latency_ms)
), locked as (
  select t.id, t.agent_id, i.response, i.cause, i.error, i.latency_ms, t.test or t.kind not in ('gym', 'main') as exempt
  from input i join tasks t on t.id = i.task_id and t.agent_id = i.agent_id
  where t.state = 'running' and t.id = any($1::bigint[]) order by t.agent_id, t.id for update of t
), done as (
  update tasks t set
    state = case when l.cause is null then 'completed' when l.cause = 'timeout' then 'timeout' else 'failed' end,
    response = l.response, error = l.error, cause = l.cause, latency_ms = l.latency_ms, finished_at = $7
  from locked l where t.id = l.id and t.id = any($1::bigint[]) and t.state = 'running'
  returning t.id, t.agent_id, t.cause, l.exempt
), blamed as (
  select agent_id, bool_or(cause is null) as good, max(cause) as cause from done
  where not exempt and cause is distinct from 'arena' group by agent_id
), paused as (
  select a.id from agents a join blamed b on b.agent_id = a.id
  where a.id = any($2::int[]) and (not b.good or a.fault_streak > 0)
  order by a.id for update of a
), failing as (
  update agents a set ${slowdownSql("$7", "$8", "$9", "b.cause")},
    next_push_at = greatest(a.next_push_at, $7::timestamptz + make_interval(secs =>
      least($9::float8, $8::float8 * power(2, least(a.fault_streak, 20)))))
  from blamed b, paused p where a.id = b.agent_id and a.id = any($2::int[]) and p.id = a.id and not b.good
), mended as (
  update agents a set fault_streak = 0, slowed_until = null, slowed_cause = null
  from blamed b, paused p where a.id = b.agent_id and a.id = any($2::int[]) and p.id = a.id and b.good
)
select i.task_id, d.id is not null as recorded from input i left join done d on d.id = i.task_id`,
};

/** Outcomes of one node, gathered into statements. Resolves to whether it was the first of its task. */
export function createOutcomes(
  db: Database,
  clock: Clock,
  settings: RecordSettings,
  afterGym: AfterRecord,
): Batcher<Outcome, boolean> {
  const write = async (handle: Db, outcomes: readonly Outcome[]) => {
    const sorted = [...outcomes].sort((a, b) => a.agentId - b.agentId || a.taskId - b.taskId);
    const rows = await handle.run<{ task_id: number; recorded: boolean }>(RECORD, [
      sorted.map((outcome) => outcome.taskId),
      sorted.map((outcome) => outcome.agentId),
      sorted.map((outcome) => outcome.response ?? null),
      sorted.map((outcome) => outcome.cause ?? null),
      sorted.map((outcome) => outcome.error ?? null),
      sorted.map((outcome) => outcome.latencyMs),
      toTimestamp(clock.now()),
      settings.slowdownSeconds,
      settings.slowdownMaxSeconds,
    ]);
    const recorded = new Map(rows.map((row) => [row.task_id, row.recorded]));
    return outcomes.map((outcome) => recorded.get(outcome.taskId) === true);
  };
  return createBatcher<Outcome, boolean>({
    keyOf: (outcome) => outcome.taskId,
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
