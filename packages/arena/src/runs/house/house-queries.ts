import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db, Statement } from "../../db/database.ts";
import { agents } from "../../db/schema.ts";

const LOCK: Statement = { name: "lock-house", text: `select pg_advisory_xact_lock(4600002)` };

/** Lets one node at a time make the house's rows; the lock goes with the transaction. */
export async function lockHouse(tx: Db): Promise<void> {
  await tx.run(LOCK, []);
}

/** The house's agents that are there, whether they serve or not. */
export function findHouseAgents(db: Db) {
  return db.orm
    .select({ id: agents.id, accountId: agents.accountId, modelClaimed: agents.modelClaimed })
    .from(agents)
    .where(and(eq(agents.transport, "house"), sql`roles <> '[]'::jsonb`, isNull(agents.deactivatedAt)));
}

/** Lets a house agent take tasks, or no more; and says which model it asks. */
export async function setHouseAgent(
  db: Db,
  id: number,
  change: { pausedAt: Date | null; modelClaimed?: string },
): Promise<void> {
  await db.orm.update(agents).set(change).where(eq(agents.id, id));
}
