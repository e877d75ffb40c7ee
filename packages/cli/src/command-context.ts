import type { Output } from "./output.ts";

/** What a command takes from outside. */
export interface CommandContext {
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
}
