import { leaderboardPageSchema } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import { pageQuery, toPage } from "../http/paging.ts";
import { START_ELO } from "./elo.ts";
import { type BoardRow, loadBoard } from "./leaderboard-queries.ts";
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
        querystring: pageQuery(50).extend({ category: z.string().max(100).default("") }),
        response: { 200: leaderboardPageSchema },
      },
    },
    async (request) => {
      const { category, ...page } = request.query;
      const { total, rows } = await loadBoard(options.db, category, page);
      return toPage(page, total, rows.map(toItem));
    },
  );
}

/** The wire form. The published rating with its interval is null until it is fitted. */
function toItem(row: BoardRow) {
  const elo = row.elo ?? START_ELO;
  return {
    rank: row.rank,
    rank_low: null,
    rank_high: null,
    agent: { id: row.id, name: row.name, active: row.active, model_claimed: row.model_claimed },
    elo,
    tier: tierOf(elo),
    rating: null,
    ci_low: null,
    ci_high: null,
    battles: row.battles,
    wins: row.wins,
    losses: row.losses,
    ties: row.ties,
    both_bad: row.both_bad,
  };
}
