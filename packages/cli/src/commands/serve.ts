import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config, ConfigInput } from "@agon/arena";
import { staticDir } from "@agon/web";
import type { Command } from "commander";
import pc from "picocolors";
import { listenReason } from "../listen-reason.ts";
import { SAMPLE_AGENTS, startSampleAgents } from "../samples/sample-agents.ts";
import { SIGNED_SAMPLE_NAMES } from "../samples/signed-samples.ts";
import { serveWelcome } from "../serve-welcome.ts";

const SAMPLES = { competing: SAMPLE_AGENTS.map((sample) => sample.name), inRuns: SIGNED_SAMPLE_NAMES };

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
  console.log(
    serveWelcome({
      url,
      version: AGON_VERSION,
      dataDirectory: opened.dataDirectory,
      samples: flags.samples === true ? SAMPLES : undefined,
      hasPages: pages !== undefined,
      newAdminKey: opened.newAdminKey,
      isAdminKeySet: config.adminKey !== undefined,
    }),
  );
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
