import { ProblemError } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import type { Signals } from "../db/signals.ts";
import type { EventStreams } from "../http/event-streams.ts";
import type { Clock } from "../ports.ts";
import { findRun } from "./run-queries.ts";
import { createRunWatch } from "./run-watch.ts";

/**
 * Where a run stands, each time that it changes, until it is over. Every event is the whole of it without what agents
 * wrote: whoever connects again needs nothing of what was missed.
 */
export function addRunEventRoute(
  app: FastifyInstance,
  options: {
    db: Database;
    clock: Clock;
    signals: Signals;
    events: EventStreams;
    requireId: (id: string) => string;
  },
): void {
  const watch = createRunWatch({ ...options, log: app.log });
  app.get<{ Params: { run_id: string } }>(
    "/api/runs/:run_id/events",
    {
      config: { auth: "public" },
      schema: {
        summary: "A run as server-sent events: `progress` at each change, `end` when it is over",
        tags: ["runs"],
        params: z.object({ run_id: z.string() }),
      },
    },
    async (request, reply) => {
      const runId = options.requireId(request.params.run_id);
      const run = await findRun(options.db, runId);
      if (run === undefined) throw new ProblemError("not_found", `there is no run ${runId}`);
      let stop: (() => void) | undefined;
      const stream = options.events.open(request, reply, () => stop?.());
      stop = watch(run, (progress) => {
        stream.send("progress", progress);
        if (progress.finished_at === null) return;
        stream.send("end", { status: progress.status });
        stream.end();
      });
      // Gone before anybody could listen.
      if (reply.raw.destroyed) stop();
      return reply;
    },
  );
}
