import type { Logger } from "pino";
import type { Database } from "../db/database.ts";
import type { Clock, Random } from "../ports.ts";
import type { RunTaskSettings } from "../tasks/run-task-inserts.ts";

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

export interface QueuedAgent {
  agentId: number;
  transport: "push" | "pull" | "house";
}
