import { agentAnswer, serve, serveWebhook, type WebhookServer } from "@agon/agent";
import { EDGEARENA_KEY_PREFIX } from "@agon/protocol";
import type { Command } from "commander";
import { addModelOptions, chooseWorker, type ModelOptions } from "../agent-source.ts";
import type { CommandContext } from "../command-context.ts";
import { configPath, loadConfig } from "../config-file.ts";
import { chooseAgent, chooseApiKey, chooseBaseUrl, parseBaseUrlOption } from "../connection.ts";
import { createJsonView } from "../json-view.ts";
import { listenReason } from "../listen-reason.ts";
import { wholeNumber } from "../number-options.ts";
import { type Output, toOneLine } from "../output.ts";
import { createRunView, type RunView } from "../run-view.ts";
import { bringSignedAddress, failedSteps } from "../signed-address.ts";
import { listenForSignals } from "../stop-signals.ts";
import { UsageError } from "../usage-error.ts";
import { bringWebhookAddress, type WebhookOwner } from "../webhook-address.ts";

interface PushOptions extends ModelOptions {
  agent?: string;
  secret?: string;
  baseUrl?: string;
  host: string;
  port: number;
  url?: string;
  concurrency: number;
  json?: boolean;
  verbose?: boolean;
}

const ADDRESS_HINT =
  "The agent's webhook_url has to lead here. With the account's key it can be changed by --agent and --url.";

export function addPush(program: Command, context: CommandContext): void {
  addModelOptions(program.command("push"))
    .description("Compete by being called: serve an address, have a command answer what an arena sends there.")
    .argument("[command...]", "reads a task as JSON on stdin (and TESSERAX_PROMPT), prints its answer")
    .option(
      "--secret <secret>",
      "the agent's own secret, by which it knows the arena (AGON_AGENT_SECRET; the stored one)",
    )
    .option("--agent <id>", "the agent, by id or name (AGON_AGENT_ID; the last one made that is called)")
    .option("--base-url <url>", "the arena, with or without /api (AGON_BASE_URL)", parseBaseUrlOption)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <number>", "port to listen on; 0 takes a free one", wholeNumber(0, 65_535), 4601)
    .option("--url <url>", "where the arena reaches this, to be changed there first")
    .option("--concurrency <number>", "tasks at a time; more wait for their turn", wholeNumber(1, 64), 1)
    .option("--json", "print each event as one line of JSON")
    .option("-v, --verbose", "also show what the command writes to stderr")
    .passThroughOptions()
    .addHelpText(
      "after",
      "\nExample:\n  agon push -- python my_agent.py\n  agon push --url https://my-tunnel.example -- ./my-agent\n  agon push --model qwen3:8b --model-url http://127.0.0.1:11434/v1",
    )
    .action((command: string[], options: PushOptions) => push(command, options, context));
}

async function push(command: string[], options: PushOptions, { env, output }: CommandContext): Promise<void> {
  const makeWorker = chooseWorker(command, options, env);
  const config = await loadConfig(configPath(env));
  const baseUrl = chooseBaseUrl(options.baseUrl, env, config);
  const agent = chooseAgent({ ...options, mode: "push" }, env, config, baseUrl);
  const apiKey = chooseApiKey(env, config, baseUrl);
  const isOwned = apiKey !== undefined && agent.id !== "";
  if (options.url !== undefined && !isOwned) {
    throw new UsageError(
      "To change the agent's address its id and the account's key are needed: --agent, AGON_API_KEY.",
    );
  }
  const secrets = [agent.secret.trim(), ...(apiKey === undefined ? [] : [apiKey])];
  const worker = makeWorker(secrets);
  const verbose = options.verbose === true;
  const view = options.json
    ? createJsonView(output, verbose)
    : createRunView(output, { verbose, now: () => performance.now() });
  const { host, port, concurrency } = options;
  const signals = listenForSignals();
  try {
    const listening = {
      host,
      port,
      concurrency,
      signal: signals.stop,
      abortSignal: signals.abort,
      onEvent: view.onEvent,
    };
    // The two dialects' secrets tell themselves apart, so nobody has to say which one an agent speaks.
    const isSigned = agent.secret.trim().startsWith(EDGEARENA_KEY_PREFIX);
    const starting = isSigned
      ? serve(worker, { ...listening, key: agent.secret, ...(options.url ? { publicUrl: options.url } : {}) })
      : serveWebhook({ ...listening, secret: agent.secret, answer: agentAnswer(worker) });
    const server = await starting.catch((error: unknown) => {
      const reason = listenReason(error, { host, port });
      throw reason === undefined ? error : new UsageError(reason);
    });
    const name = `${agent.id} ${toOneLine(agent.name)}`.trim();
    if (!options.json) greet({ name, server, concurrency }, view, output);
    const owner = { baseUrl, apiKey: apiKey ?? "", agentId: agent.id, signal: signals.stop };
    if (isOwned && isSigned) await activate(owner, options, view, output);
    else if (isOwned) await announce(owner, options, view, output);
    else view.print(ADDRESS_HINT);
    const summary = await server.done;
    process.exitCode = signals.abort.aborted ? 1 : 0;
    view.end();
    if (!options.json) output.line(`Stopped. ${summary.answered} completed, ${summary.failed} failed.`);
  } finally {
    view.end();
    signals.ignore();
  }
}

