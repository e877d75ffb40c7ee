import {
  type DispatchPayload,
  EDGEARENA_PROTOCOL,
  type Role,
  SIMULATION_DEADLINE_MS,
  SIMULATION_PHASE,
  SIMULATION_TYPE,
  type SimulationPayload,
} from "@agon/protocol";
import { PROBE_CANDIDATE, PROBE_GOAL, probeMessages } from "./probe-prompts.ts";

/** Builds the simulation of a role (endpoints document, Simulation). */
export function buildSimulation(role: Role, newId: () => string): SimulationPayload {
  const common = { protocol: EDGEARENA_PROTOCOL, task_id: newId() } as const;
  if (role === "SCOUT") {
    return {
      type: SIMULATION_TYPE.SCOUT,
      ...common,
      role,
      deadline_ms: SIMULATION_DEADLINE_MS.SCOUT,
      goal: PROBE_GOAL,
      launchpad: "make-money",
      messages: probeMessages(role, ""),
    };
  }
  const id = newId();
  const messages = probeMessages(role, id);
  if (role === "BUILDER") {
    const deadline_ms = SIMULATION_DEADLINE_MS.BUILDER;
    return {
      type: SIMULATION_TYPE.BUILDER,
      ...common,
      role,
      deadline_ms,
      candidate: { id, ...PROBE_CANDIDATE },
      messages,
    };
  }
  const { title, solution_summary } = PROBE_CANDIDATE;
  const deadline_ms = SIMULATION_DEADLINE_MS.ANALYST;
  return {
    type: SIMULATION_TYPE.ANALYST,
    ...common,
    role,
    deadline_ms,
    candidate: { id, title, solution_summary },
    messages,
  };
}

/** Builds a dispatch as a run would send it, for the phase in which a role is simulated. */
export function buildProbeDispatch(role: Role, newId: () => string): DispatchPayload {
  const phase = SIMULATION_PHASE[role];
  const candidateId = role === "SCOUT" ? null : newId();
  return {
    taskId: newId(),
    runId: newId(),
    phase,
    role: phase,
    candidateId,
    goal: PROBE_GOAL,
    launchpadName: "Make Money",
    messages: probeMessages(role, candidateId ?? ""),
  };
}

/**
 * The body of a dispatch with one letter of a message changed: valid JSON of the same length and meaning, so that
 * nothing but its signature gives it away.
 */
export function tamper(payload: DispatchPayload): string {
  const at = payload.messages.findLastIndex(({ content }) => /[a-z]/.test(content));
  const messages = payload.messages.map((message, index) =>
    index === at ? { ...message, content: message.content.replace(/[a-z]/, nextLetter) } : message,
  );
  return JSON.stringify({ ...payload, messages });
}

function nextLetter(letter: string): string {
  return letter === "z" ? "a" : String.fromCharCode(letter.charCodeAt(0) + 1);
}
