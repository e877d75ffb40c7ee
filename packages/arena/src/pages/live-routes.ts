import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import type { Clock } from "../ports.ts";
import { loadLive } from "./live-queries.ts";

const agentSchema = z.object({ id: z.int(), name: z.string() });
const liveSchema = z.object({
  at: z.string(),
  running: z.int().describe("tasks that agents work on"),
  waiting: z.int().describe("open prompts with two answers or more that can be judged"),
  judging: z.int().describe("battles that a judge has before them"),
  votes: z.int().describe("since the beginning"),
  votes_last_hour: z.int().describe("at most 1000"),
  agents: z.array(agentSchema).describe("who took work in the last minutes"),
  latest: z.array(
    z.object({
      number: z.int(),
      a: agentSchema,
      b: agentSchema,
      choice: z.enum(["a", "b", "tie", "both_bad"]),
      category: z.string(),
      judge: z.enum(["account", "check", "anonymous", "model"]),
      battle_id: z.int().nullable().describe("set once its prompt has closed"),
    }),
  ),
});

/** Every open tab asks again after some seconds; one look serves all of them. */
const KEPT_MS = 2_000;

/** What goes on at this moment, for pages that show it live. */
export function addLiveRoutes(instance: FastifyInstance, options: { db: Database; clock: Clock }): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, clock } = options;
  let kept: { at: number; view: Promise<z.infer<typeof liveSchema>> } | undefined;

  app.get(
    "/api/live",
    {
      config: { auth: "public" },
      schema: {
        summary: "What is going on now: who is at work, how many battles wait, the latest results",
        tags: ["ratings"],
        response: { 200: liveSchema },
      },
    },
    async (_request, reply) => {
      reply.header("cache-control", "no-store");
      const now = clock.now();
      if (kept === undefined || now - kept.at >= KEPT_MS || now < kept.at) {
        const look = { at: now, view: load(now) };
        kept = look;
        look.view.catch(() => {
          if (kept === look) kept = undefined;
        });
      }
      return kept.view;
    },
  );

  async function load(now: number) {
    const { counts, agents, latest } = await loadLive(db, now);
    return {
      at: new Date(now).toISOString(),
      running: counts?.running ?? 0,
      waiting: counts?.waiting ?? 0,
      judging: counts?.judging ?? 0,
      votes: counts?.votes ?? 0,
      votes_last_hour: counts?.votes_last_hour ?? 0,
      agents,
      latest: latest.map((vote) => ({
        number: vote.number,
        a: { id: vote.agent_a, name: vote.name_a },
        b: { id: vote.agent_b, name: vote.name_b },
        choice: vote.outcome,
        category: vote.category,
        judge: vote.judge_kind,
        battle_id: vote.battle_id,
      })),
    };
  }
}
