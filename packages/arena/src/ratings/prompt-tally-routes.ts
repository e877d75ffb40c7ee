import { pageSchema } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import { optionalWholeNumber, pageQuery, toPage } from "../http/paging.ts";
import { loadPromptTallies } from "./prompt-tally-queries.ts";

const count = z.int();
const tallySchema = z.object({
  prompt_id: z.string(),
  prompt: z.string().describe("its beginning"),
  category: z.string(),
  votes: count.describe("counted ones among the latest 10,000 of the log"),
  decided: count.describe("votes that found one answer better"),
  ties: count,
  both_bad: count,
  compared: count.describe("decided votes on two agents whose published ratings differ"),
  as_rated: count.describe("those of them that the agent with the higher rating won"),
});

/** Which prompts tell agents apart, and which do not. Of open ones nothing is told. */
export function addPromptTallyRoutes(instance: FastifyInstance, { db }: { db: Database }): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  app.get(
    "/api/prompt-quality",
    {
      config: { auth: "public" },
      schema: {
        summary: "Closed prompts by how well they tell agents apart, or by how often they end in a tie",
        tags: ["ratings"],
        querystring: pageQuery(10).extend({
          order: z.enum(["separates", "ties"]).default("separates"),
          least_votes: optionalWholeNumber(1, 1_000, 3).describe("leave out prompts with fewer votes"),
          category: z.string().max(100).default(""),
        }),
        response: { 200: pageSchema(tallySchema) },
      },
    },
    async (request) => {
      const { order, least_votes: leastVotes, category, ...page } = request.query;
      const rows = await loadPromptTallies(db, { order, leastVotes, category }, page);
      const items = rows.map(({ prompt_id, total: _total, ...row }) => ({ prompt_id: String(prompt_id), ...row }));
      return toPage(page, rows[0]?.total ?? 0, items);
    },
  );
}
