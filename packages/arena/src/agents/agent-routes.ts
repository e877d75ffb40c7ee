import {
  agentCreatedSchema,
  agentCreateSchema,
  agentDetailSchema,
  agentListSchema,
  agentPatchSchema,
  ProblemError,
} from "@agon/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import { hashSecret, type Vault } from "../db/secrets.ts";
import type { Signals } from "../db/signals.ts";
import { pageQuery, pathId, toPage } from "../http/paging.ts";
import type { Clock, Random } from "../ports.ts";
import { changeAgent, replaceSecret } from "./agent-changes.ts";
import {
  type AgentRow,
  countGym,
  countRunning,
  findElo,
  findOwnAgent,
  listAgents,
  updateAgent,
} from "./agent-queries.ts";
import { createAgentSecret, registerAgent } from "./agent-registration.ts";
import { toDetail, toListItem } from "./agent-views.ts";
import { endTurns } from "./push-turns.ts";
import type { StatusContext } from "./status-queries.ts";

export interface AgentRouteOptions {
  db: Database;
  signals: Signals;
  vault: Vault;
  ports: { clock: Clock; random: Random };
  /** URL under which the arena is reached, for the command that it tells owners. */
  publicUrl: () => string;
  startElo: number;
  statusContext: StatusContext;
  /** What calling webhooks needs from the part that does it. */
  push: {
    checkUrl: (url: string) => { ok: true; url: URL } | { ok: false; detail: string };
    /** Resolves to why the endpoint did not answer, undefined when it did. */
    ping: (agentId: number) => Promise<string | undefined>;
  };
}

export const agentParams = z.object({ agent_id: pathId });
const secretSchema = z.object({
  id: z.int(),
  webhook_secret: z.string(),
  running_tasks: z.int(),
  message: z.string(),
});

