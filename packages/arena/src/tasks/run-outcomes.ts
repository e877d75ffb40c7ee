import { changeStatuses, type StatusChange, type StatusContext } from "../agents/status-queries.ts";
import { type Batcher, createBatcher } from "../db/batch.ts";
import { toTimestamp } from "../db/clock.ts";
import { type Database, lookedUpByKey, type Statement } from "../db/database.ts";
import type { Clock } from "../ports.ts";
import type { OutcomeCause } from "./task-records.ts";

/** What became of a run task, whoever learnt it: the dispatcher, a completion, a house agent. Text is clean. */
export interface RunOutcome {
  taskId: number;
  agentId: number;
  /** The valid output as JSON text; set when there is no cause. */
  response?: string | undefined;
  cause?: OutcomeCause | undefined;
  error?: string | undefined;
  latencyMs?: number | undefined;
  promptTokens?: number | undefined;
  completionTokens?: number | undefined;
  modelId?: string | undefined;
  /** What was odd about an answer that was taken all the same. */
  note?: string | undefined;
  /** Of a completion call: its signature in lower-case hex, and when it arrived, in ms since the epoch. */
  completion?: { signature: string; arrivedAt: number } | undefined;
}

export interface RunRecord {
  /** Whether this was the first outcome of the task, and in time. */
  recorded: boolean;
  /** This signature had completed this task before. */
  replayed: boolean;
}

export interface RunOutcomeSettings {
  cooldownSeconds: number;
}

/**
 * Records outcomes of run tasks, one row in and one row out each. First outcome wins; a completion that arrived after
 * the deadline is none, whatever the sweep has done by then. Every completion is remembered, also one that changes
 * nothing, in the statement that acts on it: remembered earlier it would refuse the repeat of one that was lost in a
 * crash, later it would be unknown to another node.
 *
 * Index: tasks by primary key. Locks: tasks in the order of agent and id.
 */
const RECORD: Statement = {
  name: "record-run-outcomes",
  text: `
with input as (
  select * from unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::int[], $7::int[], $8::int[],
      $9::text[], $10::text[], $11::text[], $12::timestamptz[])
    as i(task_id, agent_id, response, cause, error, latency_ms, prompt_tokens, completion_tokens,
      model_id, note, signature, arrived_at)
  where ${lookedUpByKey("task_id")} order by agent_id, task_id
), seen as (
  insert into completions (task_uuid, signature, at)
  select t.uuid, i.signature, i.arrived_at from input i join tasks t on t.id = i.task_id
  where i.signature is not null
  on conflict do nothing returning task_uuid, signature
), locked as (
  select i.*, t.* from input i left join lateral (
    select id, test, started_at from tasks
    where id = i.task_id and agent_id = i.agent_id and state = 'running'
      and (i.signature is null or (i.arrived_at <= deadline_at
        and exists (select from seen s where s.task_uuid = uuid and s.signature = i.signature)))
    offset 0 for update
  ) t on true
), done as (
  update tasks t set
    state = case when l.cause is null then 'completed' when l.cause = 'timeout' then 'timeout' else 'failed' end,
    response = l.response, error = l.error, cause = l.cause, finished_at = coalesce(l.arrived_at, $13),
    latency_ms = coalesce(l.latency_ms, (extract(epoch from coalesce(l.arrived_at, $13::timestamptz) - l.started_at) * 1000)::int),
    prompt_tokens = l.prompt_tokens, completion_tokens = l.completion_tokens, model_id = l.model_id, note = l.note
  from locked l where t.id = l.id
)
select task_id, id is not null as recorded, test, (extract(epoch from started_at) * 1000)::float8 as started_at,
  signature is not null and not exists (
    select from seen s where s.task_uuid = (select uuid from tasks where id = task_id) and s.signature = l.signature
  ) as replayed
from locked l`,
};

