import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import { pageQuery, toPage } from "../http/paging.ts";
import { loadJudgeShares, loadSampledAgents, loadSamplingTotals } from "./sampling-queries.ts";

const count = z.int();
const share = z.number().min(0).max(1);
const samplingSchema = z.object({
  rule: z.string(),
  pair_votes_max: count.describe("counted votes on two agents after which judges see others; 0: no limit"),
  pairs: count.describe("of agents that judges were shown together"),
  shown: count,
  votes: count,
  votes_least: count.describe("on the pair with the fewest"),
  votes_most: count,
  judges: z
    .array(
      z.object({
        kind: z.enum(["account", "check", "anonymous", "model"]),
        votes: count,
        counted: count,
        share,
        counts: z.boolean().describe("whether votes of this kind count now"),
      }),
    )
    .describe("who cast the latest thousand votes"),
  agents: z.object({
    total: count,
    limit: count,
    offset: count,
    has_more: z.boolean(),
    items: z.array(
      z.object({
        agent: z.object({ id: z.int(), name: z.string() }),
        opponents: count,
        shown: count,
        votes: count,
        share: share.describe("of all showings, those with this agent"),
      }),
    ),
  }),
});

const RULE =
  "Judges see the two answers that were shown together least; among those, agents that have met in fewer than five votes, then those whose 95 % intervals overlap; equals at random. Two agents of one account never meet.";

export interface SamplingRouteOptions {
  db: Database;
  pairVotesMax: number;
  ratingJudges: readonly string[];
}

/** Which battles people get to see, and how often: a rating is as fair as its sample. */
export function addSamplingRoutes(instance: FastifyInstance, options: SamplingRouteOptions): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db } = options;
  app.get(
    "/api/leaderboard/sampling",
    {
      config: { auth: "public" },
      schema: {
        summary: "How battles are chosen, how often each agent was shown, and who votes",
        tags: ["ratings"],
        querystring: pageQuery(50),
        response: { 200: samplingSchema },
      },
    },
    async (request) => {
      const totals = await loadSamplingTotals(db);
      const agents = await loadSampledAgents(db, request.query);
      const judges = await loadJudgeShares(db);
      const allVotes = judges.reduce((sum, judge) => sum + judge.votes, 0);
      return {
        rule: RULE,
        pair_votes_max: options.pairVotesMax,
        ...totals,
        judges: judges.map(({ judge_kind: kind, votes, counted }) => {
          return { kind, votes, counted, share: votes / allVotes, counts: options.ratingJudges.includes(kind) };
        }),
        agents: toPage(
          request.query,
          agents[0]?.total ?? 0,
          agents.map(({ id, name, opponents, shown, votes }) => {
            return { agent: { id, name }, opponents, shown, votes, share: shown / totals.shown };
          }),
        ),
      };
    },
  );
}
