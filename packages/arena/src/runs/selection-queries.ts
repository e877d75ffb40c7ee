import type { Role } from "@agon/protocol";
import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";
import { REPUTATION, type Reputation, toReputation } from "./reputation.ts";

/** An agent that may take places of a role, as the database has it. */
export interface RoleAgent {
  agentId: number;
  accountId: number;
  transport: "push" | "pull" | "house";
  isModel: boolean;
  /** When it last polled, in ms since the epoch; pull agents only. */
  polledAt: number | undefined;
  isFree: boolean;
  reputation: Reputation;
}

/** One task at a time on probation, whatever the owner allows. */
const ROOM = `case when a.status = 'PROBATION' then 1 else a.max_concurrent end`;
/**
 * Tasks at work, and those queued that cannot wait. The ladder task that is made ahead is none of these: it would keep
 * every pull agent from runs for ever.
 */
const LOAD = `(
  (select count(*) from tasks t where t.agent_id = a.id and t.state = 'running')
  + (select count(*) from tasks t where t.agent_id = a.id and t.state = 'queued' and t.kind not in ('gym', 'main'))
)`;
const TODAY = `(
  (select count(*) from tasks t where t.agent_id = a.id and not t.test and t.state <> 'cancelled'
    and t.started_at > $1::timestamptz - interval '1 day')
  + (select count(*) from tasks t where t.agent_id = a.id and not t.test and t.state = 'queued' and t.kind not in ('gym', 'main'))
)`;
const HAS_ROOM = `${LOAD} < ${ROOM} and (a.max_tasks_per_day is null or ${TODAY} < a.max_tasks_per_day)`;
const MAY_SERVE = `a.roles <> '[]'::jsonb and a.deactivated_at is null
  and coalesce(a.suspended_at, a.banned_at, a.paused_at) is null
  and (a.transport <> 'push' or a.status in ('ACTIVE', 'DEGRADED', 'PROBATION'))`;
const IS_COOL = `(a.cooldown_until is null or a.cooldown_until <= $1)`;

/** Indexes: `agents_roles`; `tasks_running`, `tasks_queued`, `tasks_agent` and `contributions_agent` for each of them. */
const ROLE_AGENTS: Statement = {
  name: "role-agents",
  text: `
select a.id, a.account_id, a.transport, a.model_claimed is not null as is_model,
  (extract(epoch from a.last_polled_at) * 1000)::float8 as polled_at,
  ${HAS_ROOM} and ${IS_COOL} as is_free,
  coalesce(r.weight, 0)::float8 as weight, coalesce(r.total, 0)::float8 as total
from agents a
left join lateral (
  select sum(w) as weight, sum(w * score) as total from (
    select c.score, power(2::float8, -greatest(extract(epoch from $1::timestamptz - c.at)::float8, 0) / $3::float8) as w
    from contributions c where c.agent_id = a.id and c.role = $2
    order by c.at desc, c.task_id desc limit $4
  ) latest
) r on a.transport <> 'house'
where ${MAY_SERVE} and a.roles ? $2
order by a.id`,
};

interface Row {
  id: number;
  account_id: number;
  transport: RoleAgent["transport"];
  is_model: boolean;
  polled_at: number | null;
  is_free: boolean;
  weight: number;
  total: number;
}

/** All agents that serve a role now, busy ones included, each with its reputation. */
export async function loadRoleAgents(db: Db, role: Role, now: number): Promise<RoleAgent[]> {
  const halfLifeSeconds = REPUTATION.halfLifeDays * 86_400;
  const rows = await db.run<Row>(ROLE_AGENTS, [toTimestamp(now), role, halfLifeSeconds, REPUTATION.latest]);
  return rows.map((row) => ({
    agentId: row.id,
    accountId: row.account_id,
    transport: row.transport,
    isModel: row.is_model,
    polledAt: row.polled_at ?? undefined,
    isFree: row.is_free,
    reputation: toReputation(row.weight, row.total),
  }));
}

const LOCK: Statement = {
  name: "lock-role-agent",
  text: `select a.id from agents a where a.id = $2 and ${MAY_SERVE} and ${IS_COOL} for update skip locked`,
};
const RECOUNT: Statement = {
  name: "recount-role-agent",
  text: `select ${HAS_ROOM} as has_room from agents a where a.id = $2`,
};

/**
 * Locks an agent until the end of the transaction, if it still has room for a task. Counted again in a statement after
 * the lock: one that locks and counts at once would count what it saw before another node's task was committed. A row
 * that somebody holds at this moment is as good as a busy agent; waiting for it could end in a circle. The house's one
 * row is not locked, or all runs of all nodes would queue up at it; a few tasks more than it may have do no harm.
 */
export async function lockFreeAgent(
  tx: Db,
  { agentId, transport }: Pick<RoleAgent, "agentId" | "transport">,
  now: number,
): Promise<boolean> {
  const params = [toTimestamp(now), agentId];
  if (transport !== "house" && (await tx.run(LOCK, params)).length === 0) return false;
  const [row] = await tx.run<{ has_room: boolean }>(RECOUNT, params);
  return row?.has_room === true;
}

const LOCK_FOR_TEST: Statement = {
  name: "lock-for-phase-test",
  text: `select t.id from agents a left join tasks t
    on t.agent_id = a.id and t.test and (t.state = 'queued' or t.state = 'running')
  where a.id = $1 order by t.id limit 1 for update of a`,
};

/** The agent's open test task, if it has one; two calls at once wait for each other and make one. */
export async function lockForTest(tx: Db, agentId: number): Promise<number | undefined> {
  const [row] = await tx.run<{ id: number | null }>(LOCK_FOR_TEST, [agentId]);
  return row?.id ?? undefined;
}

const PARKED: Statement = {
  name: "touch-parked",
  text: `
update agents a set last_polled_at = $2 where a.id = any(array(
  select id from agents where id = any($1::int[]) and roles <> '[]'::jsonb and (last_polled_at is null or last_polled_at < $2)
  order by id for update skip locked
))`,
};

/**
 * Notes that polls of these agents are parked now, so that passes on other nodes know. Only agents with roles: for all
 * that wait on the ladder it would be a write each few seconds that nobody reads.
 */
export async function touchParked(db: Db, agentIds: readonly number[], now: number): Promise<void> {
  if (agentIds.length > 0) await db.run(PARKED, [agentIds, toTimestamp(now)]);
}
