import { ArenaError, requestArena } from "@agon/agent";
import { agentCreatedSchema, registerResponseSchema } from "@agon/protocol";
import { isCancel, text } from "@clack/prompts";
import type { Command } from "commander";
import type * as z from "zod";
import type { CommandContext } from "../command-context.ts";
import { arenaOf, changeConfig, configPath, loadConfig } from "../config-file.ts";
import { chooseApiKey, chooseBaseUrl, parseBaseUrlOption } from "../connection.ts";
import { type Output, toOneLine } from "../output.ts";
import { UsageError } from "../usage-error.ts";

interface InitOptions {
  name?: string;
  model: string;
  description: string;
  url?: string;
  baseUrl?: string;
  json?: boolean;
}

/** Only what is needed: another arena's answer may lack the rest, and the secret in it is shown this once. */
const createdSchema = agentCreatedSchema
  .pick({ id: true, webhook_secret: true })
  .extend({ ping_error: agentCreatedSchema.shape.ping_error.optional() });
const registeredSchema = registerResponseSchema.pick({ api_key: true }).extend({
  username: registerResponseSchema.shape.username.optional(),
});

export function addInit(program: Command, context: CommandContext): void {
  program
    .command("init")
    .description("Make an agent, and an account first if you have none in that arena.")
    .option("--name <name>", "the agent's name; asked for on a terminal")
    .option("--model <model>", "the model it claims to use", "")
    .option("--description <text>", "what people read about it", "")
    .option("--url <url>", "where the arena calls it (a push agent); without, it fetches its work")
    .option("--base-url <url>", "the arena, with or without /api (AGON_BASE_URL)", parseBaseUrlOption)
    .option("--json", "print one line of JSON, the agent's secret included")
    .addHelpText(
      "after",
      "\nExample:\n  agon init --name my-agent --model my-model-7b --base-url http://127.0.0.1:4600\n  agon init --name my-agent --url https://agents.example.com/mine",
    )
    .action((options: InitOptions) => init(options, context));
}

async function init(options: InitOptions, { env, output }: CommandContext): Promise<void> {
  const path = configPath(env);
  const config = await loadConfig(path);
  const baseUrl = chooseBaseUrl(options.baseUrl, env, config);
  const name = (options.name ?? (await askForName(output, options.json === true))).trim();
  if (name === "") throw new UsageError("The agent needs a name: agon init --name my-agent");

  const apiKey = chooseApiKey(env, config, baseUrl) ?? (await register(baseUrl, path, options, output));
  const agent = await createAgent(baseUrl, apiKey, name, options);
  const id = String(agent.id);
  await changeConfig(path, (changed) => {
    const arena = arenaOf(changed, baseUrl);
    arena.agents = arena.agents.filter((stored) => stored.id !== id);
    const stored = { id, name, secret: agent.webhook_secret };
    arena.agents.push(options.url === undefined ? stored : { ...stored, mode: "push" });
    changed.base_url = baseUrl;
  });

  const made: Made = { baseUrl, id, name, agent, url: options.url, path };
  return options.json ? tellProgram(made, output) : tellPerson(made, output);
}

interface Made {
  readonly baseUrl: string;
  readonly id: string;
  readonly name: string;
  readonly agent: z.infer<typeof createdSchema>;
  readonly url: string | undefined;
  /** Where the secret is kept. */
  readonly path: string;
}

function tellProgram({ baseUrl, id, name, agent, url, path }: Made, output: Output): void {
  const command = url === undefined ? "run" : "push";
  output.json({
    base_url: baseUrl,
    agent_id: agent.id,
    name,
    webhook_secret: agent.webhook_secret,
    ...(url === undefined ? {} : { webhook_url: url, ping_error: agent.ping_error ?? null }),
    config: path,
    run_command: `agon ${command} --agent ${id} --base-url ${baseUrl} -- COMMAND`,
  });
}

function tellPerson({ baseUrl, id, name, url, path }: Made, output: Output): void {
  const { accent, strong } = output.palette;
  output.line(`Made agent ${strong(`${id} ${toOneLine(name)}`)} at ${baseUrl}. Its secret is in ${path}.`);
  if (url === undefined) {
    const next = accent("agon run -- ./my-agent");
    output.line(`Next: ${next}, any program that reads a task on stdin and prints its answer`);
    return;
  }
  // Whether the first ping came through is not told: who checks signatures could not know this secret yet.
  const next = accent("agon push -- ./my-agent");
  output.line(`Next, where ${toOneLine(url)} leads: ${next}. It has the arena look whether the agent answers.`);
}

async function askForName(output: Output, isJson: boolean): Promise<string> {
  if (isJson || !output.isTerminal || !process.stdin.isTTY) {
    throw new UsageError("The name is missing: agon init --name my-agent");
  }
  const answer = await text({ message: "What is the agent's name?", placeholder: "my-agent" });
  if (isCancel(answer)) throw new Error("Nothing was made.");
  return answer ?? "";
}

/** Stored before anything else is tried with it: an account whose key is lost stays for ever, and nobody's. */
async function register(baseUrl: string, path: string, options: InitOptions, output: Output): Promise<string> {
  const answer = await requestArena({ baseUrl, path: "/api/register", method: "POST" }).catch((error: unknown) => {
    if (!(error instanceof ArenaError) || error.status !== 403) throw error;
    const { detail, status, code, requestId, kind } = error;
    const nextStep = "Ask its operator for a key, then run: agon login --api-key KEY";
    throw new ArenaError(kind, detail, { status, code, requestId, nextStep, cause: error });
  });
  const registered = registeredSchema.safeParse(answer.body);
  if (!registered.success) throw new Error(`${baseUrl} answered, but not with an account. Is the base URL right?`);
  const { api_key, username } = registered.data;
  await changeConfig(path, (config) => {
    arenaOf(config, baseUrl).account = { api_key, ...(username === undefined ? {} : { username }) };
  });
  if (!options.json)
    output.line(`Made account ${output.palette.strong(username ?? "")} at ${baseUrl}. Its key is in ${path}.`);
  return api_key;
}

async function createAgent(baseUrl: string, apiKey: string, name: string, options: InitOptions) {
  const { model, description, url } = options;
  const answer = await requestArena({
    baseUrl,
    path: "/api/agents",
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: {
      name,
      mode: url === undefined ? "pull" : "push",
      ...(url === undefined ? {} : { webhook_url: url }),
      model_claimed: model,
      description,
    },
  }).catch((error: unknown) => {
    if (!(error instanceof ArenaError) || error.status !== 401) throw error;
    const { detail, status, code, requestId, kind } = error;
    const nextStep = `The stored key for ${baseUrl} is not valid any more. Run: agon login --api-key KEY`;
    throw new ArenaError(kind, detail, { status, code, requestId, nextStep, cause: error });
  });
  const created = createdSchema.safeParse(answer.body);
  if (!created.success) throw new Error(`${baseUrl} answered, but not with an agent.`);
  return created.data;
}
