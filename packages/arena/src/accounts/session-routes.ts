import { ProblemError } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import { hashSecret } from "../db/secrets.ts";
import { OPERATOR_COOKIE, readOperatorCookie, readSessionCookie, SESSION_COOKIE } from "../http/cookies.ts";
import { isOperatorKey } from "../http/operator-key.ts";
import { requireSameOrigin } from "../http/same-origin.ts";
import type { Clock, Random } from "../ports.ts";
import {
  deleteOperatorSession,
  deleteSession,
  findKey,
  findOperatorSession,
  findSession,
  insertOperatorSession,
  insertSession,
} from "./session-queries.ts";

const TOKEN_BYTES = 32;
const SESSION_SECONDS = 30 * 86_400;
/** A working day: whoever finds the browser open a week later is not the operator. */
const OPERATOR_SECONDS = 12 * 3_600;

const sessionSchema = z.object({
  account: z
    .object({ id: z.int(), username: z.string(), display_name: z.string().nullable() })
    .nullable()
    .describe("null for a visitor who is not signed in"),
  key_id: z.int().nullable().describe("the key that the session was begun with, and ends with"),
  expires_at: z.string().nullable(),
  operator: z
    .object({ expires_at: z.string() })
    .nullable()
    .describe("set when this browser has the operator's session, beside an account's or alone"),
});
const signInSchema = z.object({
  api_key: z.string("must be an api_key, as registration returned it").min(1).max(1_000).describe("or the operator's"),
  as: z.literal("operator").optional().describe("take the operator's key only"),
});

export interface SessionRouteOptions {
  db: Database;
  ports: { clock: Clock; random: Random };
  publicUrl: string | undefined;
  adminKey: string | undefined;
}

/**
 * Signing in with a key. The cookie holds no key, is read by no script, and ends when its key is removed. The operator's
 * key opens a session of its own, whose cookie goes along only from the arena's own pages: a link on another site shall
 * not open the desk, and what an operator may do is worth more than a judge's vote.
 */
export function addSessionRoutes(instance: FastifyInstance, options: SessionRouteOptions): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, ports, publicUrl, adminKey } = options;
  const secure = publicUrl?.startsWith("https:") === true ? "; Secure" : "";
  const cookie = (value: string, seconds: number) =>
    `${SESSION_COOKIE}=${value}; Path=/api; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
  const operatorCookie = (value: string, seconds: number) =>
    `${OPERATOR_COOKIE}=${value}; Path=/api; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  const newToken = () => Buffer.from(ports.random.bytes(TOKEN_BYTES)).toString("base64url");

  app.get(
    "/api/session",
    {
      config: { auth: "public" },
      schema: {
        summary: "Who this browser is signed in as",
        description: "Never refused, so that a page can ask without causing an error.",
        tags: ["accounts"],
        response: { 200: sessionSchema },
      },
    },
    async (request, reply) => {
      reply.header("cache-control", "no-store");
      return { ...(await accountOf(request.headers.cookie)), operator: await operatorOf(request.headers.cookie) };
    },
  );

  app.post(
    "/api/session",
    {
      config: { auth: "public" },
      schema: {
        summary: "Sign in with an api_key or with the operator's key; sets the session cookie of either",
        tags: ["accounts"],
        body: signInSchema,
        response: { 201: sessionSchema },
      },
    },
    async (request, reply) => {
      // Else another site could sign a visitor in as somebody else, and read what they do there.
      requireSameOrigin(request, publicUrl, { even: "without a cookie" });
      const given = request.body.api_key.trim();
      const now = ports.clock.now();
      const token = newToken();
      reply.code(201).header("cache-control", "no-store");
      if (isOperatorKey(given, adminKey)) {
        const expiresAt = new Date(now + OPERATOR_SECONDS * 1000);
        const begun = { tokenHash: hashSecret(token), keyHash: hashSecret(given), now: new Date(now), expiresAt };
        await insertOperatorSession(db, begun);
        reply.header("set-cookie", operatorCookie(token, OPERATOR_SECONDS));
        return { ...(await accountOf(request.headers.cookie)), operator: { expires_at: expiresAt.toISOString() } };
      }
      if (request.body.as === "operator") throw refuseKey(notOperator(adminKey));
      const key = await findKey(db, hashSecret(given));
      if (key === undefined) throw refuseKey("no account has this api_key");
      if (key.bannedAt !== null) throw new ProblemError("account_banned", "the operator has banned this account");
      const session = {
        tokenHash: hashSecret(token),
        keyId: key.keyId,
        accountId: key.accountId,
        now: new Date(now),
        expiresAt: new Date(now + SESSION_SECONDS * 1000),
      };
      await db.transaction((tx) => insertSession(tx, session));
      const found = await findSession(db, session.tokenHash, session.now);
      if (found === undefined) throw new ProblemError("unauthorized", "this key was removed at this moment");
      reply.header("set-cookie", cookie(token, SESSION_SECONDS));
      return { ...toWire(found), operator: await operatorOf(request.headers.cookie) };
    },
  );

  app.delete(
    "/api/session",
    {
      config: { auth: "public" },
      schema: {
        summary: "Sign out, of the account and of the operator's desk alike",
        tags: ["accounts"],
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      requireSameOrigin(request, publicUrl);
      const token = readSessionCookie(request.headers.cookie);
      if (token !== undefined) await deleteSession(db, hashSecret(token));
      reply.header("set-cookie", cookie("", 0));
      const operatorToken = readOperatorCookie(request.headers.cookie);
      if (operatorToken !== undefined) {
        await deleteOperatorSession(db, hashSecret(operatorToken));
        reply.header("set-cookie", operatorCookie("", 0));
      }
      return reply.code(204).send();
    },
  );

  async function accountOf(header: string | undefined) {
    const token = readSessionCookie(header);
    const found =
      token === undefined ? undefined : await findSession(db, hashSecret(token), new Date(ports.clock.now()));
    if (found === undefined || found.bannedAt !== null) return { account: null, key_id: null, expires_at: null };
    return toWire(found);
  }

  async function operatorOf(header: string | undefined) {
    const token = readOperatorCookie(header);
    if (token === undefined || adminKey === undefined) return null;
    const now = new Date(ports.clock.now());
    const expiresAt = await findOperatorSession(db, hashSecret(token), hashSecret(adminKey), now);
    return expiresAt === undefined ? null : { expires_at: expiresAt.toISOString() };
  }
}

function notOperator(adminKey: string | undefined): string {
  return adminKey === undefined
    ? "this arena has no operator's key; start it with AGON_ADMIN_KEY to set one"
    : "this is not the operator's key";
}

function refuseKey(detail: string): ProblemError {
  return new ProblemError("unauthorized", detail, {
    errors: [{ field: "api_key", detail }],
    headers: { "www-authenticate": "Bearer" },
  });
}

function toWire(found: NonNullable<Awaited<ReturnType<typeof findSession>>>) {
  return {
    account: { id: found.accountId, username: found.username, display_name: found.displayName },
    key_id: found.keyId,
    expires_at: found.expiresAt.toISOString(),
  };
}
