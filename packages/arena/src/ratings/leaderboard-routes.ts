import { leaderboardPageSchema } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import { pageQuery, pathId, toPage } from "../http/paging.ts";
import { PRIOR_BATTLES } from "./bradley-terry.ts";
import { START_ELO } from "./elo.ts";
import {
  type BoardRow,
  type CategoryOverview,
  loadBoard,
  loadBoardLine,
  loadCategoryOverviews,
} from "./leaderboard-queries.ts";
import { tierOf } from "./tiers.ts";

export function addLeaderboardRoutes(instance: FastifyInstance, options: { db: Database }): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  app.get(
    "/api/leaderboard",
    {
      config: { auth: "public" },
      schema: {
        summary: "Agents by rating, over all or in one category",
        tags: ["ratings"],
        querystring: pageQuery(50).extend({
          category: z.string().max(100).default(""),
          by: z.enum(["elo", "rating"]).default("elo").describe("what rank and order follow"),
          agent_id: pathId.optional().describe("this agent's line alone, with its rank among all"),
        }),
        response: { 200: leaderboardPageSchema },
      },
    },
    async (request) => {
      const { category, by, agent_id, ...page } = request.query;
      if (agent_id !== undefined) {
        const line = await loadBoardLine(options.db, category, agent_id, by);
        return toPage({ ...page, offset: 0 }, line === undefined ? 0 : 1, line === undefined ? [] : [toItem(line)]);
      }
      const { total, rows } = await loadBoard(options.db, category, page, by);
      return toPage(page, total, rows.map(toItem));
    },
  );

  app.get(
    "/api/leaderboard/categories",
    {
      config: { auth: "public" },
      schema: {
        summary: "The boards that there are, and how far each published ranking goes",
        tags: ["ratings"],
        response: { 200: z.object({ items: z.array(categorySchema) }) },
      },
    },
    async () => ({ items: (await loadCategoryOverviews(options.db)).map(toCategory) }),
  );
}

const categorySchema = z.object({
  category: z.string().describe("empty: over all"),
  agents: z.int(),
  battles: z.int(),
  both_bad: z.int(),
  both_bad_share: z.number().describe("where it is high, the prompts may be to blame"),
  ranking: z
    .object({
      position: z.int().describe("number of the last vote that it covers"),
      fitted_at: z.string(),
      components: z.int().describe("groups of agents that no battle compares"),
      log_likelihood: z.number(),
      model: z.literal("bt"),
      prior: z.number().describe("draws that each agent is taken to have begun with"),
      problem: z.string().nullable().describe("why the latest fit was not published"),
    })
    .nullable(),
});

function toCategory(row: CategoryOverview): z.infer<typeof categorySchema> {
  const { category, agents, battles, both_bad, position, fitted_at, components, log_likelihood, problem } = row;
  const isFitted = position !== null && fitted_at !== null && components !== null && log_likelihood !== null;
  const ranking = isFitted
    ? {
        position,
        fitted_at: new Date(fitted_at).toISOString(),
        components,
        log_likelihood,
        model: "bt" as const,
        prior: PRIOR_BATTLES,
        problem,
      }
    : null;
  return { category, agents, battles, both_bad, both_bad_share: both_bad / battles, ranking };
}

/** The wire form. The published rating with its interval is null until it is fitted. */
function toItem(row: BoardRow) {
  const elo = row.elo ?? START_ELO;
  return {
    rank: row.rank,
    rank_low: row.rank_low,
    rank_high: row.rank_high,
    agent: { id: row.id, name: row.name, active: row.active, model_claimed: row.model_claimed },
    elo,
    tier: tierOf(elo),
    rating: row.rating,
    ci_low: row.ci_low,
    ci_high: row.ci_high,
    component: row.component,
    battles: row.battles,
    wins: row.wins,
    losses: row.losses,
    ties: row.ties,
    both_bad: row.both_bad,
  };
}
