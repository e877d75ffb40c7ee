import { ProblemError, pageSchema } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { findAccount } from "../accounts/account-queries.ts";
import { createApiKey, registerAccount } from "../accounts/registration.ts";
import { type Database, violatedConstraint } from "../db/database.ts";
import { hashSecret } from "../db/secrets.ts";
import type { Signals } from "../db/signals.ts";
import { pageQuery, pathId, toPage } from "../http/paging.ts";
import type { Clock, Random } from "../ports.ts";
import { findAgent, updateAgent } from "./agent-queries.ts";
import { agentParams } from "./agent-routes.ts";
import { agentStatus, toListItem } from "./agent-views.ts";
import { listAllAgents, loadOverview, replaceKeys, setBanned } from "./operator-queries.ts";

export interface OperatorRouteOptions {
  db: Database;
  signals: Signals;
  ports: { clock: Clock; random: Random };
  startElo: number;
  /** Prompts of the pool by where they are in their life. */
  countPool: () => Promise<Record<string, number>>;
  /** Answers about which something could not be found out. */
  countUnknown: () => Promise<number>;
  /** What follows from a ban, or from its end, beyond the account itself. */
  afterBan: (accountId: number, banned: boolean) => Promise<void>;
}

const agentSchema = z.looseObject({ id: z.int(), name: z.string(), status: z.string() });
const accountParams = z.object({ account_id: pathId });
const keySchema = z.object({ user_id: z.int(), username: z.string(), api_key: z.string() });

/** The operator's view of agents and accounts, and what they may do to them. */
export function addOperatorRoutes(instance: FastifyInstance, options: OperatorRouteOptions): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, signals, ports } = options;
  const admin = { auth: "admin" } as const;
  const tags = ["operator"];

  app.get(
    "/api/admin/overview",
    { config: admin, schema: { summary: "How the arena is doing", tags, response: { 200: z.looseObject({}) } } },
    async () => ({
      ...(await loadOverview(db, ports.clock.now())),
      prompts: await options.countPool(),
      unknown_gates: await options.countUnknown(),
    }),
  );

  app.get(
    "/api/admin/agents",
    {
      config: admin,
      schema: {
        summary: "All agents",
        tags,
        querystring: pageQuery(50),
        response: { 200: pageSchema(agentSchema) },
      },
    },
    async (request) => {
      const { total, rows } = await listAllAgents(db, request.query);
      const items = rows.map(({ agent, username }) => ({
        ...toListItem(agent, options.startElo),
        status: agentStatus(agent),
        username,
        last_polled_at: agent.lastPolledAt?.toISOString() ?? null,
      }));
      return toPage(request.query, total, items);
    },
  );

  for (const [verb, summary] of [
    ["suspend", "Keep an agent from all work until it is reinstated"],
    ["reinstate", "Lift a suspension"],
  ] as const) {
    app.post(
      `/api/admin/agents/:agent_id/${verb}`,
      { config: admin, schema: { summary, tags, params: agentParams, response: { 200: agentSchema } } },
      async (request) => {
        const { agent_id: id } = request.params;
        if ((await findAgent(db, id)) === undefined) {
          throw new ProblemError("agent_not_found", `no agent has the id ${id}`);
        }
        await updateAgent(db, id, { suspendedAt: verb === "suspend" ? new Date(ports.clock.now()) : null });
        signals.publish("agent", id);
        signals.publish("push");
        const agent = await findAgent(db, id);
        if (agent === undefined) throw new ProblemError("agent_not_found", `no agent has the id ${id}`);
        return { id, name: agent.name, status: agentStatus(agent) };
      },
    );
  }

  app.post(
    "/api/admin/accounts",
    {
      config: admin,
      schema: {
        summary: "Make an account, also where registration is closed",
        tags,
        body: z.object({ username: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,39}$/) }),
        response: { 201: keySchema },
      },
    },
    async (request, reply) => {
      const { username } = request.body;
      try {
        const made = await registerAccount(db, ports, username);
        return reply.code(201).send({ user_id: made.accountId, username, api_key: made.apiKey });
      } catch (error) {
        if (violatedConstraint(error) === undefined) throw error;
        throw new ProblemError("conflict", `the username "${username}" is taken; choose another`, {
          errors: [{ field: "username", detail: "is taken" }],
        });
      }
    },
  );

  app.post(
    "/api/admin/accounts/:account_id/reset-key",
    {
      config: admin,
      schema: {
        summary: "Replace all keys of an account by a new one",
        tags,
        params: accountParams,
        response: { 200: keySchema },
      },
    },
    async (request) => {
      const account = await requireAccount(request.params.account_id);
      const apiKey = createApiKey(ports.random);
      const now = new Date(ports.clock.now());
      await db.transaction((tx) => replaceKeys(tx, account.id, hashSecret(apiKey), now));
      return { user_id: account.id, username: account.username, api_key: apiKey };
    },
  );

  app.post(
    "/api/admin/accounts/:account_id/ban",
    {
      config: admin,
      schema: {
        summary: "Ban an account with its agents, or lift that",
        tags,
        params: accountParams,
        body: z.object({ banned: z.boolean() }).nullish(),
        response: { 200: z.object({ user_id: z.int(), username: z.string(), banned: z.boolean() }) },
      },
    },
    async (request) => {
      const account = await requireAccount(request.params.account_id);
      const banned = request.body?.banned ?? true;
      await db.transaction((tx) => setBanned(tx, account.id, banned ? new Date(ports.clock.now()) : null));
      await options.afterBan(account.id, banned);
      // Which agents these are is for the polls themselves to find out.
      signals.publish("agent");
      return { user_id: account.id, username: account.username, banned };
    },
  );

  async function requireAccount(id: number) {
    const account = await findAccount(db, id);
    if (account === undefined) throw new ProblemError("not_found", `no account has the id ${id}`);
    return account;
  }
}
