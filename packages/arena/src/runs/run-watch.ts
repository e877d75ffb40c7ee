import type { Logger } from "pino";
import type { Database } from "../db/database.ts";
import type { Signals } from "../db/signals.ts";
import type { Clock } from "../ports.ts";
import type { RunProgress } from "./run-schemas.ts";
import { loadProgress } from "./run-views.ts";

/** Agents take and answer tasks without a word to the run's watchers, who therefore also look for themselves. */
const LOOK_MS = 1_000;

type Listener = (progress: RunProgress) => void;

interface Watched {
  listeners: Set<Listener>;
  /** What was shown last, for those that come later. */
  last: RunProgress | undefined;
  stop: () => void;
}

/**
 * Watches runs for all who listen on this node: however many they are, each run is looked at once a second, and when a
 * signal says that it went on.
 */
export function createRunWatch(options: {
  db: Database;
  clock: Clock;
  signals: Signals;
  log: Pick<Logger, "warn">;
}): (run: { id: string; number: number }, listener: Listener) => () => void {
  const { db, clock, signals, log } = options;
  const watched = new Map<string, Watched>();

  function begin({ id, number }: { id: string; number: number }): Watched {
    let shown = "";
    let looking = false;
    let again = false;
    const show = async () => {
      const progress = await loadProgress(db, id, clock.now());
      if (progress === undefined) return;
      const { cost, ...rest } = progress;
      // Time passes without anything having changed.
      const text = JSON.stringify([rest, cost.tasks]);
      if (text === shown) return;
      shown = text;
      entry.last = progress;
      for (const listener of entry.listeners) listener(progress);
    };
    // One look at a time, and one more when something happened meanwhile: a slow database must not pile them up.
    const look = () => {
      again = looking;
      if (looking) return;
      looking = true;
      show()
        .catch((error) => log.warn({ err: error, run: id }, "a run was not shown"))
        .finally(() => {
          looking = false;
          if (again && entry.listeners.size > 0) look();
        });
    };
    const timer = setInterval(look, LOOK_MS);
    const stopListening = signals.subscribe("run", (changed) => {
      if (changed === undefined || changed === number) look();
    });
    const entry: Watched = {
      listeners: new Set(),
      last: undefined,
      stop() {
        clearInterval(timer);
        stopListening();
      },
    };
    look();
    return entry;
  }

  return (run, listener) => {
    const entry = watched.get(run.id) ?? begin(run);
    watched.set(run.id, entry);
    entry.listeners.add(listener);
    if (entry.last !== undefined) listener(entry.last);
    return () => {
      entry.listeners.delete(listener);
      if (entry.listeners.size > 0 || watched.get(run.id) !== entry) return;
      watched.delete(run.id);
      entry.stop();
    };
  };
}
