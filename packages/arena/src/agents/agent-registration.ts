import type { AgentCreate, Dialect } from "@agon/protocol";
import { findByUsername } from "../accounts/account-queries.ts";
import { registerAccount, SAMPLE_PREFIX } from "../accounts/registration.ts";
import type { Database, Db } from "../db/database.ts";
import { createEdgearenaKey, createWebhookSecret, hashSecret, type Vault } from "../db/secrets.ts";
import type { Clock, Random } from "../ports.ts";
import { findOwner, insertAgent, listAgents, type NewAgent, updateAgent } from "./agent-queries.ts";
import { insertTurn } from "./push-turns.ts";

interface Context {
  ports: { clock: Clock; random: Random };
  vault: Vault;
}

/** A new secret, in the form that the agent's dialect gives it. */
export function createAgentSecret(dialect: Dialect, random: Random): string {
  return dialect === "edgearena-v1" ? createEdgearenaKey(random) : createWebhookSecret(random);
}

/**
 * Makes an agent for an account. The secret is returned this once; the database keeps it sealed. A push agent waits for
 * its first ping before it is called, one of edgearena-v1 for its activation.
 */
export async function registerAgent(
  db: Db,
  context: Context,
  accountId: number,
  agent: AgentCreate,
): Promise<{ id: number; secret: string }> {
  const secret = createAgentSecret(agent.dialect, context.ports.random);
  const owner = await findOwner(db, accountId);
  const now = new Date(context.ports.clock.now());
  const id = await insertAgent(db, {
    accountId,
    name: agent.name,
    transport: agent.mode,
    url: agent.webhook_url ?? null,
    dialect: agent.dialect,
    roles: agent.roles,
    ownerHandle: agent.owner_handle ?? owner?.email?.split("@")[0] ?? `agent-${accountId}`,
    modelClaimed: agent.model_claimed ?? null,
    costClaimed: agent.cost_claimed ?? null,
    toolsClaimed: agent.tools_claimed ?? [],
    description: agent.description ?? null,
    secretSealed: context.vault.seal(secret),
    secretHash: hashSecret(secret),
    createdAt: now,
    ...toFirstState(agent, now),
  });
  if (agent.mode === "push" && agent.dialect === "tesserax") await insertTurn(db, id, now.getTime());
  return { id, secret };
}

function toFirstState({ dialect, mode }: AgentCreate, now: Date): Partial<NewAgent> {
  if (dialect === "edgearena-v1") return { status: "PENDING", statusSince: now };
  return mode === "push" ? { pingError: "The endpoint has not been pinged yet." } : {};
}

/**
 * The pull agent of an account named after it, made on first use. Secrets are kept sealed, so a program that runs the
 * agent again gets a new one; whoever still ran it with the old one is refused.
 */
export async function ensurePullAgent(
  db: Database,
  context: Context,
  name: string,
  description: string,
): Promise<{ agentId: number; secret: string }> {
  const username = `${SAMPLE_PREFIX}${name}`;
  const known = await findByUsername(db, username);
  const accountId = known ?? (await registerAccount(db, context.ports, username)).accountId;
  const [first] = (await listAgents(db, accountId, { limit: 1, offset: 0 })).rows;
  if (first === undefined) {
    const agent: AgentCreate = { name, description, mode: "pull", dialect: "tesserax", roles: [] };
    const made = await registerAgent(db, context, accountId, agent);
    return { agentId: made.id, secret: made.secret };
  }
  const secret = createWebhookSecret(context.ports.random);
  await updateAgent(db, first.agent.id, { secretSealed: context.vault.seal(secret), secretHash: hashSecret(secret) });
  return { agentId: first.agent.id, secret };
}
