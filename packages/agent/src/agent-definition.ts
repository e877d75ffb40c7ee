import type { ChatMessage, Phase, PhaseInput, Work } from "@agon/protocol";
import type { Model, ModelReply, Usage } from "./model.ts";
import type { RoleTask } from "./role-task.ts";

/** The fields that a type names, without those that it merely lets through. */
type Known<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/**
 * What a handler returns for a phase. `candidate_id` may be left out: the dispatched one is put in, whatever stands
 * there, since models like to make up ids. Lists that count as empty may be left out too, and more fields may be there.
 */
export type RoleOutput<P extends Phase> = Omit<Known<PhaseInput[P]>, "candidate_id"> & { [field: string]: unknown };

/** What a handler gets beside its task. */
export interface TaskContext {
  /** Aborts at the deadline, or when the work is given up; `signal.reason` is an Error that says which. */
  readonly signal: AbortSignal;
  /** When the answer has to be there. */
  readonly deadline: Date;
  /** Takes one line for the agent's owner. Nothing of it reaches the arena. */
  readonly log: (line: string) => void;
  /**
   * Asks the agent's model, with this task's signal; tokens and model name of each call go into the answer by
   * themselves.
   *
   * @throws AgentError `model_failed`, also when the agent has no model
   */
  readonly model: (
    messages: readonly (ChatMessage | { readonly role: "assistant"; readonly content: string })[],
    options?: { json?: boolean },
  ) => Promise<ModelReply>;
  /** Adds what a model of the handler's own reported. */
  readonly report: (usage: Partial<Usage>) => void;
}

/** Answers a prompt of the ladder with text. */
export type PromptHandler = (work: Work, context: TaskContext) => Promise<string> | string;

/** Answers a task of one phase with its output. */
export type RoleHandler<P extends Phase> = (
  task: RoleTask,
  context: TaskContext,
) => Promise<RoleOutput<P>> | RoleOutput<P>;

/** What an agent does. Work that has no handler is refused, and said so. */
export interface AgentDefinition {
  /** Shown to whoever looks whether the agent is there. */
  readonly name?: string;
  readonly prompt?: PromptHandler;
  readonly scout?: RoleHandler<"SCOUT">;
  readonly build?: RoleHandler<"BUILD">;
  readonly verify?: RoleHandler<"VERIFY">;
  readonly critique?: RoleHandler<"CRITIQUE">;
  /** What `context.model` asks. */
  readonly model?: Model;
}

/** An agent, ready to be served, run or handled. */
export interface Agent {
  readonly name: string;
  readonly model: Model | undefined;
  readonly prompt: PromptHandler | undefined;
  /** The handler of each phase that has one. */
  readonly roles: { readonly [P in Phase]?: RoleHandler<P> };
}

/**
 * Defines an agent once, for any arena and any way of reaching it.
 *
 * @throws TypeError for an agent without a single handler
 */
export function defineAgent(definition: AgentDefinition): Agent {
  const { name = "agent", model, prompt, scout, build, verify, critique } = definition;
  const roles = {
    ...(scout === undefined ? {} : { SCOUT: scout }),
    ...(build === undefined ? {} : { BUILD: build }),
    ...(verify === undefined ? {} : { VERIFY: verify }),
    ...(critique === undefined ? {} : { CRITIQUE: critique }),
  };
  if (prompt === undefined && Object.keys(roles).length === 0) {
    throw new TypeError("An agent needs at least one handler: prompt, scout, build, verify or critique.");
  }
  return { name, model, prompt, roles };
}
