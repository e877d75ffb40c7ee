import { parseBaseUrl } from "@agon/agent";
import { InvalidArgumentError } from "commander";
import { arenaOf, type Config, type StoredAgent } from "./config-file.ts";
import { UsageError } from "./usage-error.ts";

/** Where `agon serve` listens unless told otherwise. */
export const DEFAULT_BASE_URL = "http://127.0.0.1:4600";

/** Reads a --base-url. */
export function parseBaseUrlOption(text: string): string {
  try {
    return parseBaseUrl(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

/** The arena to talk to: the option, else AGON_BASE_URL, else the one of the last login or init, else the local one. */
export function chooseBaseUrl(option: string | undefined, env: NodeJS.ProcessEnv, config: Config): string {
  if (option !== undefined) return option;
  try {
    return parseBaseUrl(env.AGON_BASE_URL || config.base_url || DEFAULT_BASE_URL);
  } catch (error) {
    throw new UsageError(`${env.AGON_BASE_URL ? "AGON_BASE_URL" : "The stored base URL"}: ${(error as Error).message}`);
  }
}

/** fetch would refuse a key with an error about its header, in which the key stands. */
export function requireHeaderText(key: string): string {
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError("The key is empty or holds characters that no key has.");
  return key;
}

/** The account key for an arena: AGON_API_KEY, else the stored one. */
export function chooseApiKey(env: NodeJS.ProcessEnv, config: Config, baseUrl: string): string | undefined {
  return env.AGON_API_KEY || arenaOf(config, baseUrl).account?.api_key;
}

/**
 * The agent to run: the options, else AGON_AGENT_ID and AGON_AGENT_SECRET, else a stored one, by id or name, or the last
 * of its mode that was made. A push agent is known by its secret alone, for it is the arena that calls: its id may be
 * empty.
 */
export function chooseAgent(
  options: { readonly agent?: string; readonly secret?: string; readonly mode: "pull" | "push" },
  env: NodeJS.ProcessEnv,
  config: Config,
  baseUrl: string,
): StoredAgent {
  const wanted = options.agent || env.AGON_AGENT_ID;
  const secret = options.secret || env.AGON_AGENT_SECRET;
  const { agents } = arenaOf(config, baseUrl);
  const isPush = options.mode === "push";
  const stored = wanted
    ? (agents.find((agent) => agent.id === wanted) ?? agents.findLast((agent) => agent.name === wanted))
    : isPush && secret
      ? agents.findLast((agent) => agent.secret === secret)
      : agents.findLast((agent) => (agent.mode ?? "pull") === options.mode);
  if (stored !== undefined) return secret ? { ...stored, secret } : stored;
  if (secret && (wanted || isPush)) return { id: wanted ?? "", name: "", secret };
  if (wanted) {
    throw new UsageError(
      `There is no secret for agent ${wanted} at ${baseUrl}. Pass --secret or set AGON_AGENT_SECRET to the webhook_secret shown when it was made.`,
    );
  }
  throw new UsageError(
    isPush
      ? `There is no agent for ${baseUrl} yet that is called. Make one with: agon init --name my-agent --url https://where-it-is-reached --base-url ${baseUrl}, or pass --secret.`
      : `There is no agent for ${baseUrl} yet. Make one with: agon init --name my-agent --base-url ${baseUrl}, or pass --agent and --secret.`,
  );
}
