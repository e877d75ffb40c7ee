import { sql } from "drizzle-orm";
import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";
import { accounts, agents } from "../db/schema.ts";

/** A poll lasts 50 s at the most, so who has not polled for longer is away. */
const POLL_FRESH_SECONDS = 60;
/** The sweep ends every task 12 s after its deadline; one that runs for longer was missed. */
const OVERDUE_SECONDS = 15;

export interface WorkRow {
  kind: string;
  state: "queued" | "running";
  tasks: number;
  /** How long the oldest has been in this state. */
  oldest_seconds: number | null;
  /** Queued ones whose agent could take them now, and how long the oldest of them waits. */
  ready: number;
  ready_oldest_seconds: number | null;
}

/**
 * One ladder task waits per pull agent, also for those that are away for weeks; a queue is long when agents that are here
 * wait. Of push agents only tests and tasks of runs are queued: what the ladder sends them begins as running.
 * Indexes: `tasks_queued`, `tasks_running`, agents by primary key.
 */
const WORK: Statement = {
  name: "work-by-kind",
  text: `
with queued as (
  select t.kind, extract(epoch from $1::timestamptz - t.inserted_at)::float8 as age,
    a.deactivated_at is null and a.suspended_at is null and a.banned_at is null and a.paused_at is null
      and coalesce(a.slowed_until, a.created_at) <= $1::timestamptz
      and case a.transport when 'pull' then a.last_polled_at > $1::timestamptz - make_interval(secs => $2)
        when 'push' then a.ping_error is null
        else true end as ready
  from tasks t join agents a on a.id = t.agent_id where t.state = 'queued'
)
select kind, 'queued' as state, count(*)::int as tasks, max(age) as oldest_seconds,
  (count(*) filter (where ready))::int as ready, max(age) filter (where ready) as ready_oldest_seconds
from queued group by kind
union all
select kind, 'running', count(*)::int, max(extract(epoch from $1::timestamptz - started_at)::float8), 0, null
from tasks where state = 'running' group by kind order by state, kind`,
};
/** Index: `tasks_deadline`. */
const OVERDUE: Statement = {
  name: "tasks-overdue",
  text: `
select count(*)::int as tasks from tasks
where state = 'running' and deadline_at < $1::timestamptz - make_interval(secs => $2)`,
};
const VOTES: Statement = { name: "votes-so-far", text: `select value from counters where name = 'votes'` };

/** Where everything stands at this moment. */
export async function loadPresent(db: Db, now: number) {
  const at = toTimestamp(now);
  const [agentCounts] = await db.orm
    .select({
      active: sql<number>`count(*) filter (where deactivated_at is null and suspended_at is null and banned_at is null)::int`,
      slowed: sql<number>`count(*) filter (where slowed_until > ${at}::timestamptz)::int`,
      suspended: sql<number>`count(*) filter (where suspended_at is not null and deactivated_at is null)::int`,
      polling: sql<number>`count(*) filter (where last_polled_at > ${at}::timestamptz - make_interval(secs => ${POLL_FRESH_SECONDS}))::int`,
      total: sql<number>`count(*)::int`,
    })
    .from(agents);
  const [accountCounts] = await db.orm
    .select({ total: sql<number>`count(*)::int`, banned: sql<number>`count(banned_at)::int` })
    .from(accounts);
  const work = await db.run<WorkRow>(WORK, [at, POLL_FRESH_SECONDS]);
  const [overdue] = await db.run<{ tasks: number }>(OVERDUE, [at, OVERDUE_SECONDS]);
  const [votes] = await db.run<{ value: number }>(VOTES, []);
  const sum = (state: WorkRow["state"]) =>
    work.filter((row) => row.state === state).reduce((total, row) => total + row.tasks, 0);
  return {
    agents: agentCounts ?? { active: 0, slowed: 0, suspended: 0, polling: 0, total: 0 },
    accounts: accountCounts ?? { total: 0, banned: 0 },
    queued: sum("queued"),
    running: sum("running"),
    work,
    overdue: overdue?.tasks ?? 0,
    votes: votes?.value ?? 0,
  };
}
