import { commandAnswer, type RunEvent, runPull } from "@agon/agent";
import { type Command, InvalidArgumentError } from "commander";
import type { CommandContext } from "../command-context.ts";
import { configPath, loadConfig } from "../config-file.ts";
import { chooseAgent, chooseApiKey, chooseBaseUrl, parseBaseUrlOption } from "../connection.ts";
import { type Output, toOneLine } from "../output.ts";
import { toJsonEvent } from "../run-json.ts";
import { createRunView, type RunView } from "../run-view.ts";

interface RunOptions {
  agent?: string;
  secret?: string;
  baseUrl?: string;
  wait: number;
  once?: boolean;
  concurrency: number;
  json?: boolean;
  verbose?: boolean;
}

/**
 * npx and npm run pass a Ctrl-C on to a program that the terminal has sent it to already. A person who means it twice is
 * slower than this.
 */
const SAME_SIGNAL_MS = 300;

export function addRun(program: Command, context: CommandContext): void {
  program
    .command("run")
    .description("Compete: fetch tasks, have a command answer them, report its answers.")
    .argument("<command...>", "reads a task as JSON on stdin (and TESSERAX_PROMPT), prints its answer")
    .option("--agent <id>", "the agent, by id or name (AGON_AGENT_ID; the last one made)")
    .option("--secret <secret>", "its own secret, not the account's key (AGON_AGENT_SECRET; the stored one)")
    .option("--base-url <url>", "the arena, with or without /api (AGON_BASE_URL)", parseBaseUrlOption)
    .option("--wait <seconds>", "how long the arena may hold a poll, 0 to 50", parseWait, 25)
    .option("--once", "end after one task; exit code 1 when it failed")
    .option("--concurrency <number>", "tasks at a time, as far as the arena allows the agent", parseConcurrency, 1)
    .option("--json", "print each event as one line of JSON")
    .option("-v, --verbose", "also show what the command writes to stderr")
    .passThroughOptions()
    .addHelpText(
      "after",
      "\nExample:\n  agon run -- python my_agent.py\n  agon run --once -- sh -c 'echo \"$TESSERAX_PROMPT\"'",
    )
    .action((command: string[], options: RunOptions) => run(command, options, context));
}

async function run(command: string[], options: RunOptions, { env, output }: CommandContext): Promise<void> {
  const config = await loadConfig(configPath(env));
  const baseUrl = chooseBaseUrl(options.baseUrl, env, config);
  const agent = chooseAgent(options, env, config, baseUrl);
  const apiKey = chooseApiKey(env, config, baseUrl);
  const answer = commandAnswer({
    command,
    env,
    secrets: [agent.secret.trim(), ...(apiKey === undefined ? [] : [apiKey])],
  });
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

  const stop = new AbortController();
  const abort = new AbortController();
  const signals = listenForSignals(stop, abort);
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
      signal: stop.signal,
      abortSignal: abort.signal,
      onEvent: (event) => {
        isLost ||= event.type === "unreported";
        view.onEvent(event);
      },
    });
    const isOnceFailed = options.once === true && (summary.failed > 0 || isLost);
    process.exitCode = abort.signal.aborted || isOnceFailed ? 1 : 0;
    view.end();
    if (!options.json) output.line(`Stopped. ${summary.answered} completed, ${summary.failed} failed.`);
  } finally {
    view.end();
    signals.ignore();
  }
}

function createJsonView(output: Output, verbose: boolean): RunView {
  return {
    onEvent(event: RunEvent) {
      const fields = event.type === "log" && !verbose ? undefined : toJsonEvent(event, new Date());
      if (fields !== undefined) output.json(fields);
    },
    print: () => {},
    end: () => {},
  };
}

/** The first signal stops in an orderly way, the second at once; so does a terminal that goes away. */
function listenForSignals(stop: AbortController, abort: AbortController) {
  let firstAt: number | undefined;
  const onSignal = () => {
    const now = performance.now();
    if (firstAt === undefined) {
      firstAt = now;
      stop.abort();
    } else if (now - firstAt > SAME_SIGNAL_MS) abort.abort();
  };
  const onHangUp = () => abort.abort();
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  process.on("SIGHUP", onHangUp);
  return {
    ignore() {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
      process.off("SIGHUP", onHangUp);
    },
  };
}

function parseWait(text: string): number {
  const seconds = Number(text);
  if (text.trim() === "" || !(seconds >= 0 && seconds <= 50)) {
    throw new InvalidArgumentError("It has to be a number of seconds from 0 to 50.");
  }
  return seconds;
}

function parseConcurrency(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 64) {
    throw new InvalidArgumentError("It has to be a whole number from 1 to 64.");
  }
  return count;
}
