import type { Logger } from "pino";
import type { Database, Db } from "../db/database.ts";
import { hashSecret } from "../db/secrets.ts";
import type { Clock } from "../ports.ts";
import type { CategoryRanking } from "./ranking-book.ts";
import { loadRankingState, loadTallies, type RankingState, saveRankings, tryRankingLock } from "./ranking-queries.ts";
import { type RankingThread, startRankingThread } from "./ranking-thread.ts";

/** Votes read at a time: on the embedded database nothing else runs meanwhile. */
const VOTES_PER_READ = 20_000;

export interface RankingRefresh {
  /** Publishes what the log holds that is not published yet. A call during a pass has another one follow it. */
  step(): Promise<void>;
  /** Waits for the pass that is running; none may be asked for after. */
  stop(): Promise<void>;
}

/**
 * Keeps the published rankings up with the log of votes. A node remembers what it has counted, so that it reads only
 * the votes since; a ruling makes it count again. Counting and fitting run on a thread of their own. With PostgreSQL
 * one node at a time does this: the lock belongs to a transaction that does nothing while the fit is under way.
 */
export function createRankingRefresh(options: { db: Database; clock: Clock; log: Logger }): RankingRefresh {
  const { db, clock, log } = options;
  let thread: RankingThread | undefined;
  let counted = { position: 0, rulingId: 0 };
  /** Up to where this node published last; undefined where what the thread gave out may not have been stored. */
  let published: number | undefined;
  /** The pass that was asked for last: two at once would each count the same votes into what the node remembers. */
  let last: Promise<void> = Promise.resolve();

  function step(): Promise<void> {
    last = last.then(pass, pass);
    return last;
  }

  async function pass(): Promise<void> {
    if (isCovered(await loadRankingState(db))) return;
    const stored =
      db.kind === "pglite"
        ? await refresh(db, (work) => db.transaction(work))
        : await db.transaction(async (tx) =>
            (await tryRankingLock(tx)) ? refresh(tx, (work) => work(tx)) : undefined,
          );
    // Not before the transaction has ended: until then it may still be lost.
    if (stored !== undefined) published = stored;
  }

  /** Resolves to where it is published to when `inTransaction` commits, or undefined when there was nothing to do. */
  async function refresh(
    handle: Db,
    inTransaction: (work: (tx: Db) => Promise<void>) => Promise<void>,
  ): Promise<number | undefined> {
    const state = await loadRankingState(handle);
    if (isCovered(state)) return undefined;
    const { position, ruling_id: rulingId, hidden } = state;
    const isSure = thread !== undefined && published !== undefined;
    const isOthers = published !== state.covered_position;
    published = undefined;
    thread ??= startThread();
    const book = thread;
    const isWhole = !isSure || counted.rulingId !== rulingId || counted.position > position;
    if (isWhole) {
      book.reset();
      counted = { position: 0, rulingId };
    }
    await countUpTo(book, handle, position);
    // Half of what was counted would be from before the ruling: the next pass counts again.
    if ((await loadRankingState(handle)).ruling_id !== rulingId) return undefined;

    const rankings = await book.fit(hidden, { all: isWhole || isOthers });
    report(rankings);
    const cover = { position, rulingId, hidden: signatureOf(state), now: clock.now() };
    await inTransaction((tx) => saveRankings(tx, rankings, cover, isWhole));
    return position;
  }

  function startThread(): RankingThread {
    return startRankingThread((error) => {
      log.error({ err: error }, "the thread that fits rankings ended; the next pass starts another");
      thread = undefined;
    });
  }

  async function countUpTo(book: RankingThread, handle: Db, position: number): Promise<void> {
    while (counted.position < position) {
      const until = Math.min(position, counted.position + VOTES_PER_READ);
      book.add(await loadTallies(handle, counted.position, until));
      counted = { ...counted, position: until };
    }
  }

  /** A ranking that is not right to its last digit is never shown, and never kept quiet about. */
  function report(rankings: readonly CategoryRanking[]): void {
    for (const { category, problem } of rankings) {
      if (problem !== null) log.error({ category, problem }, "a ranking was not published; the one before it stands");
    }
  }

  return {
    step,
    async stop() {
      // Who asked for it hears how it ended.
      await last.catch(() => {});
      await thread?.stop();
      thread = undefined;
    },
  };
}

function isCovered(state: RankingState): boolean {
  if (state.position === 0 && state.covered_position === null) return true;
  return (
    state.covered_position === state.position &&
    state.covered_ruling_id === state.ruling_id &&
    state.covered_hidden === signatureOf(state)
  );
}

/** The agents without a rank in a few letters, however many they are. */
function signatureOf(state: RankingState): string {
  return hashSecret(state.hidden.join());
}
