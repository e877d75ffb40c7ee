import { ProblemError } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import { hashSecret } from "../db/secrets.ts";
import { readSessionCookie, SESSION_COOKIE } from "../http/cookies.ts";
import { requireSameOrigin } from "../http/same-origin.ts";
import type { Clock, Random } from "../ports.ts";
import { deleteSession, findKey, findSession, insertSession } from "./session-queries.ts";

const TOKEN_BYTES = 32;
const SESSION_SECONDS = 30 * 86_400;

const sessionSchema = z.object({
  account: z
    .object({ id: z.int(), username: z.string(), display_name: z.string().nullable() })
    .nullable()
    .describe("null for a visitor who is not signed in"),
  key_id: z.int().nullable().describe("the key that the session was begun with, and ends with"),
  expires_at: z.string().nullable(),
});
const signInSchema = z.object({ api_key: z.string("must be an api_key, as registration returned it").min(1).max(200) });

export interface SessionRouteOptions {
  db: Database;
  ports: { clock: Clock; random: Random };
  publicUrl: string | undefined;
}

/** Signing in with a key. The cookie holds no key, is read by no script, and ends when its key is removed. */
export function addSessionRoutes(instance: FastifyInstance, options: SessionRouteOptions): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, ports, publicUrl } = options;
  const secure = publicUrl?.startsWith("https:") === true ? "; Secure" : "";
  const cookie = (value: string, seconds: number) =>
    `${SESSION_COOKIE}=${value}; Path=/api; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;

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
      const token = readSessionCookie(request.headers.cookie);
      const found =
        token === undefined ? undefined : await findSession(db, hashSecret(token), new Date(ports.clock.now()));
      if (found === undefined || found.bannedAt !== null) return { account: null, key_id: null, expires_at: null };
      return toWire(found);
    },
  );

  app.post(
    "/api/session",
    {
      config: { auth: "public" },
      schema: {
        summary: "Sign in with an api_key; sets the session cookie",
        tags: ["accounts"],
        body: signInSchema,
        response: { 201: sessionSchema },
      },
    },
    async (request, reply) => {
      // Else another site could sign a visitor in as somebody else, and read what they do there.
      requireSameOrigin(request, publicUrl, { even: "without a cookie" });
      const key = await findKey(db, hashSecret(request.body.api_key.trim()));
      if (key === undefined) {
        throw new ProblemError("unauthorized", "no account has this api_key", {
          errors: [{ field: "api_key", detail: "no account has this api_key" }],
          headers: { "www-authenticate": "Bearer" },
        });
      }
      if (key.bannedAt !== null) throw new ProblemError("account_banned", "the operator has banned this account");
      const token = Buffer.from(ports.random.bytes(TOKEN_BYTES)).toString("base64url");
      const now = ports.clock.now();
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
      return reply
        .code(201)
        .header("set-cookie", cookie(token, SESSION_SECONDS))
        .header("cache-control", "no-store")
        .send(toWire(found));
    },
  );

  app.delete(
    "/api/session",
    {
      config: { auth: "public" },
      schema: { summary: "Sign out", tags: ["accounts"], response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      requireSameOrigin(request, publicUrl);
      const token = readSessionCookie(request.headers.cookie);
      if (token !== undefined) await deleteSession(db, hashSecret(token));
      return reply.code(204).header("set-cookie", cookie("", 0)).send();
    },
  );
}

function toWire(found: NonNullable<Awaited<ReturnType<typeof findSession>>>) {
  return {
    account: { id: found.accountId, username: found.username, display_name: found.displayName },
    key_id: found.keyId,
    expires_at: found.expiresAt.toISOString(),
  };
}
