/** A number of places that work takes in turn. */
export interface Slots {
  /** How many wait for a place. */
  readonly waiting: number;
  /** Resolves when a place is taken, in the order of asking; rejects with the signal's reason when that aborts first. */
  take(signal: AbortSignal): Promise<void>;
  /** Gives a place back. */
  release(): void;
}

/** Makes {@link Slots} with `count` free places. */
export function createSlots(count: number): Slots {
  let free = count;
  const line = new Set<() => void>();
  return {
    get waiting() {
      return line.size;
    },
    async take(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return;
      }
      await new Promise<void>((resolve, reject) => {
        const enter = () => {
          signal.removeEventListener("abort", leave);
          resolve();
        };
        const leave = () => {
          line.delete(enter);
          reject(signal.reason);
        };
        line.add(enter);
        signal.addEventListener("abort", leave, { once: true });
      });
    },
    release() {
      const [next] = line;
      if (next === undefined) {
        free += 1;
        return;
      }
      // Handed over, never free in between: a newcomer would overtake those who wait.
      line.delete(next);
      next();
    },
  };
}
