import type { Logger } from "pino";
import type { Database } from "../db/database.ts";
import type { Vault } from "../db/secrets.ts";
import type { Clock, Random } from "../ports.ts";
import { createOutcomes } from "../tasks/task-outcomes.ts";
import type { AfterRecord, RecordSettings } from "../tasks/task-records.ts";
import { type AddressGuard, createAddressGuard } from "./address-guard.ts";
import { createDeliveryLog, type DeliveryLog, pruneDeliveries } from "./delivery-log.ts";
import { createDispatcher, type Dispatcher, type DispatcherOptions } from "./dispatcher.ts";
import { createOutbound } from "./outbound.ts";
import { createPinger, type Pinger, type PingerOptions } from "./pinger.ts";

export interface PushOptions {
  db: Database;
  clock: Clock;
  random: Random;
  log: Logger;
  vault: Vault;
  settings: DispatcherOptions["settings"] &
    PingerOptions["settings"] &
    RecordSettings & { allowPrivateEndpoints: boolean; dev: boolean; deliveriesKept: number };
  makeNext: DispatcherOptions["makeNext"];
  makeAhead: DispatcherOptions["makeAhead"];
  onDone: DispatcherOptions["onDone"];
  afterGym: AfterRecord;
}

export interface Push {
  guard: AddressGuard;
  pinger: Pinger;
  dispatcher: Dispatcher;
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
  const outcomes = createOutcomes(db, clock, settings, options.afterGym);
  return {
    guard,
    deliveries,
    pinger: createPinger({ ...options, outbound, deliveries }),
    dispatcher: createDispatcher({ ...options, outbound, deliveries, outcomes }),
    prune: () => pruneDeliveries(db, settings.deliveriesKept),
  };
}
