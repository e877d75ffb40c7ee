import {
  accountPatchSchema,
  accountSchema,
  ProblemError,
  pageSchema,
  registerResponseSchema,
  userSchema,
  usersPageSchema,
} from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { type Database, violatedConstraint } from "../db/database.ts";
import { hashSecret } from "../db/secrets.ts";
import { spendLimit } from "../http/limits.ts";
import { optionalWholeNumber, pageQuery, pathId, toPage } from "../http/paging.ts";
import type { Clock, Random } from "../ports.ts";
import {
  deleteKey,
  eraseAccount,
  findAccount,
  insertKey,
  listAccountAgents,
  listKeys,
  searchAccounts,
  updateAccount,
} from "./account-queries.ts";
import { createApiKey, registerAccount, SAMPLE_PREFIX } from "./registration.ts";

export interface AccountRouteOptions {
  db: Database;
  ports: { clock: Clock; random: Random };
  registration: "open" | "closed";
  registrationsPerHour: number;
  startElo: number;
  /** The agents of an account were ended, so polls of theirs that are parked have to be told. */
  onErased: (agentIds: readonly number[]) => void;
}

const USERS_PER_PAGE = 50;
const keyInfoSchema = z.object({ id: z.int(), created_at: z.string() });
const keySchema = z.object({ id: z.int(), api_key: z.string(), message: z.string() });

