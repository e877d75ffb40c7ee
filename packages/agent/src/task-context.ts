import type { Agent, TaskContext } from "./agent-definition.ts";
import { AgentError } from "./agent-error.ts";
import { addUsage, type ModelReply, type Usage } from "./model.ts";

/** Makes the context of one task; `usage` is filled while the handler works. */
export function createTaskContext(
  agent: Agent,
  task: { signal: AbortSignal; deadline: Date; log: (line: string) => void },
): { context: TaskContext; usage: Usage } {
  const usage: Usage = { promptTokens: null, completionTokens: null, modelId: null };
  const { signal } = task;
  const context: TaskContext = {
    ...task,
    report: (added) => addUsage(usage, added),
    async model(messages, options = {}) {
      if (agent.model === undefined) {
        throw new AgentError("model_failed", "this agent has no model; give defineAgent one");
      }
      signal.throwIfAborted();
      const reply = await agent.model({ messages, signal, ...options }).catch((error: unknown): ModelReply => {
        if (signal.aborted) throw signal.reason;
        if (error instanceof AgentError) throw error;
        throw new AgentError("model_failed", (error as Error).message ?? String(error), { cause: error });
      });
      addUsage(usage, reply);
      return reply;
    },
  };
  return { context, usage };
}
