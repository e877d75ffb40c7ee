import type { Agent } from "./agent-definition.ts";
import { AgentError } from "./agent-error.ts";
import type { Answer } from "./answer.ts";
import { fromWork } from "./role-task.ts";
import { listWork, runRole } from "./role-work.ts";
import { createTaskContext } from "./task-context.ts";

/**
 * An agent as what a runner and a webhook server call: prompts go to its prompt handler, work of a run to the handler of
 * its phase, whose output becomes the response as JSON.
 */
export function agentAnswer(agent: Agent): Answer {
  return async (work, { signal, deadlineMs, log }) => {
    const deadline = new Date(Date.now() + deadlineMs);
    const task = fromWork(work);
    if (task !== undefined) {
      const { output } = await runRole(agent, task, { signal, deadline, log }).catch(explain);
      return JSON.stringify(output);
    }
    if (agent.prompt === undefined) {
      throw new AgentError("no_handler", `this agent answers no prompts; it has ${listWork(agent)}`);
    }
    return agent.prompt(work, createTaskContext(agent, { signal, deadline, log }).context);
  };
}

/** A runner reports one line, so what the validator said has to be in it. */
function explain(error: unknown): never {
  if (!(error instanceof AgentError) || error.validationError === undefined) throw error;
  const { code, message, validationError } = error;
  throw new AgentError(code, `${message}: ${validationError}`, { cause: error });
}
