import { pageSchema } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import { pageQuery, toPage } from "../http/paging.ts";
import type { Clock } from "../ports.ts";
import { listUnknown } from "./unknown-queries.ts";
import { retryUnknown } from "./unknown-retry.ts";
import type { JudgeKind } from "./vote-log.ts";

const gateSchema = z.object({
  answer_id: z.int(),
  prompt_id: z.string(),
  gate: z.enum(["check", "names_itself"]),
  detail: z.string(),
  found_at: z.string(),
});

/** What could not be found out about answers: nobody's rating moved by it, and the operator has to know. */
export function addUnknownRoutes(
  instance: FastifyInstance,
  options: { db: Database; clock: Clock; ratingJudges: readonly JudgeKind[] },
): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const tags = ["operator"];
  app.get(
    "/api/admin/unknown-gates",
    {
      config: { auth: "admin" },
      schema: {
        summary: "Answers whose check, or whose search for names, came to nothing",
        tags,
        querystring: pageQuery(50),
        response: { 200: pageSchema(gateSchema) },
      },
    },
    async (request) => {
      const { total, rows } = await listUnknown(options.db, request.query);
      const items = rows.map(({ gate: { answerId, gate, detail, foundAt }, promptId }) => {
        return { answer_id: answerId, prompt_id: String(promptId), gate, detail, found_at: foundAt.toISOString() };
      });
      return toPage(request.query, total, items);
    },
  );
  app.post(
    "/api/admin/unknown-gates/retry",
    {
      config: { auth: "admin" },
      schema: {
        summary: "Ask the checks that came to nothing again",
        tags,
        response: { 200: z.object({ retried: z.int(), settled: z.int() }) },
      },
    },
    () => retryUnknown(options),
  );
}