/** An owner's agents: registering, looking, changing, rotating the secret, ending. */
export function addAgentRoutes(instance: FastifyInstance, options: AgentRouteOptions): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, signals, vault, ports, startElo } = options;

  app.post(
    "/api/agents",
    {
      config: { auth: "account", dialect: "tesserax" },
      schema: {
        summary: "Register an agent; its secret is shown this once",
        tags: ["agents"],
        body: agentCreateSchema,
        response: { 201: agentCreatedSchema },
      },
    },
    async (request, reply) => {
      const { mode, dialect, name } = request.body;
      const url = request.body.webhook_url === undefined ? undefined : requireUrl(request.body.webhook_url);
      const body = url === undefined ? request.body : { ...request.body, webhook_url: url };
      const { id, secret } = await db.transaction((tx) =>
        registerAgent(tx, { ports, vault }, request.caller.accountId, body),
      );
      const isSigned = dialect === "edgearena-v1";
      const pingError = mode === "push" && !isSigned ? await pingNow(id) : undefined;
      return reply.code(201).send({
        id,
        name,
        mode,
        dialect,
        active: pingError === undefined && !isSigned,
        ...(isSigned ? { status: "PENDING" } : {}),
        ping_error: pingError ?? null,
        webhook_secret: secret,
        profile_url: `/agents/${id}`,
        ...(mode === "push"
          ? {}
          : {
              run_command: `agon run --base-url ${options.publicUrl()} --agent ${id} --secret ${secret} -- YOUR-COMMAND`,
            }),
      });
    },
  );

  app.get(
    "/api/agents",
    {
      config: { auth: "account", dialect: "tesserax" },
      schema: {
        summary: "Your agents",
        tags: ["agents"],
        querystring: pageQuery(100),
        response: { 200: agentListSchema },
      },
    },
    async (request) => {
      const { total, rows } = await listAgents(db, request.caller.accountId, request.query);
      const items = rows.map((row) => toListItem(row.agent, row.elo ?? startElo));
      return toPage(request.query, total, items);
    },
  );

  app.get(
    "/api/agents/:agent_id",
    {
      config: { auth: "owner", dialect: "tesserax" },
      schema: {
        summary: "One of your agents",
        tags: ["agents"],
        params: agentParams,
        response: { 200: agentDetailSchema },
      },
    },
    async (request) => describe(await requireOwnAgent(db, request)),
  );

  app.patch(
    "/api/agents/:agent_id",
    {
      config: { auth: "owner", dialect: "tesserax" },
      schema: {
        summary: "Change an agent",
        tags: ["agents"],
        params: agentParams,
        body: agentPatchSchema,
        response: { 200: agentDetailSchema },
      },
    },
    async (request) => {
      const agent = await requireLivingAgent(db, request);
      if (request.body.webhook_url !== undefined && agent.transport === "pull") {
        const detail = "a pull agent is never called, so it has no URL";
        throw new ProblemError("unprocessable", detail, { errors: [{ field: "webhook_url", detail }] });
      }
      const url = request.body.webhook_url === undefined ? undefined : requireUrl(request.body.webhook_url);
      await changeAgent(db, options.statusContext, ports.clock.now(), agent, { ...request.body, webhook_url: url });
      if (url !== undefined && url !== agent.url && agent.status === null) await pingNow(agent.id);
      // More room, or an end to the pause, may be what a parked poll waits for.
      signals.publish("agent", agent.id);
      return describe(await requireOwnAgent(db, request));
    },
  );

  app.post(
    "/api/agents/:agent_id/regenerate-secret",
    {
      config: { auth: "owner", dialect: "tesserax" },
      schema: {
        summary: "Replace the secret; the old one is dead at once",
        tags: ["agents"],
        params: agentParams,
        response: { 200: secretSchema },
      },
    },
    async (request) => {
      const agent = await requireLivingAgent(db, request);
      const secret = createAgentSecret(agent.dialect, ports.random);
      const change = { secretSealed: vault.seal(secret), secretHash: hashSecret(secret) };
      await replaceSecret(db, options.statusContext, ports.clock.now(), agent.id, change);
      signals.publish("agent", agent.id);
      const running = await countRunning(db, agent.id);
      return {
        id: agent.id,
        webhook_secret: secret,
        running_tasks: running,
        message: `The old secret no longer works. ${running} running ${running === 1 ? "task" : "tasks"} can be answered with the new one.`,
      };
    },
  );

  app.post(
    "/api/agents/:agent_id/retest",
    {
      config: { auth: "owner", dialect: "tesserax" },
      schema: {
        summary: "Ping the webhook again",
        tags: ["agents"],
        params: agentParams,
        response: { 200: agentDetailSchema },
      },
    },
    async (request) => {
      const agent = await requireLivingAgent(db, request);
      if (agent.transport === "pull") {
        throw new ProblemError("conflict", "a pull agent is never called, so there is nothing to ping");
      }
      if (agent.status !== null) {
        throw new ProblemError("conflict", "an edgearena-v1 agent is not pinged this way; call activate, or verify");
      }
      await options.push.ping(agent.id);
      signals.publish("push");
      return describe(await requireOwnAgent(db, request));
    },
  );

  app.post(
    "/api/agents/:agent_id/deactivate",
    {
      config: { auth: "owner", dialect: "tesserax" },
      schema: {
        summary: "End an agent for good",
        tags: ["agents"],
        params: agentParams,
        response: { 200: agentDetailSchema },
      },
    },
    async (request) => {
      const agent = await requireOwnAgent(db, request);
      if (agent.deactivatedAt === null) {
        await updateAgent(db, agent.id, { deactivatedAt: new Date(ports.clock.now()) });
        await endTurns(db, agent.id);
        signals.publish("agent", agent.id);
      }
      return describe(await requireOwnAgent(db, request));
    },
  );

  /** The URL as it will be called; a refusal of the guard is the field's fault. */
  function requireUrl(text: string): string {
    const checked = options.push.checkUrl(text);
    if (checked.ok) return checked.url.href;
    throw new ProblemError("unprocessable", `webhook_url: ${checked.detail}`, {
      errors: [{ field: "webhook_url", detail: checked.detail }],
    });
  }

  /** A registration or a change is not lost because the ping may not be made now: the owner can retest. */
  async function pingNow(agentId: number): Promise<string | undefined> {
    let failure: string | undefined;
    try {
      failure = await options.push.ping(agentId);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      failure = `The endpoint was not pinged: ${error.detail}. Retest later.`;
      await updateAgent(db, agentId, { pingError: failure });
    }
    signals.publish("push");
    return failure;
  }

  async function describe(agent: AgentRow) {
    return toDetail(agent, (await findElo(db, agent.id)) ?? startElo, await countGym(db, agent.id));
  }
}

type OwnerRequest = Pick<FastifyRequest, "caller"> & { params: { agent_id: number } };

/** @throws ProblemError `agent_not_found` when there is none or it is another's */
export async function requireOwnAgent(db: Database, request: OwnerRequest): Promise<AgentRow> {
  const agent = await findOwnAgent(db, request.params.agent_id, request.caller.accountId);
  if (agent === undefined) {
    throw new ProblemError("agent_not_found", `you have no agent with the id ${request.params.agent_id}`);
  }
  return agent;
}

/** @throws ProblemError `conflict` when it was deactivated */
export async function requireLivingAgent(db: Database, request: OwnerRequest): Promise<AgentRow> {
  const agent = await requireOwnAgent(db, request);
  if (agent.deactivatedAt === null) return agent;
  throw new ProblemError("conflict", "this agent was deactivated for good and cannot be changed");
}
