import { COMPLETION_OUTPUT_MAX_BYTES, type Phase, parseOutput } from "@agon/protocol";
import type { Agent, RoleHandler } from "./agent-definition.ts";
import { AgentError } from "./agent-error.ts";
import type { Usage } from "./model.ts";
import type { RoleTask } from "./role-task.ts";
import { createTaskContext } from "./task-context.ts";

/** An output in shape, and what making it took. */
export interface RoleResult {
  readonly output: Record<string, unknown>;
  /** The output as it is sent. */
  readonly json: string;
  readonly usage: Usage;
}

/** How {@link runRole} runs a handler. */
export interface RoleWork {
  readonly signal: AbortSignal;
  readonly deadline: Date;
  readonly log: (line: string) => void;
}

/**
 * Has an agent do one task of a run. The dispatched candidate's id is put into the output, and the output is held to
 * its whole schema and size before it leaves: an arena would count a bad one against the agent.
 *
 * @throws AgentError, or whatever the handler throws
 */
export async function runRole(agent: Agent, task: RoleTask, work: RoleWork): Promise<RoleResult> {
  const handler = agent.roles[task.phase] as RoleHandler<Phase> | undefined;
  if (handler === undefined) {
    throw new AgentError("no_handler", `this agent does no ${task.phase}; it has ${listWork(agent)}`);
  }
  const { context, usage } = createTaskContext(agent, work);
  const made: unknown = await handler(task, context);
  const output = checked.has(made as object) ? (made as Record<string, unknown>) : checkOutput(task, made);
  return { output, json: checked.get(output) as string, usage };
}

/** Outputs that passed already, as JSON: whoever checks a model's answer in order to ask again returns what was checked. */
const checked = new WeakMap<object, string>();

/** The output as it leaves. Throws an {@link AgentError} with the validator's complaint when it is not in shape. */
export function checkOutput(task: Pick<RoleTask, "phase" | "candidateId">, made: unknown): Record<string, unknown> {
  const named = task.candidateId === null || !isObject(made) ? made : { ...made, candidate_id: task.candidateId };
  const parsed = parseOutput(task.phase, named, task.candidateId);
  if (!parsed.ok) {
    const rawOutput = toRaw(made);
    throw new AgentError("invalid_output", `the output is not in the shape of ${task.phase}`, {
      validationError: parsed.detail,
      ...(rawOutput === undefined ? {} : { rawOutput }),
    });
  }
  const json = JSON.stringify(parsed.output);
  const bytes = Buffer.byteLength(json);
  if (bytes > COMPLETION_OUTPUT_MAX_BYTES) {
    throw new AgentError("invalid_output", `the output has ${bytes} bytes; ${COMPLETION_OUTPUT_MAX_BYTES} are allowed`);
  }
  checked.set(parsed.output, json);
  return parsed.output as Record<string, unknown>;
}

/** The names of what an agent does, for people. */
export function listWork(agent: Agent): string {
  return [...(agent.prompt === undefined ? [] : ["prompts"]), ...Object.keys(agent.roles)].join(", ");
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toRaw(value: unknown): string | undefined {
  try {
    return typeof value === "string" ? value : JSON.stringify(value);
  } catch {
    return undefined;
  }
}
