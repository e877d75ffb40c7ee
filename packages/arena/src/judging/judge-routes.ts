import { ProblemError } from "@agon/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import type { Clock, Random } from "../ports.ts";
import { battleParams, reportBodySchema, showingSchema, voteAnswerSchema, voteBodySchema } from "./judge-schemas.ts";
import { findJudge, type Judge, welcomeJudge } from "./judges.ts";
import { showNextBattle } from "./next-battle.ts";
import type { Showing } from "./presentation-queries.ts";
import { reportAnswer } from "./report-queries.ts";
import { castVote, skipBattle, type Turn } from "./vote-casting.ts";
import type { JudgeKind } from "./vote-log.ts";

export interface JudgeRouteOptions {
  db: Database;
  ports: { clock: Clock; random: Random };
  publicUrl: string | undefined;
  ratingJudges: readonly JudgeKind[];
  votesPerHour: number;
  pairVotesMax: number;
}

/** Battles shown for each vote that an address may cast: some are skipped, some left open, and then it is enough. */
const SHOWINGS_PER_VOTE = 4;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** People as judges: the next battle, a vote on it, a word on what is wrong with an answer. */
export function addJudgeRoutes(instance: FastifyInstance, options: JudgeRouteOptions): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, ports } = options;
  const isHttps = options.publicUrl?.startsWith("https:") === true;

  app.get(
    "/api/judge/next",
    {
      config: { auth: "judge" },
      // It shows a battle, which is then kept from others: nothing that a HEAD should do.
      exposeHeadRoute: false,
      schema: {
        summary: "Two answers to one prompt, without a word on whose they are",
        description: "A visitor without a key becomes a judge by the cookie that this sets.",
        tags: ["judging"],
        response: { 200: showingSchema, 204: z.undefined().describe("nothing to judge for you now") },
      },
    },
    async (request, reply) => {
      reply.header("cache-control", "no-store");
      const judge = findJudge(request) ?? welcomeJudge(reply, ports.random, isHttps);
      const showingsPerHour = options.votesPerHour * SHOWINGS_PER_VOTE;
      const { pairVotesMax } = options;
      const showing = await showNextBattle({ db, ports, showingsPerHour, pairVotesMax }, judge, request.ip);
      return showing === undefined ? reply.code(204).send() : toWire(showing);
    },
  );

  app.post(
    "/api/judge/:battle_id/vote",
    {
      config: { auth: "judge" },
      schema: {
        summary: "Say which answer is better, and see whose they were",
        tags: ["judging"],
        params: battleParams,
        body: voteBodySchema,
        response: { 200: voteAnswerSchema },
      },
    },
    async (request, reply) => {
      reply.header("cache-control", "no-store");
      const { choice } = request.body;
      const turn = toTurn(request);
      if (choice === "skip") {
        await skipBattle(db, turn);
        return { choice, counted: false };
      }
      const { clock } = ports;
      const { ratingJudges, votesPerHour } = options;
      return { choice, ...(await castVote({ db, clock, ratingJudges, votesPerHour }, turn, choice)) };
    },
  );

  app.post(
    "/api/judge/:battle_id/report",
    {
      config: { auth: "judge" },
      schema: {
        summary: "Tell the operator what is wrong with an answer that you were shown",
        tags: ["judging"],
        params: battleParams,
        body: reportBodySchema,
        response: { 201: z.object({ recorded: z.literal(true) }) },
      },
    },
    async (request, reply) => {
      const { side, reason, comment } = request.body;
      const { judge, presentationId, arrivedAt } = toTurn(request);
      const report = { side, reason, comment: comment?.trim() || null, now: new Date(arrivedAt) };
      const done = await reportAnswer(db, judge, presentationId, report);
      if (done === "unknown") throw unknownBattle();
      if (done === "known") throw new ProblemError("conflict", "you have reported this answer");
      return reply.code(201).send({ recorded: true as const });
    },
  );
}

/** @throws ProblemError `not_found` for who is no judge yet, or names what cannot be a showing's id */
function toTurn(request: FastifyRequest): Turn {
  const judge: Judge | undefined = findJudge(request);
  const presentationId = (request.params as { battle_id: string }).battle_id.toLowerCase();
  if (judge === undefined || !UUID.test(presentationId)) throw unknownBattle();
  return { presentationId, judge, address: request.ip, arrivedAt: request.arrivedAt };
}

function unknownBattle(): ProblemError {
  return new ProblemError("not_found", "no battle with this id was shown to you");
}

function toWire(showing: Showing) {
  return {
    battle_id: showing.id,
    prompt: showing.prompt,
    category: showing.category,
    a: { response: showing.response_a },
    b: { response: showing.response_b },
    expires_at: new Date(showing.expires_at).toISOString(),
  };
}
