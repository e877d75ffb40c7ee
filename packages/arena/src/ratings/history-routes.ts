import { ProblemError } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { findAgent, findElo } from "../agents/agent-queries.ts";
import { agentParams } from "../agents/agent-routes.ts";
import type { Database } from "../db/database.ts";
import { optionalWholeNumber, pageQuery, toPage } from "../http/paging.ts";
import { START_ELO } from "./elo.ts";
import { loadCategories, loadHistory, loadMatrix, loadOpponents } from "./history-queries.ts";
import { loadBoard } from "./leaderboard-queries.ts";
import { tierOf } from "./tiers.ts";

const count = z.int();
const record = { battles: count, wins: count, losses: count, ties: count, both_bad: count };
const category = z.string().max(100).default("").describe("battles of one category only");
const day = z.string().describe("UTC; the time of day is kept back");

const historySchema = z.object({
  agent_id: z.int(),
  elo: z.number(),
  tier: z.string(),
  start_elo: z.number(),
  battles: count,
  points: z
    .array(z.object({ number: z.int(), day, elo: z.number(), tier: z.string() }))
    .describe("Elo after some of the battles, evenly; number is the vote's place in the log"),
  tier_changes: z.array(z.object({ number: z.int(), day, elo: z.number(), from: z.string(), to: z.string() })),
});

const resultsSchema = z.object({
  agent_id: z.int(),
  opponents: z.object({
    total: count,
    limit: count,
    offset: count,
    has_more: z.boolean(),
    items: z.array(
      z.object({ agent: z.object({ id: z.int(), name: z.string() }), elo: z.number(), tier: z.string(), ...record }),
    ),
  }),
  categories: z.array(
    z.object({
      category: z.string(),
      elo: z.number(),
      tier: z.string(),
      rating: z.number().nullable(),
      ci_low: z.number().nullable(),
      ci_high: z.number().nullable(),
      ...record,
    }),
  ),
});

const matrixSchema = z.object({
  category: z.string(),
  agents: z.array(z.object({ id: z.int(), name: z.string(), elo: z.number() })).describe("best first"),
  results: z
    .array(z.object({ a: z.int(), b: z.int(), wins_a: count, wins_b: count, ties: count, both_bad: count }))
    .describe("of each two that met; a is the smaller id"),
});

/** How an agent came to its rating, and who beats whom. */
export function addHistoryRoutes(instance: FastifyInstance, options: { db: Database }): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db } = options;
  const tags = ["ratings"];

  app.get(
    "/api/agents/:agent_id/rating-history",
    {
      config: { auth: "public" },
      schema: {
        summary: "An agent's Elo after its battles, and its changes of tier",
        tags,
        params: agentParams,
        querystring: z.object({
          points: optionalWholeNumber(2, 1_000, 200).describe("how many battles to show, spread evenly"),
        }),
        response: { 200: historySchema },
      },
    },
    async (request) => {
      const id = await requireAgent(request.params.agent_id);
      const history = await loadHistory(db, id, { points: request.query.points, startElo: START_ELO });
      const elo = (await findElo(db, id)) ?? START_ELO;
      return {
        agent_id: id,
        elo,
        tier: tierOf(elo),
        start_elo: START_ELO,
        battles: history.total,
        points: history.points.map((point) => {
          return { number: point.number, day: point.day, elo: point.elo, tier: tierOf(point.elo) };
        }),
        tier_changes: history.changes.map((change) => {
          const { number, day: on, elo: reached, elo_before } = change;
          return { number, day: on, elo: reached, from: tierOf(elo_before), to: tierOf(reached) };
        }),
      };
    },
  );

  app.get(
    "/api/agents/:agent_id/results",
    {
      config: { auth: "public" },
      schema: {
        summary: "An agent's results by opponent, most met first, and by category",
        tags,
        params: agentParams,
        querystring: pageQuery(50).extend({ category }),
        response: { 200: resultsSchema },
      },
    },
    async (request) => {
      const id = await requireAgent(request.params.agent_id);
      const { category: name, ...page } = request.query;
      const rows = await loadOpponents(db, id, name, page);
      const items = rows.map(({ id: opponent, name: called, elo, total: _total, ...rest }) => {
        const current = elo ?? START_ELO;
        return { agent: { id: opponent, name: called }, elo: current, tier: tierOf(current), ...rest };
      });
      const categories = await loadCategories(db, id);
      return {
        agent_id: id,
        opponents: toPage(page, rows[0]?.total ?? 0, items),
        categories: categories.map((row) => ({ ...row, tier: tierOf(row.elo) })),
      };
    },
  );

  app.get(
    "/api/leaderboard/head-to-head",
    {
      config: { auth: "public" },
      schema: {
        summary: "How often the best agents beat each other",
        tags,
        querystring: z.object({
          limit: optionalWholeNumber(2, 50, 20).describe("how many agents"),
          category,
          by: z.enum(["elo", "rating"]).default("elo").describe("what the best are found by"),
        }),
        response: { 200: matrixSchema },
      },
    },
    async (request) => {
      const { limit, category: name, by } = request.query;
      const { rows } = await loadBoard(db, name, { limit, offset: 0 }, by);
      const agents = rows.filter((row) => row.battles > 0);
      const results = await loadMatrix(
        db,
        agents.map((row) => row.id),
        name,
      );
      return {
        category: name,
        agents: agents.map((row) => ({ id: row.id, name: row.name, elo: row.elo ?? START_ELO })),
        results,
      };
    },
  );

  async function requireAgent(id: number): Promise<number> {
    if ((await findAgent(db, id)) === undefined) throw new ProblemError("agent_not_found", `no agent has the id ${id}`);
    return id;
  }
}
