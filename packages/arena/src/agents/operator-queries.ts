import { and, count, desc, eq, ilike, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { toTimestamp } from "../db/clock.ts";
import type { Db } from "../db/database.ts";
import { accounts, agents, apiKeys, standings } from "../db/schema.ts";
import type { AgentRow } from "./agent-queries.ts";

export const AGENT_STATES = [
  "active",
  "slowed",
  "unreachable",
  "suspended",
  "banned",
  "paused",
  "pending",
  "deactivated",
] as const;
export type AgentState = (typeof AGENT_STATES)[number];

interface AgentsQuery {
  search: string;
  state?: AgentState | undefined;
  limit: number;
  offset: number;
}

export interface ListedAgent {
  agent: AgentRow;
  username: string;
  elo: number | null;
  /** When the latest of its last tasks ended with an answer, in ms. */
  answeredAt: number | null;
}

/** `%text%` with what the pattern would read as its own signs taken literally. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

const isHere = and(
  isNull(agents.deactivatedAt),
  isNull(agents.bannedAt),
  isNull(agents.suspendedAt),
  isNull(agents.pausedAt),
);

/** In the order in which `agentStatus` names them; "slowed" is no status but what an operator looks for. */
function inState(state: AgentState, now: number): SQL | undefined {
  const later = sql`${toTimestamp(now)}::timestamptz`;
  switch (state) {
    case "active":
      return and(isHere, isNull(agents.pingError), sql`coalesce(${agents.status}, 'ACTIVE') = 'ACTIVE'`);
    case "slowed":
      return and(
        isHere,
        sql`(${agents.slowedUntil} > ${later} or ${agents.cooldownUntil} > ${later} or ${agents.status} in ('DEGRADED', 'PROBATION'))`,
      );
    case "unreachable":
      return and(isHere, or(isNotNull(agents.pingError), eq(agents.status, "SUSPENDED")));
    case "suspended":
      return and(isNotNull(agents.suspendedAt), isNull(agents.deactivatedAt));
    case "banned":
      return and(isNotNull(agents.bannedAt), isNull(agents.deactivatedAt));
    case "paused":
      return and(isNotNull(agents.pausedAt), isNull(agents.deactivatedAt));
    case "pending":
      return and(isHere, eq(agents.status, "PENDING"));
    case "deactivated":
      return isNotNull(agents.deactivatedAt);
  }
}

/** Agents, newest first. Reads the whole table where something is searched: an operator does that now and then. */
export async function listAllAgents(
  db: Db,
  query: AgentsQuery,
  now: number,
): Promise<{ total: number; rows: ListedAgent[] }> {
  const text = query.search.trim();
  const where = and(
    query.state === undefined ? undefined : inState(query.state, now),
    text === ""
      ? undefined
      : or(
          ilike(agents.name, containing(text)),
          ilike(accounts.username, containing(text)),
          /^\d{1,9}$/.test(text) ? eq(agents.id, Number(text)) : undefined,
        ),
  );
  const [total] = await db.orm
    .select({ total: count() })
    .from(agents)
    .innerJoin(accounts, eq(accounts.id, agents.accountId))
    .where(where);
  const rows = await db.orm
    .select({
      agent: agents,
      username: accounts.username,
      elo: standings.elo,
      // A few of the latest, by `tasks_agent`: an agent that has answered nothing for long has no recent one among them.
      answeredAt: sql<number | null>`(
        select (extract(epoch from max(t.finished_at)) * 1000)::float8
        from (select state, finished_at from tasks where agent_id = agents.id order by id desc limit 5) t
        where t.state = 'completed')`,
    })
    .from(agents)
    .innerJoin(accounts, eq(accounts.id, agents.accountId))
    .leftJoin(standings, and(eq(standings.agentId, agents.id), eq(standings.category, "")))
    .where(where)
    .orderBy(desc(agents.id))
    .limit(query.limit)
    .offset(query.offset);
  return { total: Number(total?.total ?? 0), rows };
}

export const ACCOUNT_STATES = ["present", "banned", "deleted"] as const;

/** Accounts, newest first. */
export async function listAllAccounts(
  db: Db,
  query: { search: string; state?: (typeof ACCOUNT_STATES)[number] | undefined; limit: number; offset: number },
) {
  const text = query.search.trim();
  const where = and(
    query.state === undefined
      ? undefined
      : query.state === "deleted"
        ? isNotNull(accounts.deletedAt)
        : and(
            isNull(accounts.deletedAt),
            query.state === "banned" ? isNotNull(accounts.bannedAt) : isNull(accounts.bannedAt),
          ),
    text === ""
      ? undefined
      : or(
          ilike(accounts.username, containing(text)),
          ilike(accounts.displayName, containing(text)),
          /^\d{1,9}$/.test(text) ? eq(accounts.id, Number(text)) : undefined,
        ),
  );
  const [total] = await db.orm.select({ total: count() }).from(accounts).where(where);
  // Spelled out: in what it selects from one table the query builder leaves the tables' names away, and the inner "id"
  // would then be another table's. Indexes: `agents_account`, `api_keys_account`, `votes_judge`.
  const rows = await db.orm
    .select({
      id: accounts.id,
      username: accounts.username,
      displayName: accounts.displayName,
      createdAt: accounts.createdAt,
      bannedAt: accounts.bannedAt,
      deletedAt: accounts.deletedAt,
      agentCount: sql<number>`(select count(*)::int from agents a where a.account_id = accounts.id and a.deactivated_at is null)`,
      keyCount: sql<number>`(select count(*)::int from api_keys k where k.account_id = accounts.id)`,
      votes: sql<number>`(
        select count(*)::int from votes v where v.judge_kind = 'account' and v.judge_id = accounts.id::text)`,
    })
    .from(accounts)
    .where(where)
    .orderBy(desc(accounts.id))
    .limit(query.limit)
    .offset(query.offset);
  return { total: Number(total?.total ?? 0), rows };
}

/** Bans an account with all its agents, or lifts that, in one transaction. Returns false when there is none. */
export async function setBanned(tx: Db, accountId: number, bannedAt: Date | null): Promise<boolean> {
  const changed = await tx.orm.update(accounts).set({ bannedAt }).where(eq(accounts.id, accountId)).returning();
  await tx.orm.update(agents).set({ bannedAt }).where(eq(agents.accountId, accountId));
  return changed.length > 0;
}

/** Replaces every key of an account by one. */
export async function replaceKeys(tx: Db, accountId: number, keyHash: string, now: Date): Promise<void> {
  await tx.orm.delete(apiKeys).where(eq(apiKeys.accountId, accountId));
  await tx.orm.insert(apiKeys).values({ accountId, keyHash, createdAt: now });
}
