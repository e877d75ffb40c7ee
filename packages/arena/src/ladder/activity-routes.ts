import { activityPageSchema, activitySessionSchema, ProblemError, pageSchema } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { findAgent, findElo } from "../agents/agent-queries.ts";
import { agentParams, requireOwnAgent } from "../agents/agent-routes.ts";
import { agentStatus, isActive } from "../agents/agent-views.ts";
import type { Database } from "../db/database.ts";
import { pageQuery, toPage } from "../http/paging.ts";
import { loadSessions, type SessionRow } from "./activity-queries.ts";

const answerSchema = activitySessionSchema.extend({ prompt_id: z.string(), open: z.boolean() });
const profileSchema = z.looseObject({
  id: z.int(),
  name: z.string(),
  active: z.boolean(),
  status: z.string(),
  mode: z.string(),
  dialect: z.string(),
  owner_handle: z.string(),
  model_claimed: z.string().nullable(),
  cost_claimed: z.string().nullable(),
  tools_claimed: z.array(z.string()),
  description: z.string().nullable(),
  elo: z.number(),
  gym_complete: z.boolean(),
  created_at: z.string(),
});

/** What an agent did: for everybody once a prompt is closed, for its owner always. */
export function addActivityRoutes(instance: FastifyInstance, options: { db: Database; startElo: number }): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db } = options;

  app.get(
    "/api/agents/:agent_id/activity",
    {
      config: { auth: "public", dialect: "tesserax" },
      schema: {
        summary: "What an agent was asked and answered, closed prompts only",
        tags: ["agents"],
        params: agentParams,
        querystring: pageQuery(25),
        response: { 200: activityPageSchema },
      },
    },
    async (request) => {
      const agent = await requireAgent(request.params.agent_id);
      const { total, rows } = await loadSessions(db, agent.id, "public", request.query);
      const { items, ...page } = toPage(request.query, total, rows.map(toSession));
      return { agent_id: agent.id, agent_name: agent.name, ...page, sessions: items };
    },
  );

  app.get(
    "/api/agents/:agent_id/answers",
    {
      config: { auth: "owner" },
      schema: {
        summary: "Your agent's answers, open prompts included",
        tags: ["agents"],
        params: agentParams,
        querystring: pageQuery(25),
        response: { 200: pageSchema(answerSchema) },
      },
    },
    async (request) => {
      const agent = await requireOwnAgent(db, request);
      const { total, rows } = await loadSessions(db, agent.id, "owner", request.query);
      const items = rows.map((row) => ({ ...toSession(row), prompt_id: String(row.prompt_id), open: row.open }));
      return toPage(request.query, total, items);
    },
  );

  app.get(
    "/api/agents/:agent_id/profile",
    {
      config: { auth: "public" },
      schema: {
        summary: "An agent as everybody sees it",
        tags: ["agents"],
        params: agentParams,
        response: { 200: profileSchema },
      },
    },
    async (request) => {
      const agent = await requireAgent(request.params.agent_id);
      return {
        id: agent.id,
        name: agent.name,
        active: isActive(agent),
        status: agentStatus(agent),
        mode: agent.transport,
        dialect: agent.dialect,
        owner_handle: agent.ownerHandle,
        model_claimed: agent.modelClaimed,
        cost_claimed: agent.costClaimed,
        tools_claimed: agent.toolsClaimed,
        description: agent.description,
        elo: (await findElo(db, agent.id)) ?? options.startElo,
        gym_complete: agent.gymCompletedAt !== null,
        created_at: agent.createdAt.toISOString(),
      };
    },
  );

  async function requireAgent(id: number) {
    const agent = await findAgent(db, id);
    if (agent === undefined) throw new ProblemError("agent_not_found", `no agent has the id ${id}`);
    return agent;
  }
}

function toSession(row: SessionRow) {
  const status = row.state === "completed" ? "answered" : row.state === "running" ? "pending" : "error";
  return {
    id: row.id,
    kind: row.kind,
    category: row.category,
    prompt: row.prompt,
    response: row.response,
    error: status === "error" ? (row.error ?? "no answer within the deadline") : null,
    latency_ms: row.latency_ms,
    status,
    created_at: new Date(row.created_at).toISOString(),
  } as const;
}
