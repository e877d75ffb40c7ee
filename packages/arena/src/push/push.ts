import type { Logger } from "pino";
import type { Database } from "../db/database.ts";
import type { Vault } from "../db/secrets.ts";
import type { Clock, Random } from "../ports.ts";
import type { AfterRecord, RecordSettings } from "../tasks/task-records.ts";
import { type AddressGuard, createAddressGuard } from "./address-guard.ts";
import { createDeliveryLog, type DeliveryLog, pruneDeliveries } from "./delivery-log.ts";
import { createDispatcher, type DispatcherOptions } from "./dispatcher.ts";
import { createInFlight } from "./in-flight.ts";
import { createOutbound, type Outbound } from "./outbound.ts";
import { createPinger, type Pinger, type PingerOptions } from "./pinger.ts";
import { createPushRecords } from "./push-records.ts";
import { createRunDispatcher, type RunDispatcherOptions } from "./run-dispatcher.ts";

export interface PushOptions {
  db: Database;
  clock: Clock;
  random: Random;
  log: Logger;
  vault: Vault;
  settings: DispatcherOptions["settings"] &
    RunDispatcherOptions["settings"] &
    PingerOptions["settings"] &
    RecordSettings & { allowPrivateEndpoints: boolean; dev: boolean; deliveriesKept: number; pushInFlight: number };
  runOutcomes: RunDispatcherOptions["runOutcomes"];
  completeUrl: RunDispatcherOptions["completeUrl"];
  onRunTaskDone: RunDispatcherOptions["onRunTaskDone"];
  probeLimits: PingerOptions["probeLimits"];
  ladder: DispatcherOptions["ladder"];
  onDone: DispatcherOptions["onDone"];
  afterGym: AfterRecord;
}

export interface Push {
  guard: AddressGuard;
  pinger: Pinger;
  outbound: Outbound;
  /** One pass of each dialect; resolves to whether there may be more at once. */
  step(): Promise<boolean>;
  /** Calls to agents that have not ended. */
  underWay(): number;
  /** Sends nothing new; waits for what is under way, `ms` at the most, then calls it off. */
  drain(ms: number): Promise<void>;
  deliveries: DeliveryLog;
  /** Drops old deliveries. */
  prune(): Promise<void>;
}

/** Everything that calls agents: the guarded client, the ping, the dispatcher, and the record of what was exchanged. */
export function createPush(options: PushOptions): Push {
  const { db, clock, log, settings } = options;
  const guard = createAddressGuard({
    allowPrivate: settings.allowPrivateEndpoints || settings.dev,
    allowedOrigins: [],
  });
  const outbound = createOutbound({ guard, clock, log });
  const deliveries = createDeliveryLog(db);
  const records = createPushRecords(db, clock, settings, options.afterGym);
  const inFlight = createInFlight(settings.pushInFlight, log);
  const shared = { ...options, outbound, deliveries, inFlight };
  const prompts = createDispatcher({ ...shared, records });
  const runs = createRunDispatcher(shared);
  return {
    guard,
    outbound,
    deliveries,
    pinger: createPinger({ ...options, outbound, deliveries }),
    async step() {
      const more = await Promise.all([prompts.step(), runs.step()]);
      return more.includes(true);
    },
    underWay: () => inFlight.count,
    drain: (ms) => inFlight.drain(ms, () => outbound.close()),
    prune: () => pruneDeliveries(db, settings.deliveriesKept),
  };
}
