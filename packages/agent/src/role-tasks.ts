import type { DispatchAnswer, Work } from "@agon/protocol";
import { type AgentReply, toReply } from "./agent-call.ts";
import type { Agent } from "./agent-definition.ts";
import { AgentError, toAgentError, toErrorBody } from "./agent-error.ts";
import { createAnswerMemory } from "./answer-memory.ts";
import type { Usage } from "./model.ts";
import { type RoleTask, toWork } from "./role-task.ts";
import { type RoleResult, runRole } from "./role-work.ts";
import { startTaskLimit, type TaskLimit } from "./task-limit.ts";
import type { WebhookEvent } from "./webhook-event.ts";

/** The run tasks of a handler, each of them worked on once. */
export interface RoleTasks {
  /** Does a task and answers it, or says that it is in work, or gives the answer that it had. */
  answer(task: RoleTask, caller: { isSigned: boolean; gone: AbortSignal }): Promise<AgentReply>;
  /** Acknowledges a task, does it, and hands the result over; nothing is handed over when it failed. */
  answerLater(task: RoleTask, deliver: (result: RoleResult) => Promise<void>): Promise<AgentReply>;
  /** Work ids in hand. */
  holding(): string[];
  /** Gives everything in hand up. */
  abort(): void;
  /** Resolves when nothing is in hand. */
  idle(): Promise<void>;
  counts(): { answered: number; failed: number };
}

/** Kept for repeats: a day's work of a busy agent, and never more memory than this many characters. */
const STORED_MAX = 2_000;
const STORED_MAX_CHARACTERS = 16 * 1024 * 1024;
/** An answer needs some time on its way; later than this before the deadline it would be for nobody. */
const MARGIN_MS = 500;
/** Simulations without a signature may come from anybody, and each costs a model call. */
const UNSIGNED_MAX = 4;

interface InHand {
  readonly task: RoleTask;
  readonly limit: TaskLimit;
  readonly done: Promise<unknown>;
}

