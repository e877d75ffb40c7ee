import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";

/**
 * Rows read for one look, however long and busy the time; a hundred a part are enough for the slowest of twenty. A day of
 * 300,000 tasks takes 53 ms on PostgreSQL, one of 100,000 takes 170 ms in four statements on the embedded database.
 */
const SAMPLE_MAX = 6_000;
/** Tasks that were made so long before the time are looked at too: they may have waited. */
const LEAD_SECONDS = 3_600;

interface Counts {
  completed: number;
  timeout: number;
  error: number;
  invalid: number;
  unreachable: number;
  arena: number;
}
interface HistoryRow extends Counts {
  /** Number of the part of the time, from 0. */
  slot: number;
  p50_ms: number | null;
  p95_ms: number | null;
}
const NOTHING: HistoryRow = {
  slot: 0,
  completed: 0,
  timeout: 0,
  error: 0,
  invalid: 0,
  unreachable: 0,
  arena: 0,
  p50_ms: null,
  p95_ms: null,
};

/**
 * The first task that was made after a moment, by halving: ids follow the time of making, so each of some thirty steps
 * is one look at the primary key. No index on the time is needed for it, which every task would pay for.
 */
const FIRST_SINCE: Statement = {
  name: "first-task-since",
  text: `
with recursive halving(low, high) as (
  select 1::bigint, coalesce((select id from tasks order by id desc limit 1), 0) + 1
  union all
  select case when seen.id is null or seen.inserted_at >= $1::timestamptz then h.low else seen.id + 1 end,
    case when seen.id is null or seen.inserted_at >= $1::timestamptz then (h.low + h.high) / 2 else h.high end
  from halving h
  left join lateral (
    select id, inserted_at from tasks where id >= (h.low + h.high) / 2 and id < h.high order by id limit 1
  ) seen on true
  where h.low < h.high
)
select low, (select max(high) - 1 from halving) as last from halving where low >= high`,
};
/** Where there are too many tasks, each nth of them stands for n. Tests count nowhere. Index: tasks by primary key. */
const HISTORY: Statement = {
  name: "task-history",
  text: `
select least(floor(extract(epoch from t.finished_at - $1::timestamptz) / $2), $7)::int as slot,
  (count(*) filter (where t.state = 'completed'))::int as completed,
  (count(*) filter (where t.cause = 'timeout'))::int as timeout,
  (count(*) filter (where t.cause = 'error'))::int as error,
  (count(*) filter (where t.cause = 'invalid'))::int as invalid,
  (count(*) filter (where t.cause = 'unreachable'))::int as unreachable,
  (count(*) filter (where t.cause = 'arena'))::int as arena,
  percentile_cont(0.5) within group (order by extract(epoch from t.finished_at - t.started_at)::float8 * 1000)
    filter (where t.state = 'completed') as p50_ms,
  percentile_cont(0.95) within group (order by extract(epoch from t.finished_at - t.started_at)::float8 * 1000)
    filter (where t.state = 'completed') as p95_ms
from generate_series($3::bigint, $4::bigint, $5::bigint) as g(id) join tasks t on t.id = g.id
where t.state in ('completed', 'failed', 'timeout') and not t.test and t.finished_at > $1::timestamptz
  and t.finished_at <= $6::timestamptz
group by slot order by slot`,
};
/** By how many more agents worked at the end of each part than before it. Index: tasks by primary key. */
const CHANGES: Statement = {
  name: "task-flight-changes",
  text: `
select least(floor(extract(epoch from e.at - $1::timestamptz) / $2), $7)::int as slot, sum(e.change)::int as change
from generate_series($3::bigint, $4::bigint, $5::bigint) as g(id) join tasks t on t.id = g.id
cross join lateral (values (t.started_at, 1), (t.finished_at, -1)) as e(at, change)
where t.started_at is not null and e.at > $1::timestamptz and e.at <= $6::timestamptz
group by slot`,
};
/** Index: \`tasks_running\`. */
const RUNNING: Statement = {
  name: "tasks-running-now",
  text: `select count(*)::int as tasks from tasks where state = 'running'`,
};
const OUTCOMES: Statement = {
  name: "recent-outcomes",
  text: `
select t.state, t.cause, count(*)::int as tasks
from generate_series($2::bigint, $3::bigint, $4::bigint) as g(id) join tasks t on t.id = g.id
where t.state in ('completed', 'failed', 'timeout') and not t.test and t.finished_at > $1::timestamptz
group by t.state, t.cause order by t.state, t.cause`,
};

export interface Outcome {
  state: "completed" | "failed" | "timeout";
  cause: string | null;
  tasks: number;
}

/** The tasks to look at for what ended in the last seconds, and how many each that is looked at stands for. */
async function rangeSince(db: Db, seconds: number, now: number) {
  const [range] = await db.run<{ low: number; last: number }>(FIRST_SINCE, [
    toTimestamp(now - (seconds + LEAD_SECONDS) * 1000),
  ]);
  const { low, last } = range ?? { low: 1, last: 0 };
  return { low, last, step: Math.max(1, Math.ceil((last - low + 1) / SAMPLE_MAX)) };
}

/** How tasks ended in the last hour, by what they ended with and the cause. */
export async function loadOutcomes(db: Db, now: number): Promise<Outcome[]> {
  const { low, last, step } = await rangeSince(db, 3_600, now);
  const rows = await db.run<Outcome>(OUTCOMES, [toTimestamp(now - 3_600_000), low, last, step]);
  return rows.map((row) => ({ ...row, tasks: row.tasks * step }));
}

/** How tasks ended in a stretch of time before now, in equal parts. `each`: every so many tasks one was looked at. */
export async function loadHistory(db: Db, now: number, span: { seconds: number; slots: number }) {
  const since = now - span.seconds * 1000;
  const slotSeconds = span.seconds / span.slots;
  const { low, last, step } = await rangeSince(db, span.seconds, now);
  const times = [toTimestamp(since), slotSeconds, low, last, step, toTimestamp(now), span.slots - 1];
  const inFlight = await loadInFlight(db, times, span.slots, step);
  const rows = new Map((await db.run<HistoryRow>(HISTORY, times)).map((row) => [row.slot, row]));
  const points = Array.from({ length: span.slots }, (_, slot) => {
    const { completed, timeout, error, invalid, unreachable, arena, p50_ms, p95_ms } = rows.get(slot) ?? NOTHING;
    return {
      at: new Date(since + slot * slotSeconds * 1000).toISOString(),
      completed: completed * step,
      timeout: timeout * step,
      error: error * step,
      invalid: invalid * step,
      unreachable: unreachable * step,
      arena: arena * step,
      p50_ms,
      p95_ms,
      in_flight: inFlight[slot] ?? 0,
    };
  });
  return { since: new Date(since).toISOString(), slot_seconds: slotSeconds, each: step, points };
}

/** Tasks that were worked on at the end of each part: what is so now, and back from there by what began and ended. */
async function loadInFlight(db: Db, times: readonly unknown[], slots: number, step: number): Promise<number[]> {
  const [now] = await db.run<{ tasks: number }>(RUNNING, []);
  const changes = new Map<number, number>();
  for (const { slot, change } of await db.run<{ slot: number; change: number }>(CHANGES, times)) {
    changes.set(slot, change * step);
  }
  const inFlight: number[] = [];
  let working = now?.tasks ?? 0;
  for (let slot = slots - 1; slot >= 0; slot -= 1) {
    // A sample may take a start without its end.
    inFlight[slot] = Math.max(0, working);
    working -= changes.get(slot) ?? 0;
  }
  return inFlight;
}
