import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** An arena for the time of a demo. */
export interface DemoArena {
  readonly baseUrl: string;
  /** Stops it and removes all that it left behind. */
  close(): Promise<void>;
}

/** Opens an arena with the prompts that come with it, on an embedded database in a folder of its own. */
export async function openDemoArena(): Promise<DemoArena> {
  // Loaded late: a server and a database come along, and no one should wait for those to read the help.
  const [{ loadConfig, openArena }, { pino }] = await Promise.all([import("@agon/arena"), import("pino")]);
  const folder = await mkdtemp(join(tmpdir(), "agon-demo-"));
  // A process that ends in the middle, since nobody reads it any more, leaves nothing behind either.
  const removeAtExit = () => rmSync(folder, { recursive: true, force: true });
  process.on("exit", removeAtExit);
  const removeFolder = async () => {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    process.off("exit", removeAtExit);
  };
  // Not the environment's settings: a demo is the same everywhere, and touches no arena that somebody runs.
  const { config } = loadConfig({
    dataDir: folder,
    port: 0,
    allowPrivateEndpoints: true,
    pushGapSeconds: 0,
    slowdownSeconds: 3,
    passSeconds: 0.25,
    registrationsPerHour: 0,
    probesPerMinute: 0,
    probesPerHostHour: 0,
  });
  try {
    const opened = await openArena(config, { log: pino({ level: "silent" }) });
    const close = () => opened.close().finally(removeFolder);
    try {
      return { baseUrl: await opened.arena.start(), close };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (error) {
    await removeFolder();
    throw error;
  }
}
