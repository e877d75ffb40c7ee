import { createHash } from "node:crypto";

/** Trades with an errand that takes them hours, to make candidates of. */
const TRADES = [
  ["plumbing firms", "writing quotes after work", "a quote from three photos of the site"],
  ["music schools", "moving lessons when somebody is ill", "a timetable that pupils repair themselves"],
  ["bakeries", "guessing tomorrow's orders", "an order list from weather, holidays and last year"],
  ["translators", "chasing unpaid invoices", "reminders that grow firmer by themselves"],
  ["climbing gyms", "keeping waivers of visitors", "a waiver that is signed at the door by phone"],
  ["beekeepers", "writing down what each hive needs", "spoken notes that become a list for each hive"],
  ["letting agents", "answering the same questions about flats", "answers drawn from the lease itself"],
  ["bicycle workshops", "telling customers when a bike is ready", "a status page for every repair ticket"],
] as const;

/** A trade with its errand and what would help. */
export interface Idea {
  readonly trade: string;
  readonly errand: string;
  readonly help: string;
}

/** Picks a trade by a seed: the same for the same seed, and spread over all of them. */
export function pickIdea(seed: string): Idea {
  const at = createHash("sha256").update(seed).digest().readUInt32BE(0) % TRADES.length;
  const [trade, errand, help] = TRADES[at] ?? TRADES[0];
  return { trade, errand, help };
}

/** A whole number from 0 up to `below`, decided by the seed. */
export function pickNumber(seed: string, below: number): number {
  return createHash("sha256").update(`number ${seed}`).digest().readUInt32BE(0) % below;
}
