import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { v7 as uuidv7 } from "uuid";
import { withSampleAccount } from "./accounts/registration.ts";
import { ensurePullAgent } from "./agents/agent-registration.ts";
import { type Arena, createArena } from "./arena.ts";
import type { Config } from "./config.ts";
import { type DataDirectory, DataDirectoryError, openDataDirectory } from "./db/data-directory.ts";
import type { Database } from "./db/database.ts";
import { type OpenDatabase, openDatabase } from "./db/open.ts";
import { proveSecretKey, WrongSecretKeyError } from "./db/secret-key-proof.ts";
import { createVault } from "./db/secrets.ts";
import { countPrompts, insertPrompts } from "./ladder/prompt-queries.ts";
import { loadShippedPrompts } from "./ladder/shipped/shipped-prompts.ts";
import type { Ports } from "./ports.ts";
import { LaunchpadError } from "./runs/launchpads.ts";

/** The arena cannot start for a reason outside it; the message is one line that says what to do. */
export class StartError extends Error {
  override name = "StartError";
}

export interface OpenedArena {
  arena: Arena;
  /** Set when this start made the operator's key: it is shown this once. */
  newAdminKey: string | undefined;
  /** Where keys and the embedded database are kept; undefined on PostgreSQL. */
  dataDirectory: string | undefined;
  /** A pull agent of its own account, made on first use; its secret is new each time. For sample agents. */
  ensurePullAgent(name: string, description: string): Promise<{ agentId: number; secret: string }>;
  /** Lends a key to the account of a sample agent, made on first use, for as long as `use` takes. */
  withSampleAccount<Result>(name: string, use: (apiKey: string) => Promise<Result>): Promise<Result>;
  /** Stops the arena and lets go of the database. */
  close(): Promise<void>;
}

/**
 * Opens the database that the settings name, loads the shipped prompts into an empty one, and wires the arena on it.
 *
 * @throws StartError when the database, the data directory or a key is not usable
 */
export async function openArena(
  config: Config,
  options: { log: Logger; empty?: boolean; staticDir?: string | undefined },
): Promise<OpenedArena> {
  const ports: Ports = { log: options.log, random: { bytes: randomBytes, uuid: () => uuidv7() } };
  const store = await openStore(config, options.log);
  try {
    await proveSecretKey(store.opened.db, createVault(store.keys.secretKey, ports.random));
    const arena = await createArena(config, ports, store.opened, store.keys, { staticDir: options.staticDir });
    if (options.empty !== true) await loadPrompts(store.opened.db, arena.clock.now());
    return {
      arena,
      newAdminKey: config.adminKey === undefined && store.directory?.adminKeyIsNew ? store.keys.adminKey : undefined,
      dataDirectory: store.directory === undefined ? undefined : config.dataDir,
      ensurePullAgent: (name, description) =>
        ensurePullAgent(
          store.opened.db,
          {
            ports: { clock: arena.clock, random: ports.random },
            vault: createVault(store.keys.secretKey, ports.random),
          },
          name,
          description,
        ),
      withSampleAccount: (name, use) =>
        withSampleAccount(store.opened.db, { clock: arena.clock, random: ports.random }, name, use),
      async close() {
        await arena.stop();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    const isTheirs = error instanceof WrongSecretKeyError || error instanceof LaunchpadError;
    throw isTheirs ? new StartError(error.message) : error;
  }
}

interface Store {
  opened: OpenDatabase;
  keys: { secretKey: string; adminKey: string | undefined };
  directory: DataDirectory | undefined;
  close(): Promise<void>;
}

async function openStore(config: Config, log: Logger): Promise<Store> {
  return config.databaseUrl === undefined ? openEmbedded(config) : openServer(config, config.databaseUrl, log);
}

async function openServer(config: Config, url: string, log: Logger): Promise<Store> {
  if (config.secretKey === undefined) {
    throw new StartError(
      "AGON_SECRET_KEY is not set. With PostgreSQL every node needs the same key of 32 characters or more, to seal agents' secrets",
    );
  }
  const node = crypto.randomUUID();
  let opened: OpenDatabase;
  try {
    opened = await openDatabase({ url, poolSize: config.databasePool, log, node });
  } catch (error) {
    throw new StartError(`the database at ${withoutPassword(url)} cannot be used: ${describe(error)}`, {
      cause: error,
    });
  }
  return {
    opened,
    keys: { secretKey: config.secretKey, adminKey: config.adminKey },
    directory: undefined,
    close: () => closeBoth(opened),
  };
}

async function openEmbedded(config: Config): Promise<Store> {
  const directory = takeDirectory(config.dataDir);
  try {
    const opened = await openDatabase({ folder: directory.databaseFolder });
    return {
      opened,
      keys: { secretKey: config.secretKey ?? directory.secretKey, adminKey: config.adminKey ?? directory.adminKey },
      directory,
      async close() {
        await closeBoth(opened);
        directory.release();
      },
    };
  } catch (error) {
    directory.release();
    throw new StartError(`the database in ${directory.databaseFolder} cannot be opened: ${describe(error)}`, {
      cause: error,
    });
  }
}

function takeDirectory(path: string): DataDirectory {
  try {
    return openDataDirectory(path);
  } catch (error) {
    if (error instanceof DataDirectoryError) throw new StartError(error.message);
    throw error;
  }
}

async function closeBoth({ db, signals }: OpenDatabase): Promise<void> {
  await signals.close();
  await db.close();
}

async function loadPrompts(db: Database, now: number): Promise<void> {
  if ((await countPrompts(db)) > 0) return;
  const { gym, main } = loadShippedPrompts();
  await db.transaction(async (tx) => {
    await insertPrompts(tx, "gym", gym, now);
    await insertPrompts(tx, "main", main, now);
  });
}

/** What went wrong at the bottom of it, on one line: a query builder wraps the database's word in its statement. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0]);
  if (error instanceof Error && error.cause instanceof Error) return describe(error.cause);
  const text = (error instanceof Error && error.message) || String((error as { code?: unknown })?.code ?? error);
  return text.replace(/\s+/g, " ").trim();
}

function withoutPassword(url: string): string {
  try {
    const parsed = new URL(url);
    if (parsed.password !== "") parsed.password = "***";
    if (parsed.searchParams.has("password")) parsed.searchParams.set("password", "***");
    return parsed.toString();
  } catch {
    return "the given URL";
  }
}
