import { and, desc, eq, gt, inArray, lte } from "drizzle-orm";
import type { Db } from "../db/database.ts";
import { accounts, apiKeys, operatorSessions, sessions } from "../db/schema.ts";

/** Begun sessions that an account may have; beyond that the oldest end. Some browsers, each on a few devices. */
const SESSIONS_PER_ACCOUNT = 20;

/** The key with this hash and whose it is. */
export async function findKey(db: Db, keyHash: string) {
  const [row] = await db.orm
    .select({ keyId: apiKeys.id, accountId: accounts.id, bannedAt: accounts.bannedAt })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(eq(apiKeys.keyHash, keyHash));
  return row;
}

/** Begins a session and ends the account's oldest where there are too many. */
export async function insertSession(
  tx: Db,
  session: { tokenHash: string; keyId: number; accountId: number; now: Date; expiresAt: Date },
): Promise<void> {
  const { tokenHash, keyId, now, expiresAt } = session;
  await tx.orm.insert(sessions).values({ tokenHash, keyId, createdAt: now, expiresAt });
  const old = await tx.orm
    .select({ tokenHash: sessions.tokenHash })
    .from(sessions)
    .innerJoin(apiKeys, eq(apiKeys.id, sessions.keyId))
    .where(eq(apiKeys.accountId, session.accountId))
    .orderBy(desc(sessions.createdAt), sessions.tokenHash)
    .offset(SESSIONS_PER_ACCOUNT);
  if (old.length === 0) return;
  await tx.orm.delete(sessions).where(
    inArray(
      sessions.tokenHash,
      old.map((row) => row.tokenHash),
    ),
  );
}

/** Whose a session is that has not ended, and when it does. */
export async function findSession(db: Db, tokenHash: string, now: Date) {
  const [row] = await db.orm
    .select({
      accountId: accounts.id,
      bannedAt: accounts.bannedAt,
      username: accounts.username,
      displayName: accounts.displayName,
      keyId: sessions.keyId,
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .innerJoin(apiKeys, eq(apiKeys.id, sessions.keyId))
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, now)));
  return row;
}

export async function deleteSession(db: Db, tokenHash: string): Promise<void> {
  await db.orm.delete(sessions).where(eq(sessions.tokenHash, tokenHash));
}

export async function insertOperatorSession(
  db: Db,
  session: { tokenHash: string; keyHash: string; now: Date; expiresAt: Date },
): Promise<void> {
  const { tokenHash, keyHash, now, expiresAt } = session;
  await db.orm.insert(operatorSessions).values({ tokenHash, keyHash, createdAt: now, expiresAt });
}

/** When an operator's session ends; undefined when it has, or was begun with another key than the present one. */
export async function findOperatorSession(
  db: Db,
  tokenHash: string,
  keyHash: string,
  now: Date,
): Promise<Date | undefined> {
  const [row] = await db.orm
    .select({ expiresAt: operatorSessions.expiresAt })
    .from(operatorSessions)
    .where(
      and(
        eq(operatorSessions.tokenHash, tokenHash),
        eq(operatorSessions.keyHash, keyHash),
        gt(operatorSessions.expiresAt, now),
      ),
    );
  return row?.expiresAt;
}

export async function deleteOperatorSession(db: Db, tokenHash: string): Promise<void> {
  await db.orm.delete(operatorSessions).where(eq(operatorSessions.tokenHash, tokenHash));
}

/** Drops sessions that have ended. */
export async function forgetSessions(db: Db, now: Date): Promise<void> {
  await db.orm.delete(sessions).where(lte(sessions.expiresAt, now));
  await db.orm.delete(operatorSessions).where(lte(operatorSessions.expiresAt, now));
}
