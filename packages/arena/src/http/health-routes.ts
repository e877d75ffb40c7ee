import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Database } from "../db/database.ts";
import { isMigrated } from "../db/migrate.ts";

/** For whoever watches the process: is it up, can it work, how is it doing. */
export function addHealthRoutes(
  app: FastifyInstance,
  options: { db: Database; parkedPolls: () => number; callsUnderWay: () => number; unknownGates: () => number },
): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "agon_parked_polls",
    help: "Polls that wait for work on this node",
    registers: [registry],
    collect() {
      this.set(options.parkedPolls());
    },
  });
  new Gauge({
    name: "agon_calls_under_way",
    help: "Calls of this node to the URLs of agents that have not ended",
    registers: [registry],
    collect() {
      this.set(options.callsUnderWay());
    },
  });
  new Gauge({
    name: "agon_unknown_gates",
    help: "What could not be found out about answers on this node since it started; above 0 somebody has to look",
    registers: [registry],
    collect() {
      this.set(options.unknownGates());
    },
  });

  app.get("/healthz", { config: { auth: "public" }, schema: { hide: true } }, async () => ({ status: "up" }));
  app.get("/readyz", { config: { auth: "public" }, schema: { hide: true } }, async (request, reply) => {
    try {
      if (await isMigrated(options.db)) return { status: "ready" };
      return reply.code(503).send({ status: "migrations are pending" });
    } catch (error) {
      request.log.warn({ err: error }, "the database cannot be reached");
      return reply.code(503).send({ status: "the database cannot be reached" });
    }
  });
  app.get("/metrics", { config: { auth: "public" }, schema: { hide: true } }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}
