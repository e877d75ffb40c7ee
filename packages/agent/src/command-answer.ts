import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Work } from "@agon/protocol";
import { type Answer, type AnswerContext, DeadlineError, timerMs } from "./answer.ts";
import { commandEnvironment, isLongEnough } from "./command-environment.ts";
import { createBoundedOutput, createLineReader, createOutputTail, toAnswerText } from "./command-output.ts";
import { createGroupRegistry, endCommand, endLeftovers, type GroupRegistry } from "./process-group.ts";

/** How a command is run for each unit of work. */
export interface CommandAnswerOptions {
  /** The program and its arguments. No shell looks at them, and no text of the arena is ever among them. */
  readonly command: readonly string[];
  /** The environment to build the command's from; the process's own by default. */
  readonly env?: NodeJS.ProcessEnv;
  /** Credentials (agent secret, account key) to keep from the command and out of error texts. */
  readonly secrets?: readonly string[];
  /** Directory to run in; the current one by default. */
  readonly cwd?: string;
  /** Largest answer in bytes of stdout; 4 MiB by default. */
  readonly maxOutputBytes?: number;
  /** Milliseconds between SIGTERM and SIGKILL for a command that has to end; 1,000 by default. */
  readonly killGraceMs?: number;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Enough for a stack trace, little enough to read in a list of failures. */
const STDERR_TAIL_BYTES = 2_000;

/** Time for `cmd > >(tee log)` and the like to pass their last bytes on after the shell itself is done. */
const LAST_BYTES_MS = 250;

/** A background child that writes without end is read for this many turns of the event loop after the command's end. */
const LAST_TURNS = 100;

/**
 * Makes an {@link Answer} that runs a command for each unit of work (tesserax pull API, adapter contract): the whole work
 * as one line of JSON on stdin, the TESSERAX_ variables in the environment, the trimmed stdout as the answer.
 *
 * The answer rejects, and the message is what the arena records, when the command is not found, exits with another code
 * than 0 or by a signal (the end of stderr is added), prints nothing, prints more than `maxOutputBytes` or prints bytes
 * that are not UTF-8, and when the deadline passes or the context's signal aborts. In the last two cases the command and
 * all it started are ended first. What a finished command leaves running in its process group is ended too.
 *
 * @throws TypeError for an empty command; Error on Windows, which has no process groups to end.
 */
export function commandAnswer(options: CommandAnswerOptions): Answer {
  if (!options.command[0]) throw new TypeError("There is no command to run.");
  if (process.platform === "win32") {
    throw new Error("Commands cannot be run on Windows, where a command's children would outlive it. Use WSL.");
  }
  const secrets = (options.secrets ?? []).filter(isLongEnough);
  const registry = createGroupRegistry();
  return async (work, context) => {
    try {
      return await runCommand(work, context, options, registry);
    } catch (error) {
      // Error texts are public in an arena, and a stack trace on stderr may well name a key.
      const message = error instanceof Error ? error.message : String(error);
      const hidden = secrets.reduce((text, secret) => text.replaceAll(secret, "***"), message);
      throw hidden === message ? error : new Error(hidden);
    }
  };
}

async function runCommand(
  work: Work,
  context: AnswerContext,
  options: CommandAnswerOptions,
  registry: GroupRegistry,
): Promise<string> {
  context.signal.throwIfAborted();
  const { maxOutputBytes = 4 * 1024 * 1024, killGraceMs = 1_000 } = options;
  const mark = randomUUID();
  const child = startCommand(work, context, options, mark);

  const ended = new Promise<Exit | Error>((resolve) => {
    child.once("error", (error) => resolve(toStartError(options.command[0]!, error)));
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  const closed = new Promise<"closed">((resolve) => child.once("close", () => resolve("closed")));
  const halt = Promise.withResolvers<Error>();

  const output = createBoundedOutput(maxOutputBytes);
  child.stdout.on("data", (chunk: Buffer) => {
    if (!output.push(chunk)) halt.resolve(new Error(`output too large: more than ${maxOutputBytes} bytes`));
  });
  const tail = createOutputTail(STDERR_TAIL_BYTES);
  const lines = createLineReader(context.log);
  child.stderr.on("data", (chunk: Buffer) => {
    tail.push(chunk);
    lines.push(chunk);
  });
  // A command need not read its input: the write then fails on that stream, not on the child.
  for (const stream of child.stdio) stream?.on("error", () => {});
  child.stdin.end(`${JSON.stringify(work)}\n`);

  if (child.pid === undefined) throw await ended;
  const group = { pid: child.pid, mark };
  registry.add(group);
  const timer = setTimeout(() => halt.resolve(new DeadlineError(work.deadline_seconds)), timerMs(context.deadlineMs));
  const onAbort = () => halt.resolve(context.signal.reason);
  context.signal.addEventListener("abort", onAbort, { once: true });
  try {
    const exit = await Promise.race([ended, halt.promise]);
    if (exit instanceof Error) {
      await endCommand(group, killGraceMs);
      registry.release(group);
      throw exit;
    }
    const first = await withinMs(LAST_BYTES_MS, closed);
    void endLeftovers(group, killGraceMs).finally(() => registry.release(group));
    if (first !== "closed") await untilNothingNew(() => output.bytes);
    if (output.bytes > maxOutputBytes) throw await halt.promise;
    lines.flush();
    return toAnswer(exit, output.toBuffer(), tail.toText());
  } finally {
    clearTimeout(timer);
    context.signal.removeEventListener("abort", onAbort);
    // Somebody who left the group may hold the other ends for ever.
    for (const stream of child.stdio) stream?.destroy();
  }
}

function startCommand(work: Work, context: AnswerContext, options: CommandAnswerOptions, mark: string): Child {
  const [file = "", ...args] = options.command;
  const { env: inherited = process.env, secrets = [], cwd = process.cwd() } = options;
  const attempt = (withoutTexts: boolean): Child => {
    const { env, omitted } = commandEnvironment(work, { inherited, secrets, mark, withoutTexts });
    // Detached: a group of its own, so that the group's end is the end of what the command started.
    const child = spawn(file, args, { detached: true, stdio: ["pipe", "pipe", "pipe"], env, cwd });
    if (omitted.length > 0) context.log(`${omitted.join(", ")} did not fit the environment; the work is on stdin.`);
    return child;
  };
  try {
    try {
      return attempt(false);
    } catch (error) {
      // Each variable fitted, all together did not. How much does is up to the system's limits: trying is the test.
      if ((error as NodeJS.ErrnoException).code === "E2BIG") return attempt(true);
      throw error;
    }
  } catch (error) {
    throw toStartError(file, error as NodeJS.ErrnoException);
  }
}

function toStartError(file: string, cause: NodeJS.ErrnoException): Error {
  if (cause.code === "ENOENT") return new Error(`command not found: ${file}`, { cause });
  if (cause.code === "EACCES") return new Error(`command is not executable: ${file}`, { cause });
  return new Error(`command could not be started: ${file} (${cause.code ?? cause.message})`, { cause });
}

async function withinMs<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  return Promise.race([promise, waited]).finally(() => clearTimeout(timer));
}

/**
 * Reads what is left in the pipe while background children hold its other end: what the command itself wrote is there
 * by now, so two turns of the event loop without a byte mean that it has all been read.
 */
async function untilNothingNew(bytesSoFar: () => number): Promise<void> {
  for (let turn = 0, before = -1; turn < LAST_TURNS && before !== bytesSoFar(); turn += 1) {
    before = bytesSoFar();
    await nextTurn();
    await nextTurn();
  }
}

function toAnswer(exit: Exit, stdout: Buffer, stderr: string): string {
  if (exit.code === 0) return toAnswerText(stdout);
  const reason = toExitReason(exit);
  throw new Error(stderr === "" ? reason : `${reason}: ${stderr}`);
}

function toExitReason({ code, signal }: Exit): string {
  // No code is a death by signal: what was printed before it is no finished answer.
  if (code === null) return `ended by signal ${signal}`;
  // 127 is how a shell says it.
  return code === 127 ? "command not found (exit code 127)" : `exit code ${code}`;
}
