import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BIN = join(import.meta.dirname, "../bin/agon.js");

/** What a call of the command line came to. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A call of the command line that goes on. */
export interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly finished: Promise<Finished>;
  /** What standard output holds so far. */
  text(): string;
  /** Resolves when standard output holds this text. */
  seen(text: string): Promise<void>;
}

/** A home of its own for calls of the command line, in which nothing is configured yet. */
export interface Home extends Disposable {
  readonly configPath: string;
  start(args: readonly string[], env?: NodeJS.ProcessEnv): Started;
  run(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Finished>;
}

/** Makes a {@link Home} in a new folder. */
export function createHome(): Home {
  const folder = mkdtempSync(join(tmpdir(), "agon-cli-"));
  const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => startAgon(args, { HOME: folder, ...env });
  return {
    configPath: join(folder, ".config/agon/config.json"),
    start,
    run: (args, env) => start(args, env).finished,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

function startAgon(args: readonly string[], env: NodeJS.ProcessEnv): Started {
  const child = spawn(process.execPath, ["--conditions=@agon/source", BIN, ...args], {
    env: { PATH: process.env.PATH, ...env },
  });
  child.stdin.end();
  let stdout = "";
  let stderr = "";
  const watchers = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    for (const watch of watchers) watch();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const finished = new Promise<Finished>((resolve) => {
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  const seen = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const watch = () => {
        if (!stdout.includes(text)) return;
        watchers.delete(watch);
        resolve();
      };
      watchers.add(watch);
      watch();
      void finished.then(() => reject(new Error(`ended without ${JSON.stringify(text)}: ${stdout}${stderr}`)));
    });
  return { child, finished, text: () => stdout, seen };
}
