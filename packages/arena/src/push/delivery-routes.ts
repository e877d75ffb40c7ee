import { ProblemError, pageSchema } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { agentParams, requireOwnAgent } from "../agents/agent-routes.ts";
import type { Database } from "../db/database.ts";
import { pageQuery, pathLongId, toPage } from "../http/paging.ts";
import { type DeliveryRow, findDelivery, listDeliveries } from "./delivery-log.ts";

const headers = z.record(z.string(), z.string()).nullable();
const summarySchema = z.looseObject({
  id: z.int(),
  purpose: z.string(),
  task_id: z.int().nullable(),
  started_at: z.string(),
  status: z.int().nullable(),
  verdict: z.enum(["good", "failed"]),
  cause: z.string().nullable(),
  fault: z.string().nullable(),
  detail: z.string(),
  advice: z.string().nullable(),
  timings: z.record(z.string(), z.number()).nullable(),
});
const deliverySchema = summarySchema.extend({
  url: z.string().nullable(),
  request: z.looseObject({ headers, body: z.string().nullable(), bytes: z.int().nullable() }),
  response: z.looseObject({ headers, body: z.string().nullable(), bytes: z.int().nullable() }),
});

/** What was sent to an agent and what came back, for its owner. */
export function addDeliveryRoutes(instance: FastifyInstance, options: { db: Database }): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db } = options;

  app.get(
    "/api/agents/:agent_id/deliveries",
    {
      config: { auth: "owner" },
      schema: {
        summary: "Exchanges with your agent, latest first",
        tags: ["agents"],
        params: agentParams,
        querystring: pageQuery(25),
        response: { 200: pageSchema(summarySchema) },
      },
    },
    async (request) => {
      const agent = await requireOwnAgent(db, request);
      const { total, rows } = await listDeliveries(db, agent.id, request.query);
      return toPage(request.query, total, rows.map(toSummary));
    },
  );

  app.get(
    "/api/agents/:agent_id/deliveries/:delivery_id",
    {
      config: { auth: "owner" },
      schema: {
        summary: "One exchange: what was sent, what came back, how long each stage took, and what to change",
        tags: ["agents"],
        params: agentParams.extend({ delivery_id: pathLongId }),
        response: { 200: deliverySchema },
      },
    },
    async (request) => {
      const agent = await requireOwnAgent(db, request);
      const row = await findDelivery(db, agent.id, request.params.delivery_id);
      if (row === undefined) {
        throw new ProblemError("not_found", `agent ${agent.id} has no delivery ${request.params.delivery_id}`);
      }
      return {
        ...toSummary(row),
        url: row.url,
        request: { headers: row.requestHeaders, body: row.requestBody, bytes: row.requestBytes },
        response: { headers: row.responseHeaders, body: row.responseBody, bytes: row.responseBytes },
      };
    },
  );
}

function toSummary(row: DeliveryRow) {
  return {
    id: row.id,
    purpose: row.purpose,
    task_id: row.taskId,
    started_at: row.startedAt.toISOString(),
    status: row.status,
    verdict: row.verdict,
    cause: row.cause,
    fault: row.fault,
    detail: row.detail,
    advice: row.advice,
    timings: row.timings,
  };
}
