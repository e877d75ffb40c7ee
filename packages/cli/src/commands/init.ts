import { ArenaError, requestArena } from "@agon/agent";
import { agentCreatedSchema, DIALECTS, type Dialect, ROLES, type Role, registerResponseSchema } from "@agon/protocol";
import { type Command, Option } from "commander";
import type * as z from "zod";
import type { CommandContext } from "../command-context.ts";
import { arenaOf, changeConfig, configPath, loadConfig } from "../config-file.ts";
import { chooseApiKey, chooseBaseUrl, parseBaseUrlOption } from "../connection.ts";
import type { AgentChoices } from "../init-guide.ts";
import { type Output, toOneLine } from "../output.ts";
import { readRoles } from "../role-option.ts";
import { LANGUAGES, type Language, type Scaffold, writeScaffold } from "../scaffold.ts";
import { UsageError } from "../usage-error.ts";

interface InitOptions {
  name?: string;
  model: string;
  description: string;
  url?: string;
  transport?: "pull" | "push";
  dialect?: Dialect;
  role?: Role[];
  language?: Language;
  dir?: string;
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
    .addOption(new Option("--transport <way>", "how work reaches it").choices(["pull", "push"]))
    .addOption(
      new Option("--dialect <dialect>", "what a push agent speaks; tesserax unless given").choices([...DIALECTS]),
    )
    .option("--role <roles>", `its roles in runs, of ${ROLES.join(", ")}, with commas between`, readRoles)
    .addOption(new Option("--language <language>", "write a file to begin with").choices([...LANGUAGES]))
    .option("--dir <folder>", "where that file goes; a folder of the agent's name unless given")
    .option("--base-url <url>", "the arena, with or without /api (AGON_BASE_URL)", parseBaseUrlOption)
    .option("--json", "print one line of JSON, the agent's secret included")
    .addHelpText(
      "after",
      "\nExample:\n  agon init --name my-agent --model my-model-7b --base-url http://127.0.0.1:4600\n  agon init --name my-agent --language python\n  agon init --name my-agent --url https://agents.example.com/mine --dialect edgearena-v1 --role SCOUT",
    )
    .action((options: InitOptions) => init(options, context));
}

async function init(options: InitOptions, { env, output }: CommandContext): Promise<void> {
  const path = configPath(env);
  const config = await loadConfig(path);
  const baseUrl = chooseBaseUrl(options.baseUrl, env, config);
  const choices = await choose(options, output);
  const { name, url } = choices;

  const apiKey = chooseApiKey(env, config, baseUrl) ?? (await register(baseUrl, path, options, output));
  const agent = await createAgent(baseUrl, apiKey, choices, options);
  const id = String(agent.id);
  await changeConfig(path, (changed) => {
    const arena = arenaOf(changed, baseUrl);
    arena.agents = arena.agents.filter((stored) => stored.id !== id);
    const stored = { id, name, secret: agent.webhook_secret };
    arena.agents.push(url === undefined ? stored : { ...stored, mode: "push" });
    changed.base_url = baseUrl;
  });

  // Last, for the agent is made even where a file is in the way.
  const { language } = choices;
  const folder = options.dir ?? toFolderName(name);
  const scaffold = language === undefined ? undefined : await writeScaffold(language, folder);
  const made: Made = { baseUrl, id, name, agent, url, path, scaffold, folder };
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
  readonly scaffold: Scaffold | undefined;
  readonly folder: string;
}

function tellProgram({ baseUrl, id, name, agent, url, path, scaffold }: Made, output: Output): void {
  const command = url === undefined ? "run" : "push";
  output.json({
    base_url: baseUrl,
    agent_id: agent.id,
    name,
    webhook_secret: agent.webhook_secret,
    ...(url === undefined ? {} : { webhook_url: url, ping_error: agent.ping_error ?? null }),
    config: path,
    ...(scaffold === undefined ? {} : { file: scaffold.path }),
    run_command: `agon ${command} --agent ${id} --base-url ${baseUrl} -- ${scaffold?.command.join(" ") ?? "COMMAND"}`,
  });
}

function tellPerson({ baseUrl, id, name, url, path, scaffold, folder }: Made, output: Output): void {
  const { accent, strong } = output.palette;
  output.line(`Made agent ${strong(`${id} ${toOneLine(name)}`)} at ${baseUrl}. Its secret is in ${path}.`);
  if (scaffold !== undefined) {
    const command = `agon ${url === undefined ? "run" : "push"} -- ${scaffold.command.join(" ")}`;
    output.line(`Its beginning is in ${scaffold.path}. Put your model in where it says so.`);
    output.line(`Next: ${accent(`cd ${folder} && ${command}`)}`);
    return;
  }
  if (url === undefined) {
    const next = accent("agon run -- ./my-agent");
    output.line(`Next: ${next}, any program that reads a task on stdin and prints its answer`);
    return;
  }
  // Whether the first ping came through is not told: who checks signatures could not know this secret yet.
  const next = accent("agon push -- ./my-agent");
  output.line(`Next, where ${toOneLine(url)} leads: ${next}. It has the arena look whether the agent answers.`);
}

/** From the options alone for programs; a person at a terminal who gave no name is asked for all that is open. */
async function choose(options: InitOptions, output: Output): Promise<AgentChoices> {
  const { url, dialect = "tesserax", role: roles = [], language } = options;
  const transport = options.transport ?? (url === undefined ? "pull" : "push");
  if (options.name === undefined) {
    if (options.json || !output.isTerminal || !process.stdin.isTTY) {
      throw new UsageError("The name is missing: agon init --name my-agent");
    }
    const { askForChoices } = await import("../init-guide.ts");
    const known = { url, language, transport: options.transport, dialect: options.dialect, roles: options.role };
    return complete(await askForChoices(dropAbsent(known)));
  }
  return complete({ name: options.name, transport, dialect, roles, url, language });
}

function complete(choices: AgentChoices): AgentChoices {
  const { transport, dialect, roles, url } = choices;
  const name = choices.name.trim();
  if (name === "") throw new UsageError("The agent needs a name: agon init --name my-agent");
  if (transport === "push" && url === undefined)
    throw new UsageError("An agent that is called needs its URL: --url https://…");
  if (transport === "pull" && url !== undefined)
    throw new UsageError("An agent that fetches its work has no URL: leave --url out.");
  if (dialect === "edgearena-v1" && transport === "pull") {
    throw new UsageError("edgearena-v1 agents are called: add --url https://…");
  }
  if (dialect === "edgearena-v1" && roles.length === 0) throw new UsageError("Say which roles it takes: --role SCOUT");
  return { ...choices, name };
}

function dropAbsent<Value extends object>(value: Value): { [K in keyof Value]?: Exclude<Value[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never;
}

/** A name as a folder: what a shell or a path would take for something else becomes a dash. */
function toFolderName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[.-]+|[.-]+$/g, "") || "my-agent";
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

async function createAgent(baseUrl: string, apiKey: string, choices: AgentChoices, options: InitOptions) {
  const { model, description } = options;
  const { name, transport, dialect, roles, url } = choices;
  const answer = await requestArena({
    baseUrl,
    path: "/api/agents",
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: {
      name,
      mode: transport,
      // Only what is said: another arena may not know these fields.
      ...(dialect === "tesserax" ? {} : { dialect }),
      ...(roles.length === 0 ? {} : { roles }),
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
