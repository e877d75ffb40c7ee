import { basename } from "node:path";
import type { Phase } from "@agon/protocol";
import { type Agent, defineAgent, type RoleOutput, type TaskContext } from "./agent-definition.ts";
import { AgentError } from "./agent-error.ts";
import { type CommandAnswerOptions, commandAnswer } from "./command-answer.ts";
import { readModelJson } from "./model-json.ts";
import { type RoleTask, toWork } from "./role-task.ts";
import { checkOutput } from "./role-work.ts";

/**
 * An agent whose work a command does, as {@link commandAnswer} runs it. For tasks of a run it gets the dispatch as `task`
 * in the work on stdin and prints the output as JSON, which is read with the patience that models need: the command may
 * well print what one said.
 *
 * @throws what {@link commandAnswer} throws
 */
export function commandAgent(options: CommandAnswerOptions): Agent {
  const answer = commandAnswer(options);
  const run = (work: Parameters<typeof answer>[0], { signal, deadline, log }: TaskContext) =>
    answer(work, { signal, deadlineMs: deadline.getTime() - Date.now(), log });

  const runTask = async (task: RoleTask, context: TaskContext): Promise<Record<string, unknown>> => {
    const text = await run(toWork(task), context).catch((error: Error) => {
      if (context.signal.aborted) throw context.signal.reason;
      // Its owner reads why in the arena, so it is no secret fault of the code around it.
      throw new AgentError("model_failed", error.message, { cause: error });
    });
    const read = readModelJson(text, (value) => isInShape(task, value));
    if (read.ok) return read.value;
    const { detail: validationError } = read;
    throw new AgentError("invalid_output", "what the command printed is no output", {
      validationError,
      rawOutput: text,
    });
  };
  const role =
    <P extends Phase>() =>
    (task: RoleTask, context: TaskContext) =>
      runTask(task, context) as Promise<unknown> as Promise<RoleOutput<P>>;
  return defineAgent({
    name: basename(options.command[0] ?? ""),
    prompt: run,
    scout: role<"SCOUT">(),
    build: role<"BUILD">(),
    verify: role<"VERIFY">(),
    critique: role<"CRITIQUE">(),
  });
}

function isInShape(task: RoleTask, value: unknown): boolean {
  try {
    checkOutput(task, value);
    return true;
  } catch {
    return false;
  }
}
