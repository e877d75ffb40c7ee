import { PgBoss } from "pg-boss";
import type { Contestant } from "./contest.ts";
import { rate } from "./contest.ts";

const QUEUE = "answers";
const BATCH = 100;

/** pg-boss with one job at a time (send, fetch, complete); and with its batches beside it. */
export async function pgBossPeers(
  connectionString: string,
  inFlight: number,
): Promise<{ single: Contestant; batched: Contestant; stop: () => Promise<void> }> {
  const boss = new PgBoss({ connectionString, max: 10, supervise: false, schedule: false });
  boss.on("error", () => {});
  await boss.start();
  await boss.createQueue(QUEUE);
  const one = async () => {
    await boss.send(QUEUE, { prompt: 42 });
    const [job] = await boss.fetch(QUEUE);
    if (job !== undefined) await boss.complete(QUEUE, job.id);
  };
  const many = async () => {
    await boss.insert(
      QUEUE,
      Array.from({ length: BATCH }, () => ({ data: { prompt: 42 } })),
    );
    const jobs = await boss.fetch(QUEUE, { batchSize: BATCH });
    if (jobs.length > 0) {
      await boss.complete(
        QUEUE,
        jobs.map((job) => job.id),
      );
    }
  };
  return {
    single: { name: "pg-boss, one at a time", run: (seconds) => rate(seconds, inFlight, one) },
    batched: { name: `pg-boss, by ${BATCH}`, run: async (seconds) => (await rate(seconds, 4, many)) * BATCH },
    stop: () => boss.stop({ graceful: false }),
  };
}
