import type { Role } from "@agon/protocol";
import type { Logger } from "pino";
import type { Database } from "../db/database.ts";
import type { Clock, Random } from "../ports.ts";
import type { RunTaskSettings } from "../tasks/run-task-inserts.ts";
import type { Eligible } from "./selection.ts";

export interface RunSettings extends RunTaskSettings {
  slotWaitSeconds: number;
  newcomerShare: number;
  houseAfterSeconds: number;
}

export interface RunStepOptions {
  db: Database;
  ports: { clock: Clock; random: Random };
  settings: RunSettings;
  log: Pick<Logger, "error">;
  /** When a pull agent polled last as far as this node knows, or now when a poll of it is parked here. */
  polledAt: (agentId: number) => number | undefined;
  /** Told after the commit of each agent that has a task queued. */
  onQueued: (agent: QueuedAgent) => void;
  /** Told after the commit of each run that went on. */
  onChanged: (runNumber: number) => void;
}

/** One pass, with what its runs have in common. */
export interface RunPass extends RunStepOptions {
  /**
   * Who serves each role, asked once for many runs: with hundreds of them waiting, asking anew for each would be most of
   * the work. Who was free then is looked at again, under a lock, before anything is given.
   */
  eligible: Map<Role, Eligible[]>;
}

export interface QueuedAgent {
  agentId: number;
  transport: "push" | "pull" | "house";
}
