import { ProblemError } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import type { Clock } from "../ports.ts";
import { requireSignedAgent } from "./activation-routes.ts";
import { pauseOrResume } from "./agent-changes.ts";
import { findAgent } from "./agent-queries.ts";
import { agentParams } from "./agent-routes.ts";
import { listHealthChecks, listHealthHours, listTransitions } from "./health-queries.ts";
import type { ProbeLimits } from "./probe-limits.ts";
import type { StatusContext } from "./status-queries.ts";
import type { Watch } from "./watch.ts";

const text = z.string();
const SHOWN = 50;

const healthSchema = z.object({
  agent_id: z.int(),
  status: text.nullable(),
  since: text.nullable(),
  transitions: z.array(
    z.object({ at: text, from: text.nullable(), to: text, cause: text.optional(), detail: text.optional() }),
  ),
  /** Pings of the last seven days by hour. */
  hours: z.array(z.object({ hour: text, checks: z.int(), failed: z.int() })),
  /** The rest is the owner's. */
  failures_in_row: z.int().optional(),
  next_ping_at: text.nullable().optional(),
  cooldown_until: text.nullable().optional(),
  cooldown_cause: text.nullable().optional(),
  checks: z
    .array(
      z.object({
        kind: text,
        at: text,
        ok: z.boolean(),
        http_status: z.int().nullable(),
        latency_ms: z.int().nullable(),
        detail: text,
      }),
    )
    .optional(),
});

const verifySchema = z.object({
  ok: z.boolean(),
  http_status: z.int().nullable(),
  latency_ms: z.number().nullable(),
  detail: text,
  advice: text.nullable(),
  /** The agent's status after it. */
  status: text.nullable(),
});

/** The status of an edgearena-v1 agent: the owner's probe and switch, and what everybody may see of it. */
export function addStatusRoutes(
  instance: FastifyInstance,
  options: { db: Database; clock: Clock; watch: Watch; probeLimits: ProbeLimits; statusContext: StatusContext },
): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, clock, watch, probeLimits, statusContext } = options;
  const tags = ["edgearena"];

  app.post(
    "/api/agents/:agent_id/verify",
    {
      config: { auth: "owner" },
      schema: {
        summary: "Ask the endpoint once whether it is there; brings a suspended agent back on probation",
        tags,
        params: agentParams,
        response: { 200: verifySchema },
      },
    },
    async (request) => {
      const agent = await requireSignedAgent(db, request);
      const probe = { agentId: agent.id, url: agent.url };
      const { check } = await probeLimits.run(agent.accountId, agent.url, () => watch.verify(probe));
      const now = await findAgent(db, agent.id);
      return {
        ok: check.ok,
        http_status: check.received?.status ?? null,
        latency_ms: check.latencyMs,
        detail: check.detail,
        advice: check.advice,
        status: now?.status ?? null,
      };
    },
  );

  for (const action of ["pause", "resume"] as const) {
    app.post(
      `/api/agents/:agent_id/${action}`,
      {
        config: { auth: "owner" },
        schema: {
          summary: action === "pause" ? "No more tasks and pings until you resume" : "Go on, on probation at first",
          tags,
          params: agentParams,
          response: { 200: healthSchema },
        },
      },
      async (request) => {
        const agent = await requireSignedAgent(db, request);
        const paused = action === "pause";
        await db.transaction((tx) => pauseOrResume(tx, statusContext, clock.now(), agent.id, paused));
        return describe(agent.id, true);
      },
    );
  }

  app.get(
    "/api/agents/:agent_id/health",
    {
      // Everybody, and whoever says that they are somebody has to be: the owner sees more.
      config: { auth: "judge" },
      schema: {
        summary: "An agent's status and its past; causes and checks for its owner",
        tags,
        params: agentParams,
        response: { 200: healthSchema },
      },
    },
    async (request) => {
      const agent = await findAgent(db, request.params.agent_id);
      if (agent === undefined) {
        throw new ProblemError("agent_not_found", `no agent has the id ${request.params.agent_id}`);
      }
      return describe(agent.id, request.caller?.accountId === agent.accountId);
    },
  );

  async function describe(agentId: number, isOwner: boolean): Promise<z.infer<typeof healthSchema>> {
    const agent = await findAgent(db, agentId);
    if (agent === undefined) throw new ProblemError("agent_not_found", `no agent has the id ${agentId}`);
    const transitions = await listTransitions(db, agentId, SHOWN);
    return {
      agent_id: agentId,
      status: agent.status,
      since: agent.statusSince?.toISOString() ?? null,
      transitions: transitions.map(({ at, from, to, cause, detail }) => ({
        at: at.toISOString(),
        from,
        to,
        ...(isOwner ? { cause, detail } : {}),
      })),
      hours: await listHealthHours(db, agentId, clock.now()),
      ...(isOwner
        ? {
            failures_in_row: agent.failuresInRow,
            next_ping_at: agent.nextProbeAt?.toISOString() ?? null,
            cooldown_until: agent.cooldownUntil?.toISOString() ?? null,
            cooldown_cause: agent.cooldownCause,
            checks: (await listHealthChecks(db, agentId, SHOWN)).map((check) => ({
              kind: check.kind,
              at: check.at.toISOString(),
              ok: check.ok,
              http_status: check.httpStatus,
              latency_ms: check.latencyMs,
              detail: check.detail,
            })),
          }
        : {}),
    };
  }
}
