import { pageSchema } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { pageQuery, toPage } from "../http/paging.ts";
import { loadPromptQuality } from "./prompt-quality-queries.ts";
import { listRulings } from "./ruling-queries.ts";
import { rulingBodySchema, rulingOutcomeSchema, rulingSchema } from "./ruling-schemas.ts";
import { type RulingOptions, rule } from "./rulings.ts";

const qualitySchema = z.object({
  prompt_id: z.string(),
  prompt: z.string().describe("its beginning"),
  category: z.string(),
  votes: z.int(),
  both_bad: z.int(),
  both_bad_share: z.number(),
});

/** The operator's word on votes, previewed before it is spoken, and public once it is. */
export function addRulingRoutes(instance: FastifyInstance, options: RulingOptions): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();

  app.post(
    "/api/admin/rulings",
    {
      config: { auth: "admin" },
      schema: {
        summary: "Void votes, have battles judged again, quarantine a judge, or lift such a ruling",
        description: "Without apply it only says what would move. Votes stay in the log as they were cast.",
        tags: ["operator"],
        body: rulingBodySchema,
        response: { 200: rulingOutcomeSchema },
      },
    },
    (request) => rule(options, { ...request.body, reason: request.body.reason.trim(), decidedBy: "operator" }),
  );

  app.get(
    "/api/rulings",
    {
      config: { auth: "public" },
      schema: {
        summary: "What the operator ruled on votes, latest first",
        tags: ["ratings"],
        querystring: pageQuery(50),
        response: { 200: pageSchema(rulingSchema) },
      },
    },
    async (request) => {
      const rows = await listRulings(options.db, request.query);
      const items = rows.map(({ ruling, votes, liftedBy }): z.infer<typeof rulingSchema> => {
        const { id, kind, reason, decidedBy, decidedAt, position } = ruling;
        const decided_at = decidedAt.toISOString();
        return { id, kind, reason, decided_by: decidedBy, decided_at, position, votes, lifted_by: liftedBy };
      });
      return toPage(request.query, rows[0]?.total ?? 0, items);
    },
  );

  app.get(
    "/api/admin/prompt-quality",
    {
      config: { auth: "admin" },
      schema: {
        summary: "Prompts to which answers were often both bad, in the latest 50,000 votes: the prompt may be to blame",
        tags: ["operator"],
        querystring: pageQuery(50),
        response: { 200: pageSchema(qualitySchema) },
      },
    },
    async (request) => {
      const rows = await loadPromptQuality(options.db, request.query);
      const items = rows.map(({ prompt_id, prompt, category, votes, both_bad }) => {
        return { prompt_id: String(prompt_id), prompt, category, votes, both_bad, both_bad_share: both_bad / votes };
      });
      return toPage(request.query, rows[0]?.total ?? 0, items);
    },
  );
}
