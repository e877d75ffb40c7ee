import { Readable } from "node:stream";
import { pageSchema } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database, Db } from "../db/database.ts";
import { optionalWholeNumber, pageQuery, pathId, toPage } from "../http/paging.ts";
import { type BattleRow, type ExportedVote, listBattles, loadVotesAfter, type Tally } from "./battle-queries.ts";

/** Votes read at a time: some 150 KB of text, whatever the length of the log. */
const VOTES_PER_READ = 1_000;

const count = z.int();
const tallySchema = z.object({ a: count, b: count, tie: count, both_bad: count, not_counted: count });
const sideSchema = z.object({ answer_id: z.int(), agent: z.object({ id: z.int(), name: z.string() }) });
const battleSchema = z.object({
  id: z.int(),
  prompt_id: z.string(),
  category: z.string(),
  judged_by: z.enum(["people", "check"]),
  decided_at: z.string(),
  a: sideSchema,
  b: sideSchema,
  rejudges: z.int().nullable().describe("the battle that this one decided anew"),
  ruling: z
    .object({ id: z.int(), kind: z.string(), reason: z.string() })
    .nullable()
    .describe("by which votes on it count no more"),
  votes: z
    .partialRecord(z.enum(["account", "check", "anonymous", "model"]), tallySchema)
    .describe("counted votes by kind of judge and outcome"),
});

/** What everybody may see of battles: those of closed prompts, and the log that every rating is computed from. */
export function addBattleRoutes(instance: FastifyInstance, options: { db: Database }): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db } = options;

  app.get(
    "/api/battles",
    {
      config: { auth: "public" },
      schema: {
        summary: "Decided battles of closed prompts, latest first",
        tags: ["ratings"],
        querystring: pageQuery(50).extend({
          agent_id: pathId.optional().describe("battles of this agent only"),
          category: z.string().max(100).default("").describe("battles of one category only"),
        }),
        response: { 200: pageSchema(battleSchema) },
      },
    },
    async (request) => {
      const { agent_id: agentId, category } = request.query;
      const { total, battles } = await listBattles(db, { agentId, category }, request.query);
      return toPage(request.query, total, battles.map(toBattle));
    },
  );

  app.get(
    "/api/votes/export",
    {
      config: { auth: "public" },
      schema: {
        summary: "Every vote, one JSON object a line, enough to recompute every rating",
        description:
          "number, a and b (agents), winner, category, judge, counted and at (the day); of closed prompts also prompt_id, battle_id, answer_a and answer_b; of votes that a ruling struck, ruling.",
        tags: ["ratings"],
        querystring: z.object({
          after: optionalWholeNumber(0, 999_999_999_999_999, 0).describe("begin behind this number"),
        }),
      },
    },
    (request, reply) =>
      reply
        .type("application/x-ndjson; charset=utf-8")
        .header("cache-control", "no-store")
        .send(Readable.from(exportLines(db, request.query.after), { objectMode: false })),
  );
}

/** The log as text, a read at a time: the next is made when the client has taken the one before. */
async function* exportLines(db: Db, after: number): AsyncGenerator<string> {
  for (let number = after; ; ) {
    const votes = await loadVotesAfter(db, number, VOTES_PER_READ);
    if (votes.length > 0) yield votes.map((vote) => `${JSON.stringify(toLine(vote))}\n`).join("");
    const last = votes.at(-1);
    if (last === undefined || votes.length < VOTES_PER_READ) return;
    number = last.number;
  }
}

/** The names of `agon rate`, so that it reads an export as it is. */
function toLine(vote: ExportedVote) {
  const open = {
    number: vote.number,
    a: vote.agent_a,
    b: vote.agent_b,
    winner: vote.outcome,
    category: vote.category,
    judge: vote.judge_kind,
    counted: vote.counted,
    at: vote.day,
    ...(vote.ruling_id === null ? {} : { ruling: vote.ruling_id }),
  };
  if (vote.prompt_id === null) return open;
  const { prompt_id, battle_id, answer_a, answer_b } = vote;
  return { ...open, prompt_id: String(prompt_id), battle_id, answer_a, answer_b };
}

function toBattle(row: BattleRow & { tallies: Tally[] }) {
  const votes: z.infer<typeof battleSchema>["votes"] = {};
  for (const { judge_kind, outcome, counted, uncounted } of row.tallies) {
    votes[judge_kind] ??= { a: 0, b: 0, tie: 0, both_bad: 0, not_counted: 0 };
    votes[judge_kind][outcome] += counted;
    votes[judge_kind].not_counted += uncounted;
  }
  return {
    id: row.id,
    prompt_id: String(row.prompt_id),
    category: row.category,
    judged_by: row.judged_by,
    decided_at: new Date(row.decided_at).toISOString(),
    a: { answer_id: row.answer_a, agent: { id: row.agent_a, name: row.name_a } },
    b: { answer_id: row.answer_b, agent: { id: row.agent_b, name: row.name_b } },
    rejudges: row.rejudges,
    ruling:
      row.ruling_id === null || row.ruling_kind === null || row.ruling_reason === null
        ? null
        : { id: row.ruling_id, kind: row.ruling_kind, reason: row.ruling_reason },
    votes,
  };
}
