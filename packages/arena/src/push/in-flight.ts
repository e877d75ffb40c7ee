import type { Logger } from "pino";

/** The exchanges that one node has under way, whatever their dialect: one limit for all, and one end. */
export interface InFlight {
  readonly count: number;
  /** How many more may begin; none once it drains. */
  room(): number;
  add(exchange: Promise<void>): void;
  /** Lets nothing new begin; waits for what is under way, `ms` at the most, then has `callOff` end it. */
  drain(ms: number, callOff: () => void): Promise<void>;
}

/**
 * A count, not a set of the promises: the tables that a busy set leaves behind keep alive what they held, until the next
 * full collection, and all of that is copied once more by then.
 *
 * @param log told of an exchange whose end could not even be written down; the sweep ends its task
 */
export function createInFlight(limit: number, log: Pick<Logger, "error">): InFlight {
  let count = 0;
  let draining = false;
  let onEmpty: (() => void) | undefined;
  return {
    get count() {
      return count;
    },
    room: () => (draining ? 0 : Math.max(0, limit - count)),
    add(exchange) {
      count += 1;
      void exchange
        .catch((error) => log.error({ err: error }, "the outcome of an exchange was not written down"))
        .finally(() => {
          count -= 1;
          if (count === 0) onEmpty?.();
        });
    },
    async drain(ms, callOff) {
      draining = true;
      if (count === 0) return;
      const timer = setTimeout(callOff, ms);
      await new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
      clearTimeout(timer);
    },
  };
}
