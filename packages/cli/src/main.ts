import { setDefaultAutoSelectFamilyAttemptTimeout } from "node:net";
import { ArenaError } from "@agon/agent";
import { CommanderError } from "commander";
import { createOutput, type Output } from "./output.ts";
import { createProgram } from "./program.ts";
import { UsageError } from "./usage-error.ts";

/** Node gives an address of a host 250 ms to connect, which a far one never makes; then it tries the next, or fails. */
const CONNECT_ATTEMPT_MS = 1_000;

/**
 * The command line: runs the command that `argv` (with the program and the script at its front) names, and leaves the
 * exit code in `process.exitCode`: 0 good, 1 failed, 2 wrong usage.
 */
export async function main(argv: readonly string[]): Promise<void> {
  const output = createOutput(process.stdout, process.stderr, process.env);
  setDefaultAutoSelectFamilyAttemptTimeout(CONNECT_ATTEMPT_MS);
  process.stdout.on("error", leaveWithReader);
  try {
    const program = await createProgram(argv[2], { env: process.env, output });
    await program.parseAsync(argv);
  } catch (error) {
    process.exitCode = reportError(error, output);
  }
}

/** Nobody reads any more (`agon leaderboard | head`): that is the reader's choice and no fault. */
function leaveWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit();
}

function reportError(error: unknown, output: Output): number {
  // Commander has printed its own message, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) {
    output.error(error.message);
    return 2;
  }
  if (error instanceof ArenaError) {
    const wait = error.retryAfterMs === undefined ? "" : ` Try again in ${Math.ceil(error.retryAfterMs / 1_000)} s.`;
    const request = error.requestId === undefined ? "" : ` (request ${error.requestId})`;
    output.error(`${error.message}${wait}${request}`);
    return 1;
  }
  output.error(error instanceof Error ? error.message : String(error));
  return 1;
}
