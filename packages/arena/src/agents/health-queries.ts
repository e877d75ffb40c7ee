import { desc, eq } from "drizzle-orm";
import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";
import { agentTransitions, healthChecks } from "../db/schema.ts";
import type { AgentStatus } from "./status.ts";
import type { Cadence } from "./status-queries.ts";

/** An agent that is to be pinged now. */
export interface DueProbe {
  agentId: number;
  url: string;
  status: AgentStatus;
}

/**
 * Takes the pings that are due, by putting off the next one of each: whoever has moved the time has the ping, so that
 * all nodes together ping once.
 *
 * Index: `agents_probe`. A ping that is long overdue is followed by the next after a whole cadence, not at once.
 */
const CLAIM: Statement = {
  name: "claim-probes",
  text: `
with due as (
  select id from agents where next_probe_at <= $1 and next_probe_at is not null order by next_probe_at limit $2
  for update skip locked
)
update agents a set next_probe_at = greatest(a.next_probe_at, $1::timestamptz - make_interval(secs => 1)) + make_interval(secs =>
  case a.status when 'ACTIVE' then $3::float8 when 'DEGRADED' then $4 else $5 end)
from due where a.id = due.id
returning a.id, a.url, a.status, a.url is not null and a.status in ('ACTIVE', 'DEGRADED', 'PROBATION')
  and coalesce(a.deactivated_at, a.suspended_at, a.banned_at) is null as wanted`,
};

/** @returns the pings to make, and how many were taken in all: agents that the operator has stopped are passed over */
export async function claimProbes(
  db: Db,
  now: number,
  limit: number,
  cadence: Cadence,
): Promise<{ due: DueProbe[]; taken: number }> {
  const rows = await db.run<{ id: number; url: string; status: AgentStatus; wanted: boolean }>(CLAIM, [
    toTimestamp(now),
    limit,
    cadence.healthActiveSeconds,
    cadence.healthDegradedSeconds,
    cadence.healthProbationSeconds,
  ]);
  const due = rows.filter((row) => row.wanted).map(({ id, url, status }) => ({ agentId: id, url, status }));
  return { due, taken: rows.length };
}

/** One GET that asked whether an agent is there, kept for its owner. */
export interface HealthCheck {
  agentId: number;
  kind: "health" | "verify";
  at: number;
  ok: boolean;
  httpStatus: number | undefined;
  latencyMs: number;
  detail: string;
}

export async function insertHealthCheck(db: Db, check: HealthCheck): Promise<void> {
  const { httpStatus, ...rest } = check;
  const at = new Date(check.at);
  await db.orm.insert(healthChecks).values({ ...rest, at, httpStatus, latencyMs: Math.round(check.latencyMs) });
}

const PRUNE: Statement = {
  name: "prune-health-checks",
  text: `delete from health_checks where id = any(array(select id from health_checks where at < $1 limit 5000))`,
};
const PRUNE_COMPLETIONS: Statement = {
  name: "prune-completions",
  text: `delete from completions where at < $1`,
};

const DAY_MS = 86_400_000;
const CHECKS_KEPT_MS = 7 * DAY_MS;
/** A signature is good for ten minutes, so a repeat after a day has long been stale. */
const COMPLETIONS_KEPT_MS = DAY_MS;

/** Drops checks and completions that nobody asks for any more. */
export async function pruneHealth(db: Db, now: number): Promise<void> {
  await db.run(PRUNE, [toTimestamp(now - CHECKS_KEPT_MS)]);
  await db.run(PRUNE_COMPLETIONS, [toTimestamp(now - COMPLETIONS_KEPT_MS)]);
}

/** The latest changes of status, latest first. */
export async function listTransitions(db: Db, agentId: number, limit: number) {
  return db.orm
    .select()
    .from(agentTransitions)
    .where(eq(agentTransitions.agentId, agentId))
    .orderBy(desc(agentTransitions.id))
    .limit(limit);
}

/** The latest checks, latest first. */
export async function listHealthChecks(db: Db, agentId: number, limit: number) {
  return db.orm
    .select()
    .from(healthChecks)
    .where(eq(healthChecks.agentId, agentId))
    .orderBy(desc(healthChecks.id))
    .limit(limit);
}

/** One square of the strip of seven days: an hour, with its checks. */
export interface HealthHour {
  hour: string;
  checks: number;
  failed: number;
}

const HOURS: Statement = {
  name: "health-hours",
  text: `
select to_char(date_trunc('hour', at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as hour, count(*)::int as checks,
  (count(*) filter (where not ok))::int as failed
from health_checks where agent_id = $1 and kind = 'health' and at > $2 group by 1 order by 1`,
};

/** Health pings of the last seven days, by hour. */
export async function listHealthHours(db: Db, agentId: number, now: number): Promise<HealthHour[]> {
  return db.run<HealthHour>(HOURS, [agentId, toTimestamp(now - CHECKS_KEPT_MS)]);
}
