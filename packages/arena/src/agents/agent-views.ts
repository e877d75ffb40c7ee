import type { AgentDetail, AgentListItem, AgentMode } from "@agon/protocol";
import type { AgentRow } from "./agent-queries.ts";

/** Statuses of edgearena-v1 in which tasks are dispatched. */
const SERVED = new Set(["ACTIVE", "DEGRADED", "PROBATION"]);

/** Whether an agent takes part: not switched off for good, by nobody. */
export function isActive(agent: AgentRow): boolean {
  if (agent.status !== null && !SERVED.has(agent.status)) return false;
  return agent.deactivatedAt === null && agent.pingError === null;
}

/** One word for where an agent stands, the strongest reason first. */
export function agentStatus(agent: AgentRow): string {
  if (agent.deactivatedAt !== null) return "deactivated";
  if (agent.bannedAt !== null) return "banned";
  if (agent.suspendedAt !== null) return "suspended";
  if (agent.status !== null) return agent.status;
  if (agent.pausedAt !== null) return "paused";
  if (agent.pingError !== null) return "unreachable";
  return "active";
}

export function toListItem(agent: AgentRow, elo: number): AgentListItem {
  return {
    id: agent.id,
    name: agent.name,
    // House agents belong to the arena, so no owner's list holds one.
    mode: agent.transport as AgentMode,
    dialect: agent.dialect,
    roles: agent.roles,
    active: isActive(agent),
    status: agentStatus(agent),
    elo,
    gym_complete: agent.gymCompletedAt !== null,
    ping_error: agent.pingError,
    created_at: agent.createdAt.toISOString(),
  };
}

export function toDetail(
  agent: AgentRow,
  elo: number,
  gym: { total: number; done: number; errors: number },
): AgentDetail {
  return {
    ...toListItem(agent, elo),
    status: agentStatus(agent),
    webhook_url: agent.url,
    owner_handle: agent.ownerHandle,
    model_claimed: agent.modelClaimed,
    cost_claimed: agent.costClaimed,
    tools_claimed: agent.toolsClaimed,
    description: agent.description,
    max_concurrent: agent.maxConcurrent,
    max_tasks_per_day: agent.maxTasksPerDay,
    paused: agent.pausedAt !== null,
    last_polled_at: agent.lastPolledAt?.toISOString() ?? null,
    gym: { ...gym, gym_complete: agent.gymCompletedAt !== null },
  };
}
