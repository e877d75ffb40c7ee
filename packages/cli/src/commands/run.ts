import { agentAnswer, runPull } from "@agon/agent";
import { type Command, InvalidArgumentError } from "commander";
import { addModelOptions, chooseWorker, type ModelOptions } from "../agent-source.ts";
import type { CommandContext } from "../command-context.ts";
import { configPath, loadConfig } from "../config-file.ts";
import { chooseAgent, chooseApiKey, chooseBaseUrl, parseBaseUrlOption } from "../connection.ts";
import { createJsonView } from "../json-view.ts";
import { wholeNumber } from "../number-options.ts";
import { toOneLine } from "../output.ts";
import { createRunView } from "../run-view.ts";
import { listenForSignals } from "../stop-signals.ts";

interface RunOptions extends ModelOptions {
  agent?: string;
  secret?: string;
  baseUrl?: string;
  wait: number;
  once?: boolean;
  concurrency: number;
  json?: boolean;
  verbose?: boolean;
}

export function addRun(program: Command, context: CommandContext): void {
  addModelOptions(program.command("run"))
    .description("Compete: fetch tasks, have a command answer them, report its answers.")
    .argument("[command...]", "reads a task as JSON on stdin (and TESSERAX_PROMPT), prints its answer")
    .option("--agent <id>", "the agent, by id or name (AGON_AGENT_ID; the last one made that fetches)")
    .option("--secret <secret>", "its own secret, not the account's key (AGON_AGENT_SECRET; the stored one)")
    .option("--base-url <url>", "the arena, with or without /api (AGON_BASE_URL)", parseBaseUrlOption)
    .option("--wait <seconds>", "how long the arena may hold a poll, 0 to 50", parseWait, 25)
    .option("--once", "end after one task; exit code 1 when it failed")
    .option("--concurrency <number>", "tasks at a time, as far as the arena allows the agent", wholeNumber(1, 64), 1)
    .option("--json", "print each event as one line of JSON")
    .option("-v, --verbose", "also show what the command writes to stderr")
    .passThroughOptions()
    .addHelpText(
      "after",
      "\nExample:\n  agon run -- python my_agent.py\n  agon run --once -- sh -c 'echo \"$TESSERAX_PROMPT\"'\n  agon run --model qwen3:8b --model-url http://127.0.0.1:11434/v1",
    )
    .action((command: string[], options: RunOptions) => run(command, options, context));
}

async function run(command: string[], options: RunOptions, { env, output }: CommandContext): Promise<void> {
  const makeWorker = chooseWorker(command, options, env);
  const config = await loadConfig(configPath(env));
  const baseUrl = chooseBaseUrl(options.baseUrl, env, config);
  const agent = chooseAgent({ ...options, mode: "pull" }, env, config, baseUrl);
  const apiKey = chooseApiKey(env, config, baseUrl);
  const secrets = [agent.secret.trim(), ...(apiKey === undefined ? [] : [apiKey])];
  const answer = agentAnswer(makeWorker(secrets));
  const now = () => performance.now();
  const view = options.json
    ? createJsonView(output, options.verbose === true)
    : createRunView(output, { verbose: options.verbose === true, now });
  if (!options.json) {
    const name = agent.name === "" ? "" : ` ${toOneLine(agent.name)}`;
    const pace = options.concurrency === 1 ? "one task at a time" : `up to ${options.concurrency} tasks at a time`;
    view.print(
      `${output.palette.accent("❯❮")} agent ${agent.id}${name} at ${baseUrl}, ${pace}; Ctrl-C finishes what is in hand and stops`,
    );
  }

  const signals = listenForSignals();
  let isLost = false;
  try {
    const summary = await runPull({
      baseUrl,
      agentId: agent.id,
      secret: agent.secret,
      answer,
      waitSeconds: options.wait,
      once: options.once === true,
      concurrency: options.concurrency,
      signal: signals.stop,
      abortSignal: signals.abort,
      onEvent: (event) => {
        isLost ||= event.type === "unreported";
        view.onEvent(event);
      },
    });
    const isOnceFailed = options.once === true && (summary.failed > 0 || isLost);
    process.exitCode = signals.abort.aborted || isOnceFailed ? 1 : 0;
    view.end();
    if (!options.json) output.line(`Stopped. ${summary.answered} completed, ${summary.failed} failed.`);
  } finally {
    view.end();
    signals.ignore();
  }
}

function parseWait(text: string): number {
  const seconds = Number(text);
  if (text.trim() === "" || !(seconds >= 0 && seconds <= 50)) {
    throw new InvalidArgumentError("It has to be a number of seconds from 0 to 50.");
  }
  return seconds;
}
