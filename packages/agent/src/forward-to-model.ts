import type { Phase } from "@agon/protocol";
import { type Agent, defineAgent, type RoleOutput, type TaskContext } from "./agent-definition.ts";
import { AgentError } from "./agent-error.ts";
import type { Model } from "./model.ts";
import { readModelJson, withoutReasoning } from "./model-json.ts";
import { type OpenAiModelOptions, openAiModel } from "./openai-model.ts";
import type { RoleTask } from "./role-task.ts";
import { checkOutput } from "./role-work.ts";

/** What {@link forwardToModel} forwards to. */
export type ForwardOptions = { readonly name?: string } & (OpenAiModelOptions | { readonly model: Model });

/** With less time left a second answer of the model would hardly arrive; what the first took is a hint, too. */
const REPAIR_LEAST_MS = 3_000;

/**
 * The agent without code: each prompt and each task's messages go to a model as they came, with nothing in front, and
 * its answer is read with patience. When it is not in shape, the model is told what is wrong, once, if there is time.
 * Tokens of both answers are reported together.
 */
export function forwardToModel(options: ForwardOptions): Agent {
  const model = typeof options.model === "string" ? openAiModel(options as OpenAiModelOptions) : options.model;
  const role =
    <P extends Phase>() =>
    (task: RoleTask, context: TaskContext) =>
      answerRole(task, context) as Promise<RoleOutput<P>>;
  return defineAgent({
    name: options.name ?? (typeof options.model === "string" ? options.model : "model"),
    model,
    async prompt({ prompt }, context) {
      const { text } = await context.model([{ role: "user", content: prompt }]);
      const answer = withoutReasoning(text);
      if (answer === "")
        throw new AgentError("model_failed", "the model thought, but answered nothing", { rawOutput: text });
      return answer;
    },
    scout: role<"SCOUT">(),
    build: role<"BUILD">(),
    verify: role<"VERIFY">(),
    critique: role<"CRITIQUE">(),
  });
}

async function answerRole(task: RoleTask, context: TaskContext): Promise<Record<string, unknown>> {
  const began = Date.now();
  const first = await context.model(task.messages, { json: true });
  const read = readOutput(task, first.text);
  if (read.ok) return read.output;
  const leftMs = context.deadline.getTime() - Date.now();
  if (leftMs < Math.max(REPAIR_LEAST_MS, Date.now() - began)) {
    context.log(`no time for a second try: ${read.detail}`);
    throw toError(read.detail, first.text);
  }
  context.log(`asking again: ${read.detail}`);
  const second = await context.model(
    [
      ...task.messages,
      { role: "assistant", content: first.text },
      {
        role: "user",
        content: `This cannot be used: ${read.detail}. Send the whole JSON object again with that put right, and nothing else.`,
      },
    ],
    { json: true },
  );
  const again = readOutput(task, second.text);
  if (again.ok) return again.output;
  throw toError(again.detail, second.text);
}

type ReadOutput = { ok: true; output: Record<string, unknown> } | { ok: false; detail: string };

function readOutput(task: RoleTask, text: string): ReadOutput {
  const check = (value: unknown): ReadOutput => {
    try {
      return { ok: true, output: checkOutput(task, value) };
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      return { ok: false, detail: error.validationError ?? error.message };
    }
  };
  const known = new Map<object, ReadOutput>();
  const read = readModelJson(text, (value) => {
    const found = check(value);
    known.set(value, found);
    return found.ok;
  });
  return read.ok ? (known.get(read.value) ?? check(read.value)) : read;
}

function toError(detail: string, rawOutput: string): AgentError {
  return new AgentError("invalid_output", "the model's answer is not in shape", { validationError: detail, rawOutput });
}
