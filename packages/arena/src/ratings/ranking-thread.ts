import { Worker } from "node:worker_threads";
import type { CategoryRanking, RankingRequest, Tally } from "./ranking-book.ts";

/** A {@link RankingBook} on a thread of its own. */
export interface RankingThread {
  reset(): void;
  add(tallies: readonly Tally[]): void;
  fit(hidden: readonly number[], options: { all: boolean }): Promise<CategoryRanking[]>;
  stop(): Promise<void>;
}

/** Starts the thread; `onEnd` is told when it ends by itself, and with it what it had counted. */
export function startRankingThread(onEnd: (error: Error) => void): RankingThread {
  // Compiled it stands beside this file under its other name.
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const worker = new Worker(new URL(`./ranking-worker.${extension}`, import.meta.url));
  // An arena that stops does not wait for it.
  worker.unref();
  let stopped = false;
  /** Who waits for a fit: the thread answers in the order in which it is asked. */
  const waiting: { resolve: (fits: CategoryRanking[]) => void; reject: (error: Error) => void }[] = [];
  const fail = (error: Error) => {
    for (const each of waiting.splice(0)) each.reject(error);
    if (!stopped) onEnd(error);
    stopped = true;
  };
  worker.on("message", (fits: CategoryRanking[]) => waiting.shift()?.resolve(fits));
  worker.on("error", (error) => fail(error as Error));
  worker.on("exit", (code) => fail(new Error(`the thread that fits rankings ended with ${code}`)));
  const send = (request: RankingRequest) => worker.postMessage(request);
  return {
    reset: () => send({ kind: "reset" }),
    add: (tallies) => send({ kind: "add", tallies }),
    fit(hidden, { all }) {
      if (stopped) return Promise.reject(new Error("the thread that fits rankings has ended"));
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        send({ kind: "fit", hidden, all });
      });
    },
    async stop() {
      stopped = true;
      await worker.terminate();
    },
  };
}
