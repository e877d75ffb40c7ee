import { type Agent, commandAgent, forwardToModel } from "@agon/agent";
import type { Command } from "commander";
import { UsageError } from "./usage-error.ts";

/** Options by which a model does the work, instead of a command. */
export interface ModelOptions {
  readonly model?: string;
  readonly modelUrl?: string;
}

/** Adds the options of a model to a command. */
export function addModelOptions(command: Command): Command {
  return command
    .option("--model <name>", "have a model answer instead of a command; its key is OPENAI_API_KEY")
    .option("--model-url <url>", "where that model is: any OpenAI-compatible endpoint (OPENAI_BASE_URL; OpenAI's own)");
}

/**
 * The agent that does the work: a command, or a model as it is. Wrong usage is told at once; what is returned makes the
 * agent when its secrets are known, which are kept from a command.
 */
export function chooseWorker(
  command: readonly string[],
  options: ModelOptions,
  env: NodeJS.ProcessEnv,
): (secrets: readonly string[]) => Agent {
  const { model } = options;
  if (model === undefined) {
    if (options.modelUrl !== undefined) throw new UsageError("--model-url goes with --model.");
    if (command.length === 0) throw new UsageError("Say what answers: a command after --, or --model.");
    return (secrets) => commandAgent({ command, env, secrets });
  }
  if (command.length > 0) throw new UsageError("Either a command answers or a model: leave one of them out.");
  const baseUrl = options.modelUrl || env.OPENAI_BASE_URL;
  const apiKey = env.OPENAI_API_KEY;
  if (baseUrl !== undefined && baseUrl !== "" && !URL.canParse(baseUrl)) {
    throw new UsageError(`${baseUrl} is no URL; an endpoint looks like http://127.0.0.1:11434/v1`);
  }
  if (!baseUrl && !apiKey)
    throw new UsageError("Set OPENAI_API_KEY, or say where the model is: --model-url http://…/v1");
  return () => forwardToModel({ model, ...(baseUrl ? { baseUrl } : {}), ...(apiKey ? { apiKey } : {}) });
}