function greet(
  { name, server, concurrency }: { name: string; server: WebhookServer; concurrency: number },
  view: RunView,
  output: Output,
): void {
  const { accent, quiet } = output.palette;
  const pace = concurrency === 1 ? "one task at a time" : `up to ${concurrency} tasks at a time`;
  view.print(`${`${accent("❯❮")} agent ${name}`.trimEnd()} listens at ${server.url}, ${pace}`);
  const { hostname } = new URL(server.url);
  const isNear = hostname === "127.0.0.1" || hostname === "localhost" || hostname === "[::1]";
  const reach = isNear ? " For arenas elsewhere put a tunnel or a proxy in front." : "";
  view.print(quiet(`Ctrl-C finishes what is in hand and stops.${reach}`));
}

/** Brings the address to the arena. What fails there does not end the server, which may be reached all the same. */
async function announce(owner: WebhookOwner, options: PushOptions, view: RunView, output: Output): Promise<void> {
  const { good, warn } = output.palette;
  let line: string;
  try {
    const { url, pingError } = await bringWebhookAddress(owner, options.url);
    if (options.json) {
      output.json({ at: new Date().toISOString(), type: "announced", webhook_url: url, ping_error: pingError ?? null });
    }
    const place = `${owner.baseUrl} calls this agent at ${toOneLine(url)}`;
    line =
      pingError === undefined
        ? `${good("good")}  ${place}`
        : `${warn("warn")}  ${place}, without success: ${toOneLine(pingError)} Start again to have it look again; --url changes the address.`;
  } catch (error) {
    if (owner.signal?.aborted) return;
    line = `${warn("warn")}  ${error instanceof Error ? error.message : String(error)}`;
    if (options.json) output.note(line);
  }
  view.print(line);
}

/** Brings the address of a signed agent to the arena, and has it tried; shows each step that failed with what to change. */
async function activate(owner: WebhookOwner, options: PushOptions, view: RunView, output: Output): Promise<void> {
  const { good, warn, accent } = output.palette;
  try {
    const { url, status, steps } = await bringSignedAddress(owner, options.url);
    const failures = failedSteps(steps);
    if (options.json) {
      output.json({
        at: new Date().toISOString(),
        type: "activated",
        endpoint_url: url,
        status,
        failed_steps: failures,
      });
    }
    const word = failures.length === 0 ? good("good") : warn("warn");
    view.print(`${word}  ${owner.baseUrl} calls this agent at ${toOneLine(url)}; it is ${status}`);
    for (const { name, detail, advice } of failures) {
      view.print(`      ${name}: ${toOneLine(detail)}`);
      if (advice !== null) view.print(`      ${accent(toOneLine(advice))}`);
    }
  } catch (error) {
    if (owner.signal?.aborted) return;
    const line = `${warn("warn")}  ${error instanceof Error ? error.message : String(error)}`;
    if (options.json) output.note(line);
    view.print(line);
  }
}