/** Makes {@link RoleTasks}. */
export function createRoleTasks(options: {
  agent: Agent;
  now: () => number;
  /** Undefined when nobody listens, so that nothing is made to be told. */
  emit: ((event: WebhookEvent) => void) | undefined;
}): RoleTasks {
  const { agent, now, emit } = options;
  const inHand = new Map<string, InHand>();
  const stored = createAnswerMemory(STORED_MAX, STORED_MAX_CHARACTERS);
  const counts = { answered: 0, failed: 0 };
  let unsigned = 0;

  /** A reply that needs no work: one that was made before, or that the first of its kind is still being made. */
  const findReply = (task: RoleTask): AgentReply | undefined => {
    const known = stored.get(nameOf(task));
    if (known !== undefined) {
      emit?.({ type: "repeated", work: toWork(task), answer: "stored" });
      const at = known.indexOf("\n");
      return { status: Number(known.slice(0, at)), body: known.slice(at + 1) };
    }
    if (!inHand.has(nameOf(task))) return undefined;
    emit?.({ type: "repeated", work: toWork(task), answer: "in-hand" });
    return toReply(409, { error: "this task is in work already", code: "duplicate_task" });
  };

  /** Begins a task; its outcome never rejects. In hand until `after` is done with it, so that an orderly stop waits. */
  const begin = (
    task: RoleTask,
    after: (made: RoleResult | AgentError) => Promise<void> = async () => {},
  ): { work: Work; limit: TaskLimit; outcome: Promise<RoleResult | AgentError> } => {
    const name = nameOf(task);
    const deadlineMs = Math.max(task.deadlineMs - MARGIN_MS, 0);
    const limit = startTaskLimit(deadlineMs);
    const work = toWork(task);
    const began = now();
    emit?.({ type: "received", work, deadlineMs: task.deadlineMs });
    const made = async () => {
      const log = (line: string) => emit?.({ type: "log", work, line });
      return runRole(agent, task, { signal: limit.signal, deadline: new Date(Date.now() + deadlineMs), log });
    };
    const outcome = limit.run(made()).then(
      (result) => {
        counts.answered += 1;
        const latencyMs = Math.round(now() - began);
        emit?.({ type: "answered", work, latencyMs, response: result.json });
        return result;
      },
      (thrown: unknown) => {
        counts.failed += 1;
        const error = toAgentError(thrown);
        const latencyMs = Math.round(now() - began);
        emit?.({ type: "failed", work, latencyMs, error: toReason(error), isTimeout: error.code === "deadline" });
        return error;
      },
    );
    const done = outcome.then(after).finally(() => inHand.delete(name));
    inHand.set(name, { task, limit, done });
    return { work, limit, outcome };
  };

  const keep = (task: RoleTask, reply: AgentReply): AgentReply => {
    stored.set(nameOf(task), `${reply.status}\n${reply.body}`);
    return reply;
  };

  return {
    async answer(task, { isSigned, gone }) {
      const known = findReply(task);
      if (known !== undefined) return known;
      if (!isSigned && unsigned >= UNSIGNED_MAX) {
        return toReply(503, { error: "too many simulations at a time", code: "busy" }, { "retry-after": "30" });
      }
      if (!isSigned) unsigned += 1;
      const { work, limit, outcome } = begin(task);
      // Nobody is left to hear the answer, and no arena sends a task twice: to go on would be a model call for nothing.
      const leave = () => limit.abort(new AgentError("stopped", "the arena closed the connection"));
      gone.addEventListener("abort", leave, { once: true });
      if (gone.aborted) leave();
      const made = await outcome;
      gone.removeEventListener("abort", leave);
      if (!isSigned) unsigned -= 1;
      if (!(made instanceof AgentError)) {
        const reply = keep(task, { status: 200, body: toAnswer(agent, task, made) });
        return { ...reply, outcome: { work, result: "response" } };
      }
      const reply = toReply(made.status, toErrorBody(made));
      return { ...(made.code === "stopped" ? reply : keep(task, reply)), outcome: { work, result: "error" } };
    },

    async answerLater(task, deliver) {
      const known = findReply(task);
      if (known !== undefined) return known;
      begin(task, async (made) => {
        if (made instanceof AgentError) return;
        const about = { work: toWork(task), result: "response" } as const;
        await deliver(made).then(
          () => emit?.({ type: "replied", ...about }),
          (error: Error) => emit?.({ type: "unreplied", ...about, reason: error.message }),
        );
      });
      return keep(task, toReply(202, { accepted: true }));
    },

    holding: () => [...inHand.values()].map(({ task }) => toWork(task).work_id),
    abort() {
      for (const { limit } of inHand.values()) limit.abort(new AgentError("stopped", "the agent was stopped"));
    },
    async idle() {
      while (inHand.size > 0) await Promise.all([...inHand.values()].map(({ done }) => done));
    },
    counts: () => ({ ...counts }),
  };
}

/** A simulation is answered with the output itself, a dispatch with the envelope; as JSON. */
function toAnswer(agent: Agent, task: RoleTask, { json, usage }: RoleResult): string {
  if (task.isSimulation) return json;
  // The output was written once, to be measured.
  return `{"output":${json},${JSON.stringify(toReport(agent, usage)).slice(1)}`;
}

/** An agent that asked no model has used no tokens, and answers under its own name. */
export function toReport(agent: Agent, usage: Usage): Omit<DispatchAnswer, "output"> {
  const { promptTokens, completionTokens, modelId } = usage;
  return { promptTokens: promptTokens ?? 0, completionTokens: completionTokens ?? 0, modelId: modelId ?? agent.name };
}

function nameOf(task: RoleTask): string {
  return `${task.isSimulation ? "simulation" : "task"} ${task.taskId}`;
}

function toReason(error: AgentError): string {
  return error.validationError === undefined ? error.message : `${error.message}: ${error.validationError}`;
}
