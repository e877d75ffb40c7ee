import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import * as z from "zod";

const agentSchema = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  secret: z.string().min(1),
  /** How work reaches it; agents without the word pull. */
  mode: z.enum(["pull", "push"]).optional(),
});
const accountSchema = z.looseObject({ api_key: z.string().min(1), username: z.string().optional() });
const arenaSchema = z.looseObject({ account: accountSchema.optional(), agents: z.array(agentSchema).default([]) });
const configSchema = z.looseObject({
  /** The arena that the last login or init was for; other commands go there unless told otherwise. */
  base_url: z.string().optional(),
  /** By the arena's root URL. The last agent of its mode is the one that runs when none is named. */
  arenas: z.record(z.string(), arenaSchema).default({}),
});

/** What the command line remembers. Fields it does not know are kept. */
export type Config = z.infer<typeof configSchema>;
export type StoredArena = z.infer<typeof arenaSchema>;
export type StoredAgent = z.infer<typeof agentSchema>;

/** Where the configuration lies: below $XDG_CONFIG_HOME, which counts only as an absolute path, or ~/.config. */
export function configPath(env: NodeJS.ProcessEnv): string {
  const base = env.XDG_CONFIG_HOME;
  return join(
    base !== undefined && isAbsolute(base) ? base : join(env.HOME || homedir(), ".config"),
    "agon",
    "config.json",
  );
}

/**
 * Reads the configuration; one that is not there is empty.
 *
 * @throws Error that names the file and what to do about it
 */
export async function loadConfig(path: string): Promise<Config> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { arenas: {} };
    throw new Error(`${path} cannot be read (${code ?? message}). Give yourself access to it, or remove it.`);
  }
  try {
    return configSchema.parse(JSON.parse(text));
  } catch (error) {
    const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
    const reason = issue === undefined ? "it is not JSON" : `${issue.path.join(".") || "it"}: ${issue.message}`;
    throw new Error(
      `${path} is broken (${reason}). Mend it, or move it away and run agon login or agon init again. ` +
        "It holds your keys, which an arena shows only once.",
    );
  }
}

/**
 * Reads the configuration anew, changes it and writes it back, readable for its owner alone. The new file takes the old
 * one's place in one step, so an interrupted write leaves the keys as they were.
 */
export async function changeConfig(path: string, change: (config: Config) => void): Promise<void> {
  const config = await loadConfig(path);
  change(config);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600, flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** What is stored for an arena; made and put in its place when there is nothing yet. */
export function arenaOf(config: Config, baseUrl: string): StoredArena {
  const stored = Object.hasOwn(config.arenas, baseUrl) ? config.arenas[baseUrl] : undefined;
  if (stored !== undefined) return stored;
  const fresh: StoredArena = { agents: [] };
  config.arenas[baseUrl] = fresh;
  return fresh;
}
