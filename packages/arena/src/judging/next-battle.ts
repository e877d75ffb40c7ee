import { v4 as uuidv4 } from "uuid";
import type { Database, Db } from "../db/database.ts";
import { spendLimit } from "../http/limits.ts";
import type { Clock, Random } from "../ports.ts";
import type { Judge } from "./judges.ts";
import { type Acquaintance, findPairs, loadAcquaintances, type Pair } from "./pair-queries.ts";
import {
  expirePresentations,
  listHeld,
  loadShowing,
  lockJudge,
  type Showing,
  showPair,
} from "./presentation-queries.ts";

/** A judge who opens more tabs gets the oldest battle again: who collects battles keeps them from others. */
const HELD_MAX = 2;
const SHOWN_SECONDS = 600;
/** Searches before a judge is told that there is nothing, when others were faster at all that was found. */
const ROUNDS = 4;
/** Votes that any two agents get before it matters how far apart they are: with fewer, their intervals say little. */
const VOTES_TO_MEET = 5;

export interface NextBattleOptions {
  db: Database;
  ports: { clock: Clock; random: Random };
  /** New battles that one address may be shown in an hour; 0 lifts the limit. */
  showingsPerHour: number;
  /** Counted votes on two agents after which they are shown together no more; 0 lifts the limit. */
  pairVotesMax: number;
}

/**
 * Shows a judge the pair of answers that has the fewest counted votes, sides at random, and keeps it from other judges
 * until they have voted or ten minutes are over. Never two answers of one account, one of the judge's own, or one that
 * the judge has seen before.
 *
 * @returns undefined when there is nothing for this judge
 */
export async function showNextBattle(
  options: NextBattleOptions,
  judge: Judge,
  address: string,
): Promise<Showing | undefined> {
  const { db, ports } = options;
  const presentationId = await db.transaction(async (tx) => {
    const now = ports.clock.now();
    await lockJudge(tx, judge);
    await expirePresentations(tx, now);
    const held = await listHeld(tx, judge, now);
    if (held.length >= HELD_MAX) return held[0];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const pairs = await findPairs(tx, judge, options.pairVotesMax, round > 1);
      if (pairs.length === 0) return undefined;
      const shown = await showFirst(tx, judge, inTurn(pairs, await loadAcquaintances(tx, pairs), ports.random), now);
      if (shown === undefined) continue;
      await spendLimit(tx, ports.clock, {
        key: `show ${address}`,
        most: options.showingsPerHour,
        windowSeconds: 3600,
        what: "battles shown to one address in an hour",
      });
      return shown;
    }
    return undefined;
  });
  return presentationId === undefined ? undefined : loadShowing(db, presentationId);

  async function showFirst(tx: Db, judge: Judge, pairs: readonly Pair[], now: number): Promise<string | undefined> {
    for (const pair of pairs) {
      // A random id and not one by time, like all others: it is all that a judge has in hand.
      const id = uuidv4({ random: ports.random.bytes(16) });
      const flipped = ((ports.random.bytes(1)[0] as number) & 1) === 1;
      if (await showPair(tx, judge, pair, { id, flipped, now, expiresAt: now + SHOWN_SECONDS * 1000 })) return id;
    }
    return undefined;
  }
}

/**
 * The order in which pairs are tried: what teaches most comes first. Answers that were shown together least; then agents
 * that have hardly met; then those whose intervals overlap, so that a vote may tell which is better; equals at random.
 */
function inTurn(pairs: readonly Pair[], acquaintanceOf: (pair: Pair) => Acquaintance, random: Random): Pair[] {
  const lots = random.bytes(pairs.length);
  return pairs
    .map((pair, index) => ({ pair, known: acquaintanceOf(pair), lot: lots[index] as number }))
    .sort(
      (x, y) =>
        Number(x.pair.names_itself) - Number(y.pair.names_itself) ||
        x.pair.votes - y.pair.votes ||
        dullness(x.known) - dullness(y.known) ||
        x.known.votes - y.known.votes ||
        x.pair.answer_votes - y.pair.answer_votes ||
        x.lot - y.lot,
    )
    .map(({ pair }) => pair);
}

/** The less a vote on two agents is likely to tell, the higher. */
function dullness({ votes, is_undecided }: Acquaintance): number {
  if (votes < VOTES_TO_MEET) return 0;
  return is_undecided ? 1 : 2;
}
