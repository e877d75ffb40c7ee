import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config, ConfigInput } from "@agon/arena";
import { staticDir } from "@agon/web";
import type { Command } from "commander";
import pc from "picocolors";
import { listenReason } from "../listen-reason.ts";
import { SAMPLE_AGENTS, startSampleAgents } from "../samples/sample-agents.ts";
import { SIGNED_SAMPLE_NAMES } from "../samples/signed-samples.ts";

interface ServeFlags {
  host?: string;
  port?: string;
  data?: string;
  databaseUrl?: string;
  samples?: boolean;
  empty?: boolean;
  dev?: boolean;
}

export function addServe(program: Command): void {
  program
    .command("serve")
    .description("Run an arena.")
    .option("--host <address>", "address to listen on (AGON_HOST; 127.0.0.1)")
    .option("--port <number>", "port to listen on (AGON_PORT; 4600)")
    .option("--data <folder>", "folder of the embedded database (AGON_DATA_DIR; ./agon-data)")
    .option("--database-url <url>", "PostgreSQL instead of the embedded database (AGON_DATABASE_URL)")
    .option("--samples", "run five sample agents, to see a competition at once")
    .option("--empty", "load no prompts into an empty database")
    .option("--dev", "plain http and loopback endpoints allowed, readable logs")
    .addHelpText("after", "\nExample:\n  agon serve --data ./my-arena --port 4600 --samples")
    .action(serve);
}

/** Loaded when an arena is really run: help should not wait for a server and a database. */
type ArenaModule = typeof import("@agon/arena");

async function serve(flags: ServeFlags): Promise<void> {
  const [arenaModule, { pino }] = await Promise.all([import("@agon/arena"), import("pino")]);
  const { openArena, StartError, AGON_VERSION } = arenaModule;
  const config = readConfig(flags, arenaModule);
  const log = pino({ level: config.dev ? "debug" : config.logLevel }, pino.destination({ dest: 2, sync: true }));
  const pages = builtPages();
  const opened = await openArena(config, { log, empty: flags.empty === true, staticDir: pages }).catch(
    exitOn(StartError),
  );
  const url = await opened.arena.start().catch((error: unknown) => {
    return opened.close().then(() => exitOnListen(error, config));
  });
  const stopSamples = flags.samples === true ? await startSampleAgents(opened, url) : async () => {};

  let stopping = false;
  const stop = async () => {
    // A second signal means now: somebody is waiting at a terminal.
    if (stopping) process.exit(1);
    stopping = true;
    await stopSamples();
    await opened.close();
  };
  // Before the welcome, for who reads it may stop the arena at once.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop());
  printWelcome(url, flags, opened, { version: AGON_VERSION, isServer: config.databaseUrl !== undefined });
}

/** Where the pages are. A checkout that was never built has none, and still is an arena for agents. */
function builtPages(): string | undefined {
  if (existsSync(join(staticDir, "index.html"))) return staticDir;
  console.error(`${pc.yellow("warning")} the pages are not built; npm run build makes them`);
  return undefined;
}

function readConfig(flags: ServeFlags, { loadConfig, ConfigError }: ArenaModule): Config {
  const input: ConfigInput = {
    host: flags.host,
    port: flags.port,
    dataDir: flags.data,
    databaseUrl: flags.databaseUrl,
    dev: flags.dev,
  };
  try {
    const { config, warnings } = loadConfig(input, process.env);
    for (const warning of warnings) console.error(`${pc.yellow("warning")} ${warning}`);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) console.error(problem);
    process.exit(2);
  }
}

function exitOn(kind: ArenaModule["StartError"]) {
  return (error: unknown): never => {
    if (!(error instanceof kind)) throw error;
    console.error(error.message);
    process.exit(2);
  };
}

function exitOnListen(error: unknown, config: { host: string; port: number }): never {
  const reason = listenReason(error, config);
  if (reason === undefined) throw error;
  console.error(reason);
  process.exit(2);
}

function printWelcome(
  url: string,
  flags: ServeFlags,
  opened: { newAdminKey: string | undefined; dataDirectory: string | undefined },
  { version, isServer }: { version: string; isServer: boolean },
): void {
  const base = url === "http://127.0.0.1:4600" ? "" : ` --base-url ${url}`;
  const names = SAMPLE_AGENTS.map((sample) => sample.name);
  const rows: [string, string][] = [
    ["Arena", pc.bold(url)],
    ["Database", isServer ? "PostgreSQL" : `embedded, in ${opened.dataDirectory}`],
  ];
  if (flags.samples === true) {
    rows.push(["Competing", `${names.join(", ")} (samples)`]);
    rows.push(["In runs", `${SIGNED_SAMPLE_NAMES.join(", ")} (samples, signed)`]);
  }
  if (opened.newAdminKey !== undefined) {
    rows.push(["Operator", `${opened.newAdminKey}  ${pc.dim("shown this once; kept in the data folder's admin.key")}`]);
  }
  rows.push(
    ["", ""],
    ["Open", `${url}  ${pc.dim("the ladder, judging, connecting an agent; /api/reference for every call")}`],
    ["Watch", `npx agon leaderboard${base}`],
    ["Compete", `npx agon init --name my-agent${base}`],
    ["", `npx agon run${base} -- cat  ${pc.dim("any command: prompt on stdin, answer on stdout")}`],
    ["Set a goal", `npx agon run-goal "A side business for two evenings a week"${base}`],
    ["Stop", "Ctrl-C"],
  );
  console.log(`\n${pc.cyan("❯❮")} ${pc.bold("agon")} ${pc.dim(version)}\n`);
  for (const [label, text] of rows) console.log(`  ${pc.dim(label.padEnd(10))} ${text}`);
  console.log("");
}
