import { ProblemError } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import type { Signals } from "../db/signals.ts";
import type { EventStreams } from "../http/event-streams.ts";
import type { Clock } from "../ports.ts";
import { findRun } from "./run-queries.ts";
import { loadProgress } from "./run-views.ts";

/** Agents take and answer tasks without a word to the run's watchers, who therefore also look for themselves. */
const LOOK_MS = 1_000;

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
  const { db, clock, signals, events } = options;
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
      const run = await findRun(db, runId);
      if (run === undefined) throw new ProblemError("not_found", `there is no run ${runId}`);
      let shown = "";
      let looking = false;
      let again = false;
      const show = async () => {
        const progress = await loadProgress(db, runId, clock.now());
        if (progress === undefined) return stream.end();
        const { cost, ...rest } = progress;
        // Time passes without anything having changed.
        const text = JSON.stringify([rest, cost.tasks]);
        if (text === shown) return;
        shown = text;
        stream.send("progress", progress);
        if (progress.finished_at === null) return;
        stream.send("end", { status: progress.status });
        stream.end();
      };
      // One look at a time, and one more when something happened meanwhile: a slow database must not pile them up.
      const look = () => {
        again = looking;
        if (looking) return;
        looking = true;
        show()
          .catch((error) => request.log.warn({ err: error }, "a run was not shown"))
          .finally(() => {
            looking = false;
            if (again) look();
          });
      };
      const timer = setInterval(look, LOOK_MS);
      const stopListening = signals.subscribe("run", (number) => {
        if (number === undefined || number === run.number) look();
      });
      const stream = events.open(request, reply, () => {
        clearInterval(timer);
        stopListening();
      });
      look();
      return reply;
    },
  );
}