const COOL_DOWN: Statement = {
  name: "cool-agents-down",
  text: `
update agents a set cooldown_until = greatest(a.cooldown_until, $1::timestamptz + make_interval(secs => $2)), cooldown_cause = i.cause
from (select * from unnest($3::int[], $4::text[]) as i(id, cause) where ${lookedUpByKey("id")} order by id) i
where a.id = i.id and a.status is not null and a.status <> 'PENDING' and $2::float8 > 0`,
};

interface Row {
  task_id: number;
  recorded: boolean;
  test: boolean | null;
  started_at: number | null;
  replayed: boolean;
}

/** Outcomes after which the agent is let be for a while and which count against its health; the others do neither. */
const FAILURES: ReadonlySet<OutcomeCause> = new Set(["error", "timeout", "unreachable"]);

/**
 * Outcomes of one node, gathered into transactions: the tasks, then the agents' cooldowns and statuses (by ascending id,
 * as everybody locks them). Agents without a status have neither.
 */
export function createRunOutcomes(
  db: Database,
  clock: Clock,
  context: StatusContext & { settings: RunOutcomeSettings },
): Batcher<RunOutcome, RunRecord> {
  return createBatcher<RunOutcome, RunRecord>({
    keyOf: (outcome) => outcome.taskId,
    sizeOf: (outcome) => outcome.response?.length ?? 0,
    run: (outcomes) =>
      db.transaction(async (tx) => {
        const now = clock.now();
        const sorted = [...outcomes].sort((a, b) => a.agentId - b.agentId || a.taskId - b.taskId);
        const rows = await tx.run<Row>(RECORD, [...toColumns(sorted), toTimestamp(now)]);
        const byTask = new Map(rows.map((row) => [row.task_id, row]));
        const changes: StatusChange[] = [];
        const cooling = new Map<number, string>();
        for (const outcome of sorted) {
          const row = byTask.get(outcome.taskId);
          // A test counts nowhere, and what is our fault or out of shape says nothing of the agent's health.
          if (!row?.recorded || row.test || row.started_at === null) continue;
          const failed = outcome.cause !== undefined && FAILURES.has(outcome.cause);
          if (outcome.cause !== undefined && !failed) continue;
          if (failed) cooling.set(outcome.agentId, outcome.cause as string);
          changes.push({
            agentId: outcome.agentId,
            event: { type: "outcome", ok: !failed, begunAt: row.started_at },
            cause: failed ? `dispatch_${outcome.cause}` : "dispatch_ok",
            detail: failed ? (outcome.error ?? "A dispatch failed.") : "A dispatch was answered.",
          });
        }
        // First of the two, for it locks the agents in order.
        if (changes.length > 0) await changeStatuses(tx, context, now, changes);
        if (cooling.size > 0) {
          const settings = context.settings;
          await tx.run(COOL_DOWN, [
            toTimestamp(now),
            settings.cooldownSeconds,
            [...cooling.keys()],
            [...cooling.values()],
          ]);
        }
        return outcomes.map(({ taskId }) => {
          const row = byTask.get(taskId);
          return { recorded: row?.recorded === true, replayed: row?.replayed === true };
        });
      }),
  });
}

function toColumns(outcomes: readonly RunOutcome[]): unknown[] {
  return [
    outcomes.map((each) => each.taskId),
    outcomes.map((each) => each.agentId),
    outcomes.map((each) => each.response ?? null),
    outcomes.map((each) => each.cause ?? null),
    outcomes.map((each) => each.error ?? null),
    outcomes.map((each) => (each.latencyMs === undefined ? null : Math.round(each.latencyMs))),
    outcomes.map((each) => each.promptTokens ?? null),
    outcomes.map((each) => each.completionTokens ?? null),
    outcomes.map((each) => each.modelId ?? null),
    outcomes.map((each) => each.note ?? null),
    outcomes.map((each) => each.completion?.signature ?? null),
    outcomes.map((each) => (each.completion === undefined ? null : toTimestamp(each.completion.arrivedAt))),
  ];
}
