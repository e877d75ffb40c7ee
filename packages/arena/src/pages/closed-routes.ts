import { ProblemError, pageSchema } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import { pageQuery, pathId, pathLongId, toPage } from "../http/paging.ts";
import {
  type BattleVote,
  type ClosedAnswer,
  type ClosedPrompt,
  type DecidedBattle,
  findBattle,
  findClosedPrompt,
  listAnswers,
  listBattlesOf,
  listClosedPrompts,
  listVotes,
} from "./closed-queries.ts";

const count = z.int();
const promptSchema = z.object({
  id: z.string(),
  category: z.string(),
  prompt: z.string(),
  closed_at: z.string(),
  answers: count,
  battles: count,
  votes: count.describe("counted ones"),
});
const answerSchema = z.object({
  answer_id: z.int(),
  agent: z.object({ id: z.int(), name: z.string() }),
  response: z.string().nullable().describe("null when the operator has hidden it"),
  hidden: z.boolean(),
  names_itself: z.boolean().describe("names its agent, owner or model, so votes on it do not count"),
  check_right: z.boolean().nullable().describe("what the prompt's check said; null without a check"),
  latency_ms: z.int().nullable(),
  answered_at: z.string(),
});
const tallySchema = z.object({ a: count, b: count, tie: count, both_bad: count, not_counted: count });
const battleSchema = z.object({
  id: z.int(),
  judged_by: z.enum(["people", "check"]),
  decided_at: z.string(),
  answer_a: z.int(),
  answer_b: z.int(),
  tally: tallySchema.describe("counted votes by outcome, of all judges"),
});
const voteSchema = z.object({
  number: z.int(),
  judge: z.enum(["account", "check", "anonymous", "model"]),
  choice: z.enum(["a", "b", "tie", "both_bad"]),
  counted: z.boolean(),
  day: z.string(),
});

/** Closed prompts, their answers and their battles: the evidence behind the ratings. */
export function addClosedRoutes(instance: FastifyInstance, { db }: { db: Database }): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();

  app.get(
    "/api/prompts",
    {
      config: { auth: "public" },
      schema: {
        summary: "Closed prompts, latest first",
        tags: ["ratings"],
        querystring: pageQuery(50).extend({ category: z.string().max(100).default("") }),
        response: { 200: pageSchema(promptSchema) },
      },
    },
    async (request) => {
      const { category, ...page } = request.query;
      const { total, rows } = await listClosedPrompts(db, category, page);
      return toPage(page, total, rows.map(toPrompt));
    },
  );

  app.get(
    "/api/prompts/:closed_id",
    {
      config: { auth: "public" },
      schema: {
        summary: "A closed prompt with every answer and battle",
        tags: ["ratings"],
        params: z.object({ closed_id: pathId }),
        response: { 200: promptSchema.extend({ all: z.array(answerSchema), fought: z.array(battleSchema) }) },
      },
    },
    async (request) => {
      const prompt = await findClosedPrompt(db, request.params.closed_id);
      if (prompt === undefined) throw notClosed("prompt", request.params.closed_id);
      const battles = await listBattlesOf(db, prompt.id);
      const votes = await listVotes(
        db,
        battles.map((battle) => battle.id),
      );
      const answers = await listAnswers(db, prompt.id);
      return {
        ...toPrompt(prompt),
        all: answers.map(toAnswer),
        fought: battles.map((battle) => toBattle(battle, votes)),
      };
    },
  );

  app.get(
    "/api/battles/:decided_id",
    {
      config: { auth: "public" },
      schema: {
        summary: "A decided battle of a closed prompt, with both answers and every vote",
        tags: ["ratings"],
        params: z.object({ decided_id: pathLongId }),
        response: {
          200: battleSchema.extend({
            prompt: promptSchema,
            a: answerSchema,
            b: answerSchema,
            votes: z.array(voteSchema),
          }),
        },
      },
    },
    async (request) => {
      const battle = await findBattle(db, request.params.decided_id);
      const prompt = battle && (await findClosedPrompt(db, battle.prompt_id));
      if (battle === undefined || prompt === undefined) throw notClosed("battle", request.params.decided_id);
      const answers = await listAnswers(db, prompt.id);
      const side = (id: number) => answers.find((answer) => answer.id === id);
      const [a, b] = [side(battle.answer_a), side(battle.answer_b)];
      if (a === undefined || b === undefined) throw notClosed("battle", battle.id);
      const votes = await listVotes(db, [battle.id]);
      return {
        ...toBattle(battle, votes),
        prompt: toPrompt(prompt),
        a: toAnswer(a),
        b: toAnswer(b),
        votes: votes.map(({ number, judge_kind, outcome, counted, day }) => ({
          number,
          judge: judge_kind,
          choice: outcome,
          counted,
          day,
        })),
      };
    },
  );
}

function notClosed(what: "prompt" | "battle", id: number): ProblemError {
  const when = what === "prompt" ? "It can be read when it has closed" : "It can be read when its prompt has closed";
  return new ProblemError("not_found", `there is no ${what} ${id} to be read. ${when}`);
}

function toPrompt(row: ClosedPrompt) {
  const { id, category, prompt, answers, battles, votes } = row;
  return {
    id: String(id),
    category,
    prompt,
    closed_at: new Date(row.closed_at).toISOString(),
    answers,
    battles,
    votes,
  };
}

function toAnswer(row: ClosedAnswer) {
  return {
    answer_id: row.id,
    agent: { id: row.agent_id, name: row.name },
    response: row.response,
    hidden: row.hidden,
    names_itself: row.names_itself,
    check_right: row.check_right,
    latency_ms: row.latency_ms,
    answered_at: new Date(row.answered_at).toISOString(),
  };
}

function toBattle(row: DecidedBattle, votes: readonly BattleVote[]) {
  const tally = { a: 0, b: 0, tie: 0, both_bad: 0, not_counted: 0 };
  for (const vote of votes) {
    if (vote.battle_id === row.id) tally[vote.counted ? vote.outcome : "not_counted"] += 1;
  }
  const { id, judged_by, answer_a, answer_b } = row;
  return { id, judged_by, decided_at: new Date(row.decided_at).toISOString(), answer_a, answer_b, tally };
}
