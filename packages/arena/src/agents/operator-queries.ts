import { count, eq, sql } from "drizzle-orm";
import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";
import { accounts, agents, apiKeys, tasks } from "../db/schema.ts";
import type { AgentRow } from "./agent-queries.ts";

export async function listAllAgents(
  db: Db,
  page: { limit: number; offset: number },
): Promise<{ total: number; rows: { agent: AgentRow; username: string }[] }> {
  const [total] = await db.orm.select({ total: count() }).from(agents);
  const rows = await db.orm
    .select({ agent: agents, username: accounts.username })
    .from(agents)
    .innerJoin(accounts, eq(accounts.id, agents.accountId))
    .orderBy(agents.id)
    .limit(page.limit)
    .offset(page.offset);
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

const OUTCOMES: Statement = {
  name: "recent-outcomes",
  text: `
select state, cause, count(*)::int as tasks from tasks
where finished_at > $1::timestamptz - interval '1 hour' and state in ('completed', 'failed', 'timeout')
group by state, cause order by state, cause`,
};

/** What an operator looks at first. */
export async function loadOverview(db: Db, now: number) {
  const [agentCounts] = await db.orm
    .select({
      active: sql<number>`count(*) filter (where deactivated_at is null and suspended_at is null and banned_at is null)::int`,
      slowed: sql<number>`count(*) filter (where slowed_until > ${toTimestamp(now)}::timestamptz)::int`,
      total: sql<number>`count(*)::int`,
    })
    .from(agents);
  const [accountCounts] = await db.orm
    .select({ total: sql<number>`count(*)::int`, banned: sql<number>`count(banned_at)::int` })
    .from(accounts);
  const open = await db.orm
    .select({ state: tasks.state, tasks: sql<number>`count(*)::int` })
    .from(tasks)
    .where(sql`${tasks.state} in ('queued', 'running')`)
    .groupBy(tasks.state);
  const outcomes = await db.run<{ state: string; cause: string | null; tasks: number }>(OUTCOMES, [toTimestamp(now)]);
  const [votes] = await db.run<{ value: number }>(VOTES, []);
  return {
    agents: agentCounts ?? { active: 0, slowed: 0, total: 0 },
    accounts: accountCounts ?? { total: 0, banned: 0 },
    queued: open.find((row) => row.state === "queued")?.tasks ?? 0,
    running: open.find((row) => row.state === "running")?.tasks ?? 0,
    outcomes,
    votes: votes?.value ?? 0,
  };
}

const VOTES: Statement = { name: "votes-so-far", text: `select value from counters where name = 'votes'` };