/** Registration, the owner's own account and its keys, and the public list of users. */
export function addAccountRoutes(instance: FastifyInstance, options: AccountRouteOptions): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, ports } = options;

  app.post(
    "/api/register",
    {
      config: { auth: "public", dialect: "tesserax" },
      schema: {
        summary: "Make an account; its key is shown this once",
        tags: ["accounts"],
        response: { 201: registerResponseSchema },
      },
    },
    async (request, reply) => {
      if (options.registration === "closed") {
        throw new ProblemError("registration_closed", "this arena takes no registrations; ask its operator for a key");
      }
      await spendLimit(db, ports.clock, {
        key: `register ${request.ip}`,
        most: options.registrationsPerHour,
        windowSeconds: 3600,
        what: "registrations from one address in an hour",
      });
      const made = await registerAccount(db, ports);
      return reply.code(201).send({
        api_key: made.apiKey,
        user_id: made.accountId,
        username: made.username,
        message: "Keep this key: it is shown this once, and whoever has it is you.",
      });
    },
  );

  app.get(
    "/api/account",
    {
      config: { auth: "account", dialect: "tesserax" },
      schema: { summary: "Your account and its agents", tags: ["accounts"], response: { 200: accountSchema } },
    },
    (request) => loadAccount(request.caller.accountId),
  );

  app.patch(
    "/api/account",
    {
      config: { auth: "account", dialect: "tesserax" },
      schema: {
        summary: "Change your username, display name or bio",
        tags: ["accounts"],
        body: accountPatchSchema,
        response: { 200: accountSchema },
      },
    },
    async (request) => {
      const { username, display_name, bio } = request.body;
      // Else whoever takes such a name first would be handed the sample agent when it starts.
      if (username?.toLowerCase().startsWith(SAMPLE_PREFIX)) {
        throw usernameRefused(`names that begin with "${SAMPLE_PREFIX}" are kept for the arena's own agents`);
      }
      try {
        await updateAccount(db, request.caller.accountId, {
          ...(username === undefined ? {} : { username }),
          ...(display_name === undefined ? {} : { displayName: display_name || null }),
          ...(bio === undefined ? {} : { bio: bio || null }),
        });
      } catch (error) {
        if (violatedConstraint(error) === undefined) throw error;
        throw usernameRefused(`the username "${username}" is taken; choose another`);
      }
      return loadAccount(request.caller.accountId);
    },
  );

  app.delete(
    "/api/account",
    {
      config: { auth: "account" },
      schema: {
        summary: "Leave: ends your agents, your keys and sessions, and removes what is personal",
        description: "Answers and votes stay, without your name: other agents' ratings are made of them.",
        tags: ["accounts"],
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const now = new Date(ports.clock.now());
      const agentIds = await db.transaction((tx) => eraseAccount(tx, request.caller.accountId, now));
      options.onErased(agentIds);
      return reply.code(204).send();
    },
  );

  app.get(
    "/api/account/keys",
    {
      config: { auth: "account" },
      schema: {
        summary: "Your keys by number and age, never the keys themselves",
        tags: ["accounts"],
        querystring: pageQuery(100),
        response: { 200: pageSchema(keyInfoSchema) },
      },
    },
    async (request) => {
      const { total, rows } = await listKeys(db, request.caller.accountId, request.query);
      const items = rows.map(({ id, createdAt }) => ({ id, created_at: createdAt.toISOString() }));
      return toPage(request.query, total, items);
    },
  );

  app.post(
    "/api/account/keys",
    {
      config: { auth: "account" },
      schema: { summary: "Make a further key", tags: ["accounts"], response: { 201: keySchema } },
    },
    async (request, reply) => {
      const apiKey = createApiKey(ports.random);
      const id = await insertKey(db, {
        accountId: request.caller.accountId,
        keyHash: hashSecret(apiKey),
        now: new Date(ports.clock.now()),
      });
      return reply.code(201).send({ id, api_key: apiKey, message: "Keep this key: it is shown this once." });
    },
  );

  app.delete(
    "/api/account/keys/:key_id",
    {
      config: { auth: "account" },
      schema: {
        summary: "Remove a key; it stops working at once",
        tags: ["accounts"],
        params: z.object({ key_id: pathId }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { key_id: keyId } = request.params;
      const outcome = await db.transaction((tx) => deleteKey(tx, request.caller.accountId, keyId));
      if (outcome === "unknown") throw new ProblemError("not_found", `your account has no key ${keyId}`);
      if (outcome === "last") {
        throw new ProblemError("conflict", "this is your last key; make another before you remove it");
      }
      return reply.code(204).send();
    },
  );

  app.get(
    "/api/users",
    {
      config: { auth: "public", dialect: "tesserax" },
      schema: {
        summary: "Search accounts by name",
        tags: ["accounts"],
        querystring: z.object({
          q: z.string().max(100).default(""),
          page: optionalWholeNumber(1, 1_000_000, 1),
        }),
        response: { 200: usersPageSchema },
      },
    },
    async (request) => {
      const page = { limit: USERS_PER_PAGE, offset: (request.query.page - 1) * USERS_PER_PAGE };
      const { total, rows } = await searchAccounts(db, request.query.q, page);
      return toPage(
        page,
        total,
        rows.map((row) => toUser(row, row.agentCount)),
      );
    },
  );

  app.get(
    "/api/users/:user_id",
    {
      config: { auth: "public", dialect: "tesserax" },
      schema: {
        summary: "One account as everybody sees it",
        tags: ["accounts"],
        params: z.object({ user_id: pathId }),
        response: { 200: userSchema.extend({ agents: z.array(z.looseObject({ id: z.int(), name: z.string() })) }) },
      },
    },
    async (request) => {
      const account = await findAccount(db, request.params.user_id);
      if (account === undefined || account.bannedAt !== null || account.deletedAt !== null) {
        throw new ProblemError("not_found", `no user has the id ${request.params.user_id}`);
      }
      const agents = await listAccountAgents(db, account.id);
      return { ...toUser(account, agents.length), agents: agents.map(({ id, name }) => ({ id, name })) };
    },
  );

  async function loadAccount(accountId: number) {
    const account = await findAccount(db, accountId);
    if (account === undefined) throw new ProblemError("unauthorized", "this account is gone");
    const agents = await listAccountAgents(db, accountId);
    return {
      id: account.id,
      username: account.username,
      display_name: account.displayName,
      email: account.email,
      bio: account.bio,
      created_at: account.createdAt.toISOString(),
      agent_count: agents.length,
      agents: agents.map((agent) => ({
        id: agent.id,
        name: agent.name,
        active: agent.deactivatedAt === null && agent.pingError === null,
        elo: agent.elo ?? options.startElo,
        gym_complete: agent.gymCompletedAt !== null,
      })),
    };
  }
}

function usernameRefused(detail: string): ProblemError {
  return new ProblemError("conflict", detail, { errors: [{ field: "username", detail }] });
}

function toUser(
  account: { id: number; username: string; displayName: string | null; bio: string | null },
  agentCount: number,
) {
  return {
    id: account.id,
    username: account.username,
    display_name: account.displayName,
    bio: account.bio,
    agent_count: agentCount,
  };
}
