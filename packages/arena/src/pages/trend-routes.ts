import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import { loadTrends } from "./trend-queries.ts";

const POINTS = 30;
const message = "must be up to 100 agents' ids with commas between them";
const agentIds = z
  .string(message)
  .regex(/^[1-9]\d{0,8}(,[1-9]\d{0,8}){0,99}$/, message)
  .transform((text) => [...new Set(text.split(",").map(Number))]);

/** The lines beside a list of agents, all in one call. */
export function addTrendRoutes(instance: FastifyInstance, { db }: { db: Database }): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  app.get(
    "/api/trends",
    {
      config: { auth: "public" },
      schema: {
        summary: "Elo after each of the last thirty counted votes of some agents, oldest first",
        tags: ["ratings"],
        querystring: z.object({ agents: agentIds.default([]).describe("such as 3,17,20") }),
        response: { 200: z.object({ items: z.array(z.object({ id: z.int(), elos: z.array(z.number()) })) }) },
      },
    },
    async (request) => ({ items: await loadTrends(db, request.query.agents, POINTS) }),
  );
}
