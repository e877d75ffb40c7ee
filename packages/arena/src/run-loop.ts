import type { Logger } from "pino";

export interface RunLoop {
  /** Ends the present rest, or has one more pass follow the one that is running. */
  wake(): void;
  /** Stops after the pass that is running. */
  stop(): Promise<void>;
}

/**
 * Step, rest, step: the one loop behind every pass of the arena. A pass that throws is logged and tried again after the
 * rest, because passes look at states and lose nothing by being late. A wake-up during a pass is remembered: without
 * that, work that arrives between the pass's last look and its end would wait out the whole rest.
 */
export function startLoop(options: {
  name: string;
  restMs: number;
  /** How long a wake-up waits for others before it leads to a pass; 0 unless given. */
  gatherMs?: number;
  log: Logger;
  /** One pass; resolves to whether there is more to do at once. */
  step: () => Promise<boolean>;
}): RunLoop {
  let stopped = false;
  let woken = false;
  let endRest: (() => void) | undefined;

  const rest = () =>
    new Promise<void>((resolve) => {
      if (stopped || woken) return resolve();
      const timer = setTimeout(resolve, options.restMs);
      endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      // Only stopping ends it early: further wake-ups are what it waits for.
      endRest = () => {
        if (!stopped) return;
        clearTimeout(timer);
        resolve();
      };
    });

  const running = (async () => {
    while (!stopped) {
      woken = false;
      let more = false;
      try {
        more = await options.step();
      } catch (error) {
        options.log.error({ err: error, loop: options.name }, "a pass failed and will be tried again");
      }
      if (more) await new Promise((resolve) => setImmediate(resolve));
      else await rest();
      // Also with more to do: while those that wake it keep coming, they are served first, and the pass catches up after.
      if (woken && !stopped && options.gatherMs !== undefined) await pause(options.gatherMs);
      endRest = undefined;
    }
  })();

  return {
    wake() {
      woken = true;
      endRest?.();
    },
    async stop() {
      stopped = true;
      endRest?.();
      await running;
    },
  };
}
