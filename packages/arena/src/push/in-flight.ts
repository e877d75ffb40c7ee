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

/** @param log told of an exchange whose end could not even be written down; the sweep ends its task */
export function createInFlight(limit: number, log: Pick<Logger, "error">): InFlight {
  const underWay = new Set<Promise<void>>();
  let draining = false;
  return {
    get count() {
      return underWay.size;
    },
    room: () => (draining ? 0 : Math.max(0, limit - underWay.size)),
    add(exchange) {
      const tracked: Promise<void> = exchange
        .catch((error) => log.error({ err: error }, "the outcome of an exchange was not written down"))
        .finally(() => underWay.delete(tracked));
      underWay.add(tracked);
    },
    async drain(ms, callOff) {
      draining = true;
      const timer = setTimeout(callOff, ms);
      await Promise.all(underWay);
      clearTimeout(timer);
    },
  };
}
