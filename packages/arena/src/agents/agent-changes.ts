import { type AgentPatch, ProblemError } from "@agon/protocol";
import { sql } from "drizzle-orm";
import type { Database, Db } from "../db/database.ts";
import { agents } from "../db/schema.ts";
import { type AgentRow, findAgent, type NewAgent, updateAgent } from "./agent-queries.ts";
import { resetTurns } from "./push-turns.ts";
import type { StatusEvent } from "./status.ts";
import { changeStatuses, type StatusContext } from "./status-queries.ts";

/**
 * Changes an agent as its owner says. For edgearena-v1 a new URL or role means that activation has to pass again; a
 * role less does not, since what was proven for more holds for fewer.
 *
 * @throws ProblemError `conflict` when an edgearena-v1 agent cannot be paused, or resumed, from where it stands
 */
export async function changeAgent(
  db: Database,
  context: StatusContext,
  now: number,
  agent: AgentRow,
  patch: Omit<AgentPatch, "webhook_url"> & { webhook_url: string | undefined },
): Promise<void> {
  const { webhook_url: url } = patch;
  await db.transaction(async (tx) => {
    await updateAgent(tx, agent.id, toChange(patch, url, agent.status === null ? new Date(now) : undefined));
    await resetTurns(tx, { agentId: agent.id }, now);
    if (agent.status === null) return;
    if (patch.paused !== undefined) await pauseOrResume(tx, context, now, agent.id, patch.paused);
    if (url !== undefined && url !== agent.url) await revise(tx, context, now, agent.id, "new_url", "The URL changed.");
    else if (patch.roles?.some((role) => !agent.roles.includes(role))) {
      await revise(tx, context, now, agent.id, "new_roles", "A role was added.");
    }
  });
}

/** Replaces the secret; an edgearena-v1 agent has to be activated again with the new one. */
export async function replaceSecret(
  db: Database,
  context: StatusContext,
  now: number,
  agentId: number,
  secret: { secretSealed: string; secretHash: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    await updateAgent(tx, agentId, secret);
    await resetTurns(tx, { agentId }, now);
    await revise(tx, context, now, agentId, "new_key", "The key was replaced.");
  });
}

/**
 * The owner's switch.
 *
 * @throws ProblemError `conflict`, saying what to do instead, where the switch does nothing
 */
export async function pauseOrResume(
  tx: Db,
  context: StatusContext,
  now: number,
  agentId: number,
  paused: boolean,
): Promise<void> {
  const event: StatusEvent = { type: paused ? "paused" : "resumed" };
  const detail = paused ? "The owner paused the agent." : "The owner resumed the agent.";
  const statuses = await changeStatuses(tx, context, now, [{ agentId, event, cause: event.type, detail }]);
  const status = statuses.get(agentId);
  if (paused ? status === "PAUSED" : status !== "PAUSED") return;
  const advice = status === "PENDING" ? "activate it first" : "a successful verify brings it back first";
  throw new ProblemError("conflict", `an agent that is ${status} cannot be paused; ${advice}`);
}

async function revise(
  tx: Db,
  context: StatusContext,
  now: number,
  agentId: number,
  cause: string,
  detail: string,
): Promise<void> {
  const before = await findAgent(tx, agentId);
  if (before?.status == null) return;
  await tx.orm
    .update(agents)
    .set({ revision: sql`${agents.revision} + 1`, cooldownUntil: null, cooldownCause: null })
    .where(sql`${agents.id} = ${agentId}`);
  await changeStatuses(tx, context, now, [{ agentId, event: { type: "revised" }, cause, detail }]);
}

/** @param pausedAt set when pausing is no more than a date; undefined where the status says it */
function toChange(
  patch: Omit<AgentPatch, "webhook_url">,
  url: string | undefined,
  pausedAt: Date | undefined,
): Partial<NewAgent> {
  return {
    ...(patch.name === undefined ? {} : { name: patch.name }),
    ...(url === undefined ? {} : { url }),
    ...(patch.model_claimed === undefined ? {} : { modelClaimed: patch.model_claimed }),
    ...(patch.description === undefined ? {} : { description: patch.description }),
    ...(patch.roles === undefined ? {} : { roles: patch.roles }),
    ...(patch.paused === undefined || pausedAt === undefined ? {} : { pausedAt: patch.paused ? pausedAt : null }),
    ...(patch.max_concurrent === undefined ? {} : { maxConcurrent: patch.max_concurrent }),
    ...(patch.max_tasks_per_day === undefined ? {} : { maxTasksPerDay: patch.max_tasks_per_day }),
  };
}
