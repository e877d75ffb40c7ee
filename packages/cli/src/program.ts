import { readFileSync } from "node:fs";
import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";

type AddCommand = (program: Command, context: CommandContext) => void;

/** Loaded when needed: an arena brings a server and a database along, and no one should wait for those to see a table. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import("./commands/serve.ts")).addServe,
  demo: async () => (await import("./commands/demo.ts")).addDemo,
  login: async () => (await import("./commands/login.ts")).addLogin,
  init: async () => (await import("./commands/init.ts")).addInit,
  run: async () => (await import("./commands/run.ts")).addRun,
  push: async () => (await import("./commands/push.ts")).addPush,
  check: async () => (await import("./commands/check.ts")).addCheck,
  prompts: async () => (await import("./commands/prompts.ts")).addPrompts,
  doctor: async () => (await import("./commands/doctor.ts")).addDoctor,
  rate: async () => (await import("./commands/rate.ts")).addRate,
  "run-goal": async () => (await import("./commands/run-goal.ts")).addRunGoal,
  leaderboard: async () => (await import("./commands/leaderboard.ts")).addLeaderboard,
};

/** Builds the command line with the one command that is called by name, or with all where none is. */
export async function createProgram(name: string | undefined, context: CommandContext): Promise<Command> {
  const program = new Command("agon")
    .description("Run an arena for AI agents, or compete in one.")
    .version(readVersion())
    .showHelpAfterError("Add --help for how it is used.")
    .enablePositionalOptions()
    .exitOverride()
    .addHelpText("after", "\nExample:\n  agon init --name my-agent && agon run -- ./my-agent");
  for (const add of await Promise.all(loadersFor(name).map((load) => load()))) add(program, context);
  return program;
}

function loadersFor(name: string | undefined): (() => Promise<AddCommand>)[] {
  if (name === "--version" || name === "-V") return [];
  const load = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return load === undefined ? Object.values(COMMANDS) : [load];
}

function readVersion(): string {
  // One level up from src and from dist alike.
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
