import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../../packages/cli/bin/agon.js", import.meta.url));
const READY_MS = 30_000;

export interface ServerProcess {
  url: string;
  /** As a power cut would: no handler runs. */
  kill(): Promise<void>;
  /** As an operator would; resolves to the exit code. */
  stop(): Promise<number | null>;
}

/** A port that nobody uses at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** Starts `agon serve` as its own process and waits until it is ready. */
export async function startServer(port: number, args: string[], env: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, ["--conditions=@agon/source", bin, "serve", "--port", String(port), ...args], {
    env: { ...process.env, ...env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  const url = `http://127.0.0.1:${port}`;
  try {
    await waitUntilReady(child, url);
  } catch (error) {
    child.kill("SIGKILL");
    throw new Error(`the server did not get ready: ${(error as Error).message}\n${output}`);
  }
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, "exit");
    }
    return child.exitCode;
  };
  return { url, kill: async () => void (await end("SIGKILL")), stop: () => end("SIGTERM") };
}

async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  const until = performance.now() + READY_MS;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    const ready = await fetch(`${url}/readyz`).catch(() => undefined);
    if (ready?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`it was not ready after ${READY_MS / 1000} s`);
}
