import { codePoints, ProblemError, pageSchema } from "@agon/protocol";
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
import { agentStatus, isActive } from "./agent-views.ts";
import {
  ACCOUNT_STATES,
  AGENT_STATES,
  type ListedAgent,
  listAllAccounts,
  listAllAgents,
  replaceKeys,
  setBanned,
} from "./operator-queries.ts";
import { resetTurns } from "./push-turns.ts";

export interface OperatorRouteOptions {
  db: Database;
  signals: Signals;
  ports: { clock: Clock; random: Random };
  /** What follows from a ban, or from its end, beyond the account itself. */
  afterBan: (accountId: number, banned: boolean) => Promise<void>;
}

const stateSchema = z.object({ id: z.int(), name: z.string(), status: z.string() });
const agentSchema = z.object({
  ...stateSchema.shape,
  mode: z.enum(["push", "pull", "house"]),
  dialect: z.string(),
  roles: z.array(z.string()),
  active: z.boolean(),
  account_id: z.int(),
  username: z.string().describe("of the account that owns it"),
  elo: z.number().nullable().describe("null before the first battle"),
  last_polled_at: z.string().nullable(),
  last_seen_at: z.string().nullable().describe("its last poll, or the end of one of its last tasks with an answer"),
  suspended_at: z.string().nullable(),
  suspended_reason: z.string().nullable(),
  rests_until: z.string().nullable().describe("after failures: no new work before"),
  rests_for: z.string().nullable().describe("the cause of that"),
  ping_error: z.string().nullable(),
  max_concurrent: z.int(),
  max_tasks_per_day: z.int().nullable(),
  created_at: z.string(),
});
const accountSchema = z.object({
  id: z.int(),
  username: z.string(),
  display_name: z.string().nullable(),
  created_at: z.string(),
  banned_at: z.string().nullable(),
  deleted: z.boolean(),
  agents: z.int().describe("those that were not deactivated"),
  keys: z.int(),
  votes: z.int(),
});
const search = z.string().max(200).default("");
const accountParams = z.object({ account_id: pathId });
const keySchema = z.object({ user_id: z.int(), username: z.string(), api_key: z.string() });

/** The operator's view of agents and accounts, and what they may do to them. */
export function addOperatorRoutes(instance: FastifyInstance, options: OperatorRouteOptions): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, signals, ports } = options;
  const admin = { auth: "admin" } as const;
  const tags = ["operator"];

  app.get(
    "/api/admin/agents",
    {
      config: admin,
      schema: {
        summary: "All agents, newest first",
        tags,
        querystring: pageQuery(50).extend({
          search: search.describe("in the agent's name, its owner's, or the agent's id"),
          state: z.enum(AGENT_STATES).optional(),
        }),
        response: { 200: pageSchema(agentSchema) },
      },
    },
    async (request) => {
      const now = ports.clock.now();
      const { total, rows } = await listAllAgents(db, request.query, now);
      return toPage(
        request.query,
        total,
        rows.map((row) => toOperatorItem(row, now)),
      );
    },
  );

  app.post(
    "/api/admin/agents/:agent_id/suspend",
    {
      config: admin,
      schema: {
        summary: "Keep an agent from all work until it is reinstated",
        tags,
        params: agentParams,
        body: z.object({ reason: codePoints(500).optional().describe("shown to its owner") }).nullish(),
        response: { 200: stateSchema },
      },
    },
    (request) =>
      setSuspended(request.params.agent_id, {
        suspendedAt: new Date(ports.clock.now()),
        suspendedReason: request.body?.reason?.trim() || null,
      }),
  );

  app.post(
    "/api/admin/agents/:agent_id/reinstate",
    {
      config: admin,
      schema: { summary: "Lift a suspension", tags, params: agentParams, response: { 200: stateSchema } },
    },
    (request) => setSuspended(request.params.agent_id, { suspendedAt: null, suspendedReason: null }),
  );

  app.get(
    "/api/admin/accounts",
    {
      config: admin,
      schema: {
        summary: "All accounts, newest first",
        tags,
        querystring: pageQuery(50).extend({
          search: search.describe("in the account's names, or its id"),
          state: z.enum(ACCOUNT_STATES).optional(),
        }),
        response: { 200: pageSchema(accountSchema) },
      },
    },
    async (request) => {
      const { total, rows } = await listAllAccounts(db, request.query);
      const items = rows.map((row) => ({
        id: row.id,
        username: row.username,
        display_name: row.displayName,
        created_at: row.createdAt.toISOString(),
        banned_at: row.bannedAt?.toISOString() ?? null,
        deleted: row.deletedAt !== null,
        agents: row.agentCount,
        keys: row.keyCount,
        votes: row.votes,
      }));
      return toPage(request.query, total, items);
    },
  );

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
      const now = ports.clock.now();
      await db.transaction(async (tx) => {
        await setBanned(tx, account.id, banned ? new Date(now) : null);
        await resetTurns(tx, { accountId: account.id }, now);
      });
      await options.afterBan(account.id, banned);
      // Which agents these are is for the polls themselves to find out.
      signals.publish("agent");
      signals.publish("push");
      return { user_id: account.id, username: account.username, banned };
    },
  );

  async function setSuspended(id: number, change: { suspendedAt: Date | null; suspendedReason: string | null }) {
    await updateAgent(db, id, change);
    await resetTurns(db, { agentId: id }, ports.clock.now());
    const agent = await findAgent(db, id);
    if (agent === undefined) throw new ProblemError("agent_not_found", `no agent has the id ${id}`);
    signals.publish("agent", id);
    signals.publish("push");
    return { id, name: agent.name, status: agentStatus(agent) };
  }

  async function requireAccount(id: number) {
    const account = await findAccount(db, id);
    if (account === undefined) throw new ProblemError("not_found", `no account has the id ${id}`);
    return account;
  }
}

function toOperatorItem({ agent, username, elo, answeredAt }: ListedAgent, now: number) {
  const seen = Math.max(answeredAt ?? 0, agent.lastPolledAt?.getTime() ?? 0);
  const rest = [
    { until: agent.slowedUntil, cause: agent.slowedCause },
    { until: agent.cooldownUntil, cause: agent.cooldownCause },
  ]
    .filter((each) => each.until !== null && each.until.getTime() > now)
    .sort((a, b) => Number(b.until) - Number(a.until))[0];
  return {
    id: agent.id,
    name: agent.name,
    status: agentStatus(agent),
    mode: agent.transport,
    dialect: agent.dialect,
    roles: agent.roles,
    active: isActive(agent),
    elo,
    account_id: agent.accountId,
    username,
    last_polled_at: agent.lastPolledAt?.toISOString() ?? null,
    last_seen_at: seen === 0 ? null : new Date(seen).toISOString(),
    suspended_at: agent.suspendedAt?.toISOString() ?? null,
    suspended_reason: agent.suspendedReason,
    rests_until: rest?.until?.toISOString() ?? null,
    rests_for: rest?.cause ?? null,
    max_concurrent: agent.maxConcurrent,
    max_tasks_per_day: agent.maxTasksPerDay,
    ping_error: agent.pingError,
    created_at: agent.createdAt.toISOString(),
  };
}
