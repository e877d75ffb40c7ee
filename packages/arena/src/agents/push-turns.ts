import { eq, inArray, sql } from "drizzle-orm";
import { toTimestamp } from "../db/clock.ts";
import type { Db } from "../db/database.ts";
import { agents, pushTurns } from "../db/schema.ts";

/** Gives a new push agent its first turn, now. */
export async function insertTurn(db: Db, agentId: number, now: number): Promise<void> {
  await db.orm.insert(pushTurns).values({ agentId, nextAt: new Date(now) });
}

/**
 * To be called after each change to whether agents may have tasks, or to where and how these are sent. A rest ends, a gap
 * that still runs is not cut short. The number moves for turns that do not rest too: a pass that looked before the change
 * would else act on it after, and put to rest who has just been let in, or sign with a secret that is dead. Who forgets to
 * call it keeps an agent waiting for a minute, not for ever.
 *
 * Locks: the turns in the order of agents, as passes do.
 */
export async function resetTurns(
  db: Db,
  which: { agentId: number } | { accountId: number },
  now: number,
): Promise<void> {
  const locked = db.orm
    .select({ agentId: pushTurns.agentId })
    .from(pushTurns)
    .where(inArray(pushTurns.agentId, idsOf(db, which)))
    .orderBy(pushTurns.agentId)
    .for("update");
  const soon = sql`least(${pushTurns.nextAt}, ${toTimestamp(now)}::timestamptz)`;
  await db.orm
    .update(pushTurns)
    .set({
      taken: sql`${pushTurns.taken} + 1`,
      nextAt: sql`case when ${pushTurns.resting} then ${soon} else ${pushTurns.nextAt} end`,
      resting: false,
    })
    .where(inArray(pushTurns.agentId, locked));
}

function idsOf(db: Db, which: { agentId: number } | { accountId: number }) {
  return "agentId" in which
    ? [which.agentId]
    : db.orm.select({ id: agents.id }).from(agents).where(eq(agents.accountId, which.accountId));
}

/** Takes the turn of an agent that ended for good, or passes would look at it for ever. */
export async function endTurns(db: Db, agentId: number): Promise<void> {
  await db.orm.delete(pushTurns).where(eq(pushTurns.agentId, agentId));
}
