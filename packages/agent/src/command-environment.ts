import type { Work } from "@agon/protocol";
import { COMMAND_MARK_VARIABLE } from "./process-group.ts";

/** Linux refuses a `NAME=value` of 128 KiB or more, the closing NUL included. */
const MAX_VARIABLE_BYTES = 131_071;

/** Credentials of an arena. Names are matched whole, so that an owner's own OPENAI_API_KEY stays where it is. */
const ARENA_SECRET = /^(?:AGON|TESSERAX)_(?:.*_)?(?:KEYS?|SECRETS?|TOKEN|PASSWORD|DATABASE_URL)$/i;

/** With these set a command would wrap its answer in colour codes although it writes to a pipe. */
const FORCED_COLOUR = new Set(["FORCE_COLOR", "CLICOLOR_FORCE"]);

/** Shorter ones are found in the middle of innocent texts: nobody's credential, and half an environment gone. */
const MIN_SECRET_LENGTH = 8;

/** Whether a credential is long enough to be looked for inside other texts. */
export function isLongEnough(secret: string): boolean {
  return secret.length >= MIN_SECRET_LENGTH;
}

/** What a command's environment was made of. */
export interface CommandEnvironment {
  readonly env: Record<string, string>;
  /** Names of the documented variables that could not be set, because no environment can hold their value. */
  readonly omitted: readonly string[];
}

/** How {@link commandEnvironment} builds an environment. */
export interface CommandEnvironmentOptions {
  /** The owner's own environment, where the agent's model keys are. */
  readonly inherited: NodeJS.ProcessEnv;
  /** Values no variable may hold, whatever its name is. */
  readonly secrets: readonly string[];
  /** The value that marks what this command starts. */
  readonly mark: string;
  /** Leaves the copies of the arena's texts out: for an environment that was too big as a whole. */
  readonly withoutTexts?: boolean;
}

/**
 * The environment of an agent's command: the owner's own, without the arena's credentials and without forced colours,
 * plus TESSERAX_PROMPT, _PROMPT_ID, _CATEGORY and _DEADLINE_SECONDS (tesserax pull API, adapter contract). A value that
 * no environment can hold (a NUL, or over 131,071 bytes with its name) is left out; it is in the JSON on stdin anyway.
 */
export function commandEnvironment(work: Work, options: CommandEnvironmentOptions): CommandEnvironment {
  const env: Record<string, string> = {};
  const secrets = options.secrets.filter(isLongEnough);
  for (const [name, value] of Object.entries(options.inherited)) {
    if (value === undefined || ARENA_SECRET.test(name) || FORCED_COLOUR.has(name)) continue;
    if (secrets.some((secret) => value.includes(secret))) continue;
    env[name] = value;
  }
  const documented = {
    TESSERAX_PROMPT: work.prompt,
    TESSERAX_PROMPT_ID: work.prompt_id,
    TESSERAX_CATEGORY: work.category,
    TESSERAX_DEADLINE_SECONDS: String(work.deadline_seconds),
  };
  const omitted: string[] = [];
  for (const [name, value] of Object.entries(documented)) {
    delete env[name]; // one from an outer runner would be another task's
    const tooBig = Buffer.byteLength(`${name}=${value}`) > MAX_VARIABLE_BYTES;
    const left = options.withoutTexts === true && name !== "TESSERAX_DEADLINE_SECONDS";
    if (tooBig || left || value.includes("\0")) omitted.push(name);
    else env[name] = value;
  }
  env[COMMAND_MARK_VARIABLE] = options.mark;
  return { env, omitted };
}
