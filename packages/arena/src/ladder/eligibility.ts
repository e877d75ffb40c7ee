import type { Eligibility } from "@agon/protocol";
import type { AgentRow } from "../agents/agent-queries.ts";

/** What decides whether an agent gets work now. Times in ms since the epoch. */
export interface EligibilityFacts {
  agent: AgentRow;
  now: number;
  running: readonly { kind: string; id: number; deadlineAt: Date | null }[];
  queued: number;
  gym: { total: number; done: number };
  hasUnseenPrompt: boolean;
  tasksToday: number;
}

/** No poll for longer than this means that no runner is connected: polls return after 50 s at the latest. */
const POLL_FRESH_MS = 60_000;

/** Why an agent gets no work at this moment: one sentence per gate that is shut. Pure. */
export function explainEligibility(facts: EligibilityFacts): Eligibility {
  const gates = [...accountGates(facts), ...runnerGates(facts), ...workGates(facts)];
  return { agent_id: facts.agent.id, eligible: gates.length === 0, gates };
}

type Gate = Eligibility["gates"][number];
const gate = (name: string, detail: string, until: Date | null = null): Gate => ({
  gate: name,
  detail,
  until: until?.toISOString() ?? null,
});

function accountGates({ agent }: EligibilityFacts): Gate[] {
  if (agent.deactivatedAt !== null) {
    return [gate("deactivated", "The agent was deactivated for good. Register a new one.")];
  }
  const gates: Gate[] = [];
  if (agent.bannedAt !== null) gates.push(gate("banned", "The operator has banned the account."));
  if (agent.suspendedAt !== null) {
    const why = agent.suspendedReason === null ? "" : ` The operator's reason: ${agent.suspendedReason}`;
    gates.push(gate("suspended", `The operator has suspended the agent. Only the operator can reinstate it.${why}`));
  }
  if (agent.status !== null) gates.push(...statusGates(agent));
  else if (agent.pausedAt !== null)
    gates.push(gate("paused", 'You have paused the agent. Set "paused" to false to go on.'));
  return gates;
}

/** What each status of an edgearena-v1 agent that gets no work means, and the way out. */
const STATUS_GATES: Partial<Record<string, string>> = {
  PENDING: "The agent has to pass its activation before it is served. Call activate.",
  SUSPENDED: "The agent failed too often in a row. Call verify; a success brings it back on probation.",
  PAUSED: "You have paused the agent. Call resume.",
};

function statusGates(agent: AgentRow): Gate[] {
  const detail = STATUS_GATES[agent.status as string];
  return detail === undefined ? [] : [gate((agent.status as string).toLowerCase(), detail, null)];
}

function runnerGates({ agent, now }: EligibilityFacts): Gate[] {
  if (agent.pingError !== null && agent.deactivatedAt === null) {
    return [gate("unreachable", `The last ping failed. ${agent.pingError}`)];
  }
  if (agent.transport !== "pull" || agent.deactivatedAt !== null) return [];
  const last = agent.lastPolledAt?.getTime();
  if (last !== undefined && now - last < POLL_FRESH_MS) return [];
  const since =
    last === undefined
      ? "No runner has polled yet."
      : `No runner has polled since ${agent.lastPolledAt?.toISOString()}.`;
  return [gate("not_polling", `${since} Start one: agon run --agent ${agent.id} --secret … -- YOUR-COMMAND`)];
}

/** How many tasks an agent may have at once. */
const room = (agent: AgentRow) => (agent.status === "PROBATION" ? 1 : agent.maxConcurrent);

function workGates(facts: EligibilityFacts): Gate[] {
  const { agent, now, running } = facts;
  if (agent.deactivatedAt !== null) return [];
  const gates: Gate[] = [];
  if (agent.slowedUntil !== null && agent.slowedUntil.getTime() > now) {
    const times = agent.faultStreak === 1 ? "The last task" : `The last ${agent.faultStreak} tasks`;
    gates.push(
      gate(
        "slowed",
        `${times} ended with ${agent.slowedCause ?? "error"}. New work pauses, longer with each failure; one good answer ends it.`,
        agent.slowedUntil,
      ),
    );
  }
  if (agent.cooldownUntil !== null && agent.cooldownUntil.getTime() > now) {
    const detail = `The last dispatch ended with ${agent.cooldownCause ?? "error"}; see its delivery. The agent rests for a while.`;
    gates.push(gate("cooldown", detail, agent.cooldownUntil));
  }
  if (running.length >= room(agent)) {
    const names = running.map((task) => `${task.kind}-${task.id}`).join(", ");
    gates.push(
      gate(
        "at_capacity",
        `The agent has ${running.length} of ${room(agent)} tasks in work (${names}). It gets the next one when it answers or the deadline passes.`,
        running.reduce<Date | null>(
          (first, task) => (first === null || (task.deadlineAt ?? first) < first ? task.deadlineAt : first),
          null,
        ),
      ),
    );
  }
  if (agent.maxTasksPerDay !== null && facts.tasksToday >= agent.maxTasksPerDay) {
    gates.push(
      gate(
        "daily_limit",
        `The agent has had ${facts.tasksToday} tasks in 24 hours; you set ${agent.maxTasksPerDay} as the most.`,
      ),
    );
  }
  if (facts.queued === 0 && agent.gymCompletedAt !== null && !facts.hasUnseenPrompt) {
    gates.push(gate("pool_dry", "The agent was given every prompt of the pool. The operator has to add prompts."));
  }
  return gates;
}
