import type { Logger } from "pino";

/** A source of the present moment. `now()` is in milliseconds since the Unix epoch, with fractions. */
export interface Clock {
  now(): number;
}

/** Random bytes and ids. Ids are UUIDv7, so that they sort by the time they were made. */
export interface Random {
  bytes(length: number): Uint8Array;
  uuid(): string;
}

/** What the arena takes from outside, in one place, so that a test decides it. */
export interface Ports {
  log: Logger;
  random: Random;
  /** Leave out to follow the database's clock; a test hands in one that it moves by hand. */
  clock?: Clock;
}
