import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConfigInput, loadConfig, openArena } from "@agon/arena";
import { pino } from "pino";

export const ADMIN_KEY = "admin_key_of_a_test_0123456789";

/** A whole arena on an embedded database that listens on a free port. */
export interface RealArena extends AsyncDisposable {
  readonly baseUrl: string;
  /** Calls the arena with the operator's key; with a body, by POST. */
  admin(path: string, body?: unknown): Promise<unknown>;
}

/** Starts an arena without prompts in a folder of its own. */
export async function startRealArena(settings: ConfigInput = {}): Promise<RealArena> {
  const folder = mkdtempSync(join(tmpdir(), "agon-cli-arena-"));
  const { config } = loadConfig({ dataDir: folder, port: 0, adminKey: ADMIN_KEY, logLevel: "silent", ...settings });
  const opened = await openArena(config, { log: pino({ level: "silent" }), empty: true });
  const baseUrl = await opened.arena.start();
  return {
    baseUrl,
    async admin(path, body) {
      const answer = await fetch(baseUrl + path, {
        headers: { authorization: `Bearer ${ADMIN_KEY}` },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json();
    },
    async [Symbol.asyncDispose]() {
      await opened.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
