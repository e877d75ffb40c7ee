import { eligibilitySchema } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { countGym } from "../agents/agent-queries.ts";
import { agentParams, requireOwnAgent } from "../agents/agent-routes.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../ports.ts";
import { explainEligibility } from "./eligibility.ts";
import { countTasksSince, hasUnseenPrompt, listOpenTasks } from "./prompt-queries.ts";

const DAY_MS = 86_400_000;

export function addEligibilityRoutes(instance: FastifyInstance, options: { db: Database; clock: Clock }): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, clock } = options;
  app.get(
    "/api/agents/:agent_id/eligibility",
    {
      config: { auth: "owner" },
      schema: {
        summary: "Why your agent gets no work, gate by gate",
        tags: ["agents"],
        params: agentParams,
        response: { 200: eligibilitySchema },
      },
    },
    async (request) => {
      const agent = await requireOwnAgent(db, request);
      const open = await listOpenTasks(db, agent.id);
      const now = clock.now();
      return explainEligibility({
        agent,
        now,
        running: open.filter((task) => task.state === "running"),
        queued: open.filter((task) => task.state === "queued").length,
        gym: await countGym(db, agent.id),
        hasUnseenPrompt: await hasUnseenPrompt(db, agent.id),
        tasksToday: await countTasksSince(db, agent.id, now - DAY_MS),
      });
    },
  );
}
