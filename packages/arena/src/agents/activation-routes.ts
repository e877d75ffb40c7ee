import { ProblemError } from "@agon/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import { type EventStreams, wantsEvents } from "../http/event-streams.ts";
import type { Activations } from "./activation.ts";
import { findActivation } from "./activation-queries.ts";
import { activationSchema, toActivationView } from "./activation-views.ts";
import { type AgentRow, findAgent } from "./agent-queries.ts";
import { agentParams, requireLivingAgent, requireOwnAgent } from "./agent-routes.ts";

const WAIT_MAX_SECONDS = 50;
/** A listener on another node than the one at work sees its steps this much later. */
const LOOK_MS = 1_000;

/** Bringing an edgearena-v1 agent to ACTIVE, and watching that. */
export function addActivationRoutes(
  instance: FastifyInstance,
  options: { db: Database; activations: Activations; events: EventStreams },
): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, activations, events } = options;
  // Whoever waits for an activation would hold the server open until then; the caller is told how far it came.
  app.addHook("preClose", async () => void activations.stop());

  app.post(
    "/api/agents/:agent_id/activate",
    {
      config: { auth: "owner" },
      schema: {
        summary: "Try everything that an edgearena-v1 agent has to do; when all of it passes, it is ACTIVE",
        tags: ["edgearena"],
        params: agentParams,
        querystring: z.object({
          wait: z.coerce
            .number()
            .min(0)
            .transform((seconds) => Math.min(seconds, WAIT_MAX_SECONDS))
            .default(WAIT_MAX_SECONDS)
            .describe("seconds to wait for the end, 50 at the most; 202 when it goes on"),
        }),
        response: { 200: activationSchema, 202: activationSchema },
      },
    },
    async (request, reply) => {
      const agent = await requireSignedAgent(db, request);
      if (agent.roles.length === 0) throw new ProblemError("conflict", "this agent has no role; PATCH its roles first");
      const row = await activations.activate(agent, request.query.wait * 1000);
      const now = (await findAgent(db, agent.id)) ?? agent;
      return reply.code(row.state === "running" ? 202 : 200).send(toActivationView(now, row));
    },
  );

  app.get(
    "/api/agents/:agent_id/activation",
    {
      config: { auth: "owner" },
      schema: {
        summary: "The steps of the latest activation so far; also as server-sent events",
        tags: ["edgearena"],
        params: agentParams,
        response: { 200: activationSchema },
      },
    },
    async (request, reply) => {
      const agent = await requireOwnAgent(db, request);
      if (!wantsEvents(request)) return toActivationView(agent, await findActivation(db, agent.id));
      let shown = "";
      const show = async () => {
        const view = toActivationView((await findAgent(db, agent.id)) ?? agent, await findActivation(db, agent.id));
        const text = JSON.stringify(view);
        if (text === shown) return;
        shown = text;
        stream.send("activation", view);
      };
      // One after the other: of two looks at once the older could be sent last.
      let looking = Promise.resolve();
      const look = () => {
        looking = looking.then(show).catch((error) => request.log.warn({ err: error }, "an activation was not shown"));
      };
      const timer = setInterval(look, LOOK_MS);
      const stopListening = activations.onStep(agent.id, look);
      const stream = events.open(request, reply, () => {
        clearInterval(timer);
        stopListening();
      });
      look();
      return reply;
    },
  );
}

type OwnerRequest = Pick<FastifyRequest, "caller"> & { params: { agent_id: number } };

/** @throws ProblemError `conflict` for an agent of another dialect, or one that was deactivated */
export async function requireSignedAgent(db: Database, request: OwnerRequest): Promise<AgentRow & { url: string }> {
  const agent = await requireLivingAgent(db, request);
  if (agent.status !== null && agent.url !== null) return { ...agent, url: agent.url };
  const instead = agent.transport === "push" ? "use retest instead" : "a pull agent is never called";
  throw new ProblemError("conflict", `this agent does not speak edgearena-v1; ${instead}`);
}
