import { ProblemError, pageSchema } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { findAgent } from "../agents/agent-queries.ts";
import { agentParams } from "../agents/agent-routes.ts";
import type { Database } from "../db/database.ts";
import { pageQuery, toPage } from "../http/paging.ts";
import { INFORMATION_OF_DRAW, PRIOR_BATTLES } from "./bradley-terry.ts";
import { type EloStepRow, findPublished, loadEloSteps, loadRatedOpponents } from "./derivation-queries.ts";
import { ELO_K, expectedScore, START_ELO, scoreOf } from "./elo.ts";
import { MEAN_RATING, POINTS } from "./rating-table.ts";

const count = z.int();
const agent = z.object({ id: z.int(), name: z.string() });

const stepSchema = z.object({
  number: z.int().describe("its place in the log of votes"),
  day: z.string().describe("UTC; the time of day is kept back"),
  category: z.string(),
  judge: z.enum(["account", "check", "anonymous", "model"]),
  outcome: z.enum(["win", "loss", "tie", "both_bad"]).describe("for this agent"),
  opponent: agent,
  elo_before: z.number(),
  opponent_elo_before: z.number(),
  score: z.number().describe("1, ½ or 0"),
  expected: z.number().describe("1 / (1 + 10^((opponent_elo_before − elo_before) / 400))"),
  change: z.number().describe("k × (score − expected)"),
  elo_after: z.number(),
});

const opponentSchema = z.object({
  agent,
  rating: z.number(),
  battles: count,
  wins: count,
  losses: count,
  ties: count,
  both_bad: count,
  score: z.number().describe("wins, and half of what was drawn"),
  expected: z.number().describe("battles × 1 / (1 + 10^((rating of the opponent − own rating) / 400))"),
});

const sumSchema = z.object({
  agent_id: z.int(),
  category: z.string(),
  published: z
    .object({
      rating: z.number(),
      se: z.number(),
      ci_low: z.number().describe("rating − 1.96 se"),
      ci_high: z.number(),
      rank_low: z.int().nullable(),
      rank_high: z.int().nullable(),
      component: z.int(),
      position: z.int().describe("number of the last vote that it covers"),
      fitted_at: z.string(),
      prior: z.number().describe("draws against an average agent that everybody is taken to have begun with"),
      score: z.number(),
      expected: z.number(),
      pull: z.number().describe("prior / 4 × (rating − 1500) / (400 / ln 10): what the beginning takes from the score"),
      remainder: z.number().describe("score − expected − pull: zero where the rating fits"),
    })
    .nullable()
    .describe("null until the first fit after its first counted battle"),
  opponents: pageSchema(opponentSchema).describe("most met first; the sums are over all of them"),
});

/** How an agent's two numbers follow from the log of votes, term by term. */
export function addDerivationRoutes(instance: FastifyInstance, { db }: { db: Database }): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const tags = ["ratings"];

  app.get(
    "/api/agents/:agent_id/elo-steps",
    {
      config: { auth: "public" },
      schema: {
        summary: "The votes that made an agent's Elo, latest first, each with the terms of its change",
        tags,
        params: agentParams,
        querystring: pageQuery(25),
        response: {
          200: pageSchema(stepSchema).extend({ agent_id: z.int(), start_elo: z.number(), k: z.number() }),
        },
      },
    },
    async (request) => {
      const id = await requireAgent(request.params.agent_id);
      const rows = await loadEloSteps(db, id, request.query);
      return {
        agent_id: id,
        start_elo: START_ELO,
        k: ELO_K,
        ...toPage(request.query, rows[0]?.total ?? 0, rows.map(toStep)),
      };
    },
  );

  app.get(
    "/api/agents/:agent_id/rating-sum",
    {
      config: { auth: "public" },
      schema: {
        summary: "What an agent's published rating was fitted to, opponent by opponent, and that it fits",
        tags,
        params: agentParams,
        querystring: pageQuery(25).extend({ category: z.string().max(100).default("") }),
        response: { 200: sumSchema },
      },
    },
    async (request) => {
      const id = await requireAgent(request.params.agent_id);
      const { category, ...page } = request.query;
      const item = await findPublished(db, category, id);
      if (item === undefined) return { agent_id: id, category, published: null, opponents: toPage(page, 0, []) };
      const rows = await loadRatedOpponents(db, id, category, item.position);
      const met = rows.map(({ id: opponent, name, rating, ...record }) => ({
        agent: { id: opponent, name },
        rating,
        ...record,
        score: record.wins + (record.ties + record.both_bad) / 2,
        expected: record.battles * expectedScore(item.rating, rating),
      }));
      const score = met.reduce((sum, each) => sum + each.score, 0);
      const expected = met.reduce((sum, each) => sum + each.expected, 0);
      const pull = PRIOR_BATTLES * INFORMATION_OF_DRAW * ((item.rating - MEAN_RATING) / POINTS);
      return {
        agent_id: id,
        category,
        published: {
          ...item,
          fitted_at: new Date(item.fitted_at).toISOString(),
          prior: PRIOR_BATTLES,
          score,
          expected,
          pull,
          remainder: score - expected - pull,
        },
        opponents: toPage(page, met.length, met.slice(page.offset, page.offset + page.limit)),
      };
    },
  );

  async function requireAgent(id: number): Promise<number> {
    if ((await findAgent(db, id)) === undefined) throw new ProblemError("agent_not_found", `no agent has the id ${id}`);
    return id;
  }
}

const OUTCOMES = { a: "win", b: "loss", tie: "tie", both_bad: "both_bad" } as const;

function toStep(row: EloStepRow): z.infer<typeof stepSchema> {
  const { number, day, category, outcome, elo } = row;
  const [before, opponent] = [row.elo_before ?? START_ELO, row.opponent_elo ?? START_ELO];
  const [score, expected] = [scoreOf(outcome), expectedScore(before, opponent)];
  return {
    number,
    day,
    category,
    judge: row.judge_kind,
    outcome: OUTCOMES[outcome],
    opponent: { id: row.opponent_id, name: row.opponent_name },
    elo_before: before,
    opponent_elo_before: opponent,
    score,
    expected,
    change: ELO_K * (score - expected),
    elo_after: elo,
  };
}
