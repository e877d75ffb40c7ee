import { randomBytes, randomUUID } from "node:crypto";
import { pino } from "pino";
import { type Arena, createArena } from "../../src/arena.ts";
import { type ConfigInput, loadConfig } from "../../src/config.ts";
import type { Database } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { openPglite } from "../../src/db/pglite.ts";
import { createLocalSignals } from "../../src/db/signals.ts";
import { insertPrompts } from "../../src/ladder/prompt-queries.ts";
import { ADMIN_KEY, SECRET_KEY } from "./test-arena.ts";

export type { ConfigInput };

export interface WholeArena {
  arena: Arena;
  db: Database;
  /** Where it listens. */
  url: string;
  addPrompts(kind: "gym" | "main", prompts: readonly { prompt: string; category: string }[]): Promise<void>;
  stop(): Promise<void>;
}

/** An arena that listens and does its passes by the real clock, for tests of other packages that need a whole one. */
export async function startWholeArena(
  settings: ConfigInput,
  { staticDir, dump }: { staticDir?: string; dump?: Blob | undefined },
): Promise<WholeArena> {
  const db = await openPglite(dump === undefined ? {} : { dump });
  if (dump === undefined) await migrate(db);
  const { config } = loadConfig({ port: 0, dev: true, ...settings });
  const ports = {
    log: pino({ level: process.env.AGON_TEST_LOG ?? "silent" }),
    random: { bytes: randomBytes, uuid: randomUUID },
  };
  const keys = { secretKey: SECRET_KEY, adminKey: ADMIN_KEY };
  const arena = await createArena(config, ports, { db, signals: createLocalSignals() }, keys, { staticDir });
  const url = await arena.start();
  return {
    arena,
    db,
    url,
    async addPrompts(kind, prompts) {
      if (kind === "gym") return void (await insertPrompts(db, "gym", prompts, arena.clock.now()));
      // As an operator does, so that the arena's memory of the pool learns of them.
      const headers = { authorization: `Bearer ${ADMIN_KEY}` };
      const payload = JSON.stringify(prompts);
      const added = await arena.app.inject({ method: "POST", url: "/api/admin/prompts", headers, payload });
      if (added.statusCode >= 300) throw new Error(added.body);
    },
    async stop() {
      await arena.stop();
      await db.close();
    },
  };
}
