import { Logger, makeWorkerUtils, run } from "graphile-worker";
import type { Contestant } from "./contest.ts";

const silent = new Logger(() => () => {});
const BATCH = 100;

/** graphile-worker as its quick start shows it, jobs added and run one at a time; and with its batches beside it. */
export async function graphileWorkerPeers(
  connectionString: string,
  inFlight: number,
): Promise<{ single: Contestant; batched: Contestant; stop: () => Promise<void> }> {
  const utils = await makeWorkerUtils({ connectionString, logger: silent, maxPoolSize: 10 });
  await utils.migrate();
  let done: (() => void) | undefined;
  const runner = await run({
    connectionString,
    logger: silent,
    concurrency: 10,
    maxPoolSize: 10,
    noHandleSignals: true,
    pollInterval: 1000,
    taskList: {
      async answer() {
        done?.();
      },
    },
  });

  /** Keeps `inFlight` jobs on their way, added in groups of `size`, and counts those that ran. */
  const measure = (size: number) => async (seconds: number) => {
    const begun = performance.now();
    const until = begun + seconds * 1000;
    let finished = 0;
    let added = 0;
    let wake: (() => void) | undefined;
    done = () => {
      finished += 1;
      wake?.();
    };
    const room = () => new Promise<void>((resolve) => (wake = resolve));
    const add = async () => {
      while (performance.now() < until) {
        if (added - finished > inFlight + size) {
          await Promise.race([room(), new Promise((resolve) => setTimeout(resolve, 20))]);
          continue;
        }
        added += size;
        if (size === 1) await utils.addJob("answer", { prompt: 42 });
        else
          await utils.addJobs(Array.from({ length: size }, () => ({ identifier: "answer", payload: { prompt: 42 } })));
      }
    };
    await Promise.all(Array.from({ length: size === 1 ? 8 : 1 }, add));
    const perSecond = finished / ((performance.now() - begun) / 1000);
    while (finished < added) await new Promise((resolve) => setTimeout(resolve, 5));
    return perSecond;
  };
  return {
    single: { name: "graphile-worker, one at a time", run: measure(1) },
    batched: { name: `graphile-worker, added by ${BATCH}`, run: measure(BATCH) },
    async stop() {
      await runner.stop();
      await utils.release();
    },
  };
}
