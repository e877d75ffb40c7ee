import {
  type ChatMessage,
  type DispatchPayload,
  dispatchPayloadSchema,
  KIND_PHASE,
  PHASE_DEADLINE_MS,
  PHASE_KIND,
  type Phase,
  type RunKind,
  SIMULATION_PHASE,
  type SimulationPayload,
  toWorkId,
  type Work,
} from "@agon/protocol";

/** One task of a run, or a simulation of one, as a handler gets it. */
export interface RoleTask {
  readonly taskId: string;
  /** null in a simulation. */
  readonly runId: string | null;
  /** What is asked for. The role ANALYST gets both VERIFY and CRITIQUE. */
  readonly phase: Phase;
  /** The candidate that the output is about; null for a scout. */
  readonly candidateId: string | null;
  /** What the run is for; null where a simulation does not say. */
  readonly goal: string | null;
  /** The prompt, complete by itself: hand it to a model as it is. */
  readonly messages: readonly ChatMessage[];
  /** Milliseconds from receipt within which the answer has to be there. */
  readonly deadlineMs: number;
  readonly isSimulation: boolean;
  /** All of it as it came. */
  readonly payload: DispatchPayload | SimulationPayload;
}

/** The task in a dispatch. */
export function fromDispatch(payload: DispatchPayload): RoleTask {
  const { taskId, runId, phase, candidateId, goal, messages } = payload;
  const deadlineMs = PHASE_DEADLINE_MS[phase];
  return { taskId, runId, phase, candidateId, goal, messages, deadlineMs, isSimulation: false, payload };
}

/** The task in a simulation. */
export function fromSimulation(payload: SimulationPayload): RoleTask {
  return {
    taskId: payload.task_id,
    runId: null,
    phase: SIMULATION_PHASE[payload.role],
    candidateId: payload.role === "SCOUT" ? null : payload.candidate.id,
    goal: payload.role === "SCOUT" ? payload.goal : null,
    messages: payload.messages,
    deadlineMs: payload.deadline_ms,
    isSimulation: true,
    payload,
  };
}

/** The task in pulled work of a run; undefined for work of the ladder, or work without a payload that can be read. */
export function fromWork(work: Work): RoleTask | undefined {
  if (!Object.hasOwn(KIND_PHASE, work.kind)) return undefined;
  const parsed = dispatchPayloadSchema.safeParse(work.task);
  if (!parsed.success || parsed.data.phase !== KIND_PHASE[work.kind as RunKind]) return undefined;
  return { ...fromDispatch(parsed.data), deadlineMs: work.deadline_seconds * 1000 };
}

/**
 * A task in the form of pulled work, in which events name every kind of work and commands get it. `task` is a dispatch,
 * for a simulation too: whoever does the work should not have to know the difference.
 */
export function toWork(task: RoleTask): Work {
  const kind = PHASE_KIND[task.phase];
  return {
    kind,
    work_id: toWorkId(kind, task.taskId),
    prompt_id: task.taskId,
    prompt: task.messages.map(({ content }) => content).join("\n\n"),
    category: task.phase,
    deadline_seconds: task.deadlineMs / 1000,
    task: task.isSimulation ? toDispatch(task) : task.payload,
  };
}

function toDispatch({ taskId, phase, candidateId, goal, messages }: RoleTask): DispatchPayload {
  const fields = { taskId, runId: taskId, phase, role: phase, candidateId, goal: goal ?? "", launchpadName: "" };
  return { ...fields, messages: [...messages] };
}
