import { and, count, eq, ilike, inArray, isNull, sql } from "drizzle-orm";
import type { Db } from "../db/database.ts";
import { accounts, agents, apiKeys, deliveries, pushTurns, standings } from "../db/schema.ts";

export type AccountRow = typeof accounts.$inferSelect;

/** Adds an account and its first key. @throws a unique violation when the username is taken */
export async function insertAccount(
  db: Db,
  account: { username: string; keyHash: string; now: Date },
): Promise<number> {
  const [row] = await db.orm
    .insert(accounts)
    .values({ username: account.username, createdAt: account.now })
    .returning({ id: accounts.id });
  const accountId = (row as { id: number }).id;
  await insertKey(db, { accountId, keyHash: account.keyHash, now: account.now });
  return accountId;
}

export async function insertKey(db: Db, key: { accountId: number; keyHash: string; now: Date }): Promise<number> {
  const [row] = await db.orm
    .insert(apiKeys)
    .values({ accountId: key.accountId, keyHash: key.keyHash, createdAt: key.now })
    .returning({ id: apiKeys.id });
  return (row as { id: number }).id;
}

/** The keys of an account, oldest first: when one leaked, its owner has to know which number to remove. */
export async function listKeys(db: Db, accountId: number, page: { limit: number; offset: number }) {
  const own = eq(apiKeys.accountId, accountId);
  const [total] = await db.orm.select({ total: count() }).from(apiKeys).where(own);
  const rows = await db.orm
    .select({ id: apiKeys.id, createdAt: apiKeys.createdAt })
    .from(apiKeys)
    .where(own)
    .orderBy(apiKeys.id)
    .limit(page.limit)
    .offset(page.offset);
  return { total: total?.total ?? 0, rows };
}

/** Removes a key of an account, but never its last one: nobody could sign in again. */
export async function deleteKey(db: Db, accountId: number, keyId: number): Promise<"deleted" | "last" | "unknown"> {
  const keys = await db.orm
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(eq(apiKeys.accountId, accountId))
    .for("update");
  if (!keys.some((key) => key.id === keyId)) return "unknown";
  if (keys.length === 1) return "last";
  await db.orm.delete(apiKeys).where(eq(apiKeys.id, keyId));
  return "deleted";
}

export async function findByKeyHash(
  db: Db,
  keyHash: string,
): Promise<{ accountId: number; banned: boolean } | undefined> {
  const [row] = await db.orm
    .select({ accountId: accounts.id, bannedAt: accounts.bannedAt })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(eq(apiKeys.keyHash, keyHash));
  return row === undefined ? undefined : { accountId: row.accountId, banned: row.bannedAt !== null };
}

export async function findAccount(db: Db, id: number): Promise<AccountRow | undefined> {
  const [row] = await db.orm.select().from(accounts).where(eq(accounts.id, id));
  return row;
}

/** The id of the account with this name, in whatever case. */
export async function findByUsername(db: Db, username: string): Promise<number | undefined> {
  const [row] = await db.orm
    .select({ id: accounts.id })
    .from(accounts)
    .where(sql`lower(${accounts.username}) = lower(${username})`);
  return row?.id;
}

/** @throws a unique violation when the new username is taken */
export async function updateAccount(
  db: Db,
  id: number,
  change: { username?: string; displayName?: string | null; bio?: string | null },
): Promise<void> {
  if (Object.keys(change).length > 0) await db.orm.update(accounts).set(change).where(eq(accounts.id, id));
}

/**
 * Takes everything personal out of an account and ends its agents. What they answered and how they were judged stays, for
 * other agents' ratings are made of it; the rows keep their ids and lose their texts.
 *
 * @returns the ids of its agents
 */
export async function eraseAccount(tx: Db, id: number, now: Date): Promise<number[]> {
  // No name that anybody can choose, for the colon.
  const name = `deleted:${id}`;
  await tx.orm.delete(apiKeys).where(eq(apiKeys.accountId, id));
  await tx.orm
    .update(accounts)
    .set({ username: name, displayName: null, email: null, bio: null, deletedAt: now })
    .where(eq(accounts.id, id));
  const ended = await tx.orm
    .update(agents)
    .set({
      ownerHandle: name,
      description: null,
      url: null,
      deactivatedAt: sql`coalesce(${agents.deactivatedAt}, ${now.toISOString()}::timestamptz)`,
    })
    .where(eq(agents.accountId, id))
    .returning({ id: agents.id });
  const ids = ended.map((agent) => agent.id);
  if (ids.length > 0) {
    await tx.orm.delete(deliveries).where(inArray(deliveries.agentId, ids));
    await tx.orm.delete(pushTurns).where(inArray(pushTurns.agentId, ids));
  }
  return ids;
}

/** The agents of an account as its own page lists them. */
export async function listAccountAgents(db: Db, accountId: number) {
  return db.orm
    .select({
      id: agents.id,
      name: agents.name,
      deactivatedAt: agents.deactivatedAt,
      pingError: agents.pingError,
      gymCompletedAt: agents.gymCompletedAt,
      elo: standings.elo,
    })
    .from(agents)
    .leftJoin(standings, and(eq(standings.agentId, agents.id), eq(standings.category, "")))
    .where(eq(agents.accountId, accountId))
    .orderBy(agents.id);
}

/** Accounts whose name holds `text`, banned and deleted ones left out, oldest first. */
export async function searchAccounts(db: Db, text: string, page: { limit: number; offset: number }) {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const matches = and(isNull(accounts.bannedAt), isNull(accounts.deletedAt), ilike(accounts.username, pattern));
  const [total] = await db.orm.select({ total: count() }).from(accounts).where(matches);
  const rows = await db.orm
    .select({
      id: accounts.id,
      username: accounts.username,
      displayName: accounts.displayName,
      bio: accounts.bio,
      // Spelled out: in what it selects from one table the query builder leaves the tables' names away, and the inner
      // "id" would then be the agent's.
      agentCount: sql<number>`(select count(*)::int from agents a where a.account_id = accounts.id)`,
    })
    .from(accounts)
    .where(matches)
    .orderBy(accounts.id)
    .limit(page.limit)
    .offset(page.offset);
  return { total: Number(total?.total ?? 0), rows };
}
