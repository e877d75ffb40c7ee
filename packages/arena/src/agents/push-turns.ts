import { and, eq, inArray, sql } from "drizzle-orm";
import { toTimestamp } from "../db/clock.ts";
import type { Db } from "../db/database.ts";
import { agents, pushTurns } from "../db/schema.ts";

/** Gives a new push agent its first turn, now. */
export async function insertTurn(db: Db, agentId: number, now: number): Promise<void> {
  await db.orm.insert(pushTurns).values({ agentId, nextAt: new Date(now) });
}

/**
 * Ends the rest of agents for which something changed that kept tasks away. A gap that still runs is not cut short. Who
 * forgets to call it keeps an agent waiting for a minute, not for ever.
 */
export async function endRest(db: Db, which: { agentId: number } | { accountId: number }, now: number): Promise<void> {
  const whose =
    "agentId" in which
      ? eq(pushTurns.agentId, which.agentId)
      : inArray(
          pushTurns.agentId,
          db.orm.select({ id: agents.id }).from(agents).where(eq(agents.accountId, which.accountId)),
        );
  await db.orm
    .update(pushTurns)
    .set({ nextAt: sql`least(${pushTurns.nextAt}, ${toTimestamp(now)}::timestamptz)`, resting: false })
    .where(and(whose, pushTurns.resting));
}
