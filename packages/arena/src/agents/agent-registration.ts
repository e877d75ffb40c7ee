import type { AgentCreate } from "@agon/protocol";
import type { Db } from "../db/database.ts";
import { createWebhookSecret, hashSecret, type Vault } from "../db/secrets.ts";
import type { Clock, Random } from "../ports.ts";
import { findOwner, insertAgent } from "./agent-queries.ts";

/** Makes a pull agent for an account. The secret is returned this once; the database keeps it sealed. */
export async function registerPullAgent(
  db: Db,
  context: { ports: { clock: Clock; random: Random }; vault: Vault },
  accountId: number,
  agent: AgentCreate,
): Promise<{ id: number; secret: string }> {
  const secret = createWebhookSecret(context.ports.random);
  const owner = await findOwner(db, accountId);
  const id = await insertAgent(db, {
    accountId,
    name: agent.name,
    transport: "pull",
    dialect: agent.dialect,
    roles: agent.roles,
    ownerHandle: agent.owner_handle ?? owner?.email?.split("@")[0] ?? `agent-${accountId}`,
    modelClaimed: agent.model_claimed ?? null,
    costClaimed: agent.cost_claimed ?? null,
    toolsClaimed: agent.tools_claimed ?? [],
    description: agent.description ?? null,
    secretSealed: context.vault.seal(secret),
    secretHash: hashSecret(secret),
    createdAt: new Date(context.ports.clock.now()),
  });
  return { id, secret };
}
