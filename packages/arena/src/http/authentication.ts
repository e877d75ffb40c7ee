import { ProblemError } from "@agon/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { readOperatorCookie, readSessionCookie } from "./cookies.ts";
import { isOperatorKey } from "./operator-key.ts";
import type { Caller, RouteAuth } from "./route-config.ts";
import { requireSameOrigin } from "./same-origin.ts";

export interface AuthenticationOptions {
  /** Finds the account of an API key. */
  findCaller: (apiKey: string) => Promise<(Caller & { banned: boolean }) | undefined>;
  /** Finds the account of a session. */
  findSession: (token: string) => Promise<(Caller & { banned: boolean }) | undefined>;
  adminKey: string | undefined;
  /** Whether a session was begun with the operator's present key, and has not ended. */
  isOperatorSession: (token: string) => Promise<boolean>;
  /** URL whose pages may call with a cookie, beside those of the host that a request names. */
  publicUrl?: string | undefined;
}

/**
 * Every route says who may call it; one that does not keeps the arena from starting. The check runs before the body is
 * read, so a stranger's megabyte is not parsed.
 */
export function addAuthentication(app: FastifyInstance, options: AuthenticationOptions): void {
  app.addHook("onRoute", (route) => {
    if (route.config?.auth === undefined) throw new Error(`${route.method} ${route.url} does not say who may call it`);
  });
  app.decorateRequest("caller", null as unknown as Caller);
  app.addHook("onRequest", async (request) => {
    const auth = request.routeOptions.config.auth as RouteAuth | undefined;
    if (auth === "account" || auth === "owner") request.caller = await requireAccount(request, options);
    if (request.routeOptions.config.knowsCaller) {
      const caller = await findKnown(request, options);
      if (caller !== undefined) request.caller = caller;
    }
    if (auth === "admin") await requireAdmin(request, options);
    if (auth === "judge") {
      // A key that is wrong is refused: falling back to a cookie would cast the vote as somebody else.
      if (request.headers.authorization !== undefined) request.caller = await requireAccount(request, options);
      else {
        requireSameOrigin(request, options.publicUrl);
        const caller = await findSignedIn(request, options);
        if (caller !== undefined) request.caller = caller;
      }
    }
  });
}

async function requireAccount(request: FastifyRequest, options: AuthenticationOptions): Promise<Caller> {
  const key = bearer(request);
  if (request.headers.authorization === undefined) {
    const signedIn = await findSignedIn(request, options);
    if (signedIn !== undefined) {
      requireSameOrigin(request, options.publicUrl);
      return signedIn;
    }
  }
  if (key === undefined) {
    throw unauthorized("this call needs Authorization: Bearer <api_key>, the key that registration returned");
  }
  const caller = await options.findCaller(key);
  if (caller === undefined) throw unauthorized("no account has this api_key");
  if (caller.banned) throw new ProblemError("account_banned", "the operator has banned this account");
  return { accountId: caller.accountId };
}

/** Who makes a public call, when that can be told. A wrong key or a ban takes nothing away that everybody may read. */
async function findKnown(request: FastifyRequest, options: AuthenticationOptions): Promise<Caller | undefined> {
  const key = bearer(request);
  const token = readSessionCookie(request.headers.cookie);
  const caller =
    key !== undefined
      ? await options.findCaller(key)
      : token !== undefined && request.headers.authorization === undefined
        ? await options.findSession(token)
        : undefined;
  return caller === undefined || caller.banned ? undefined : { accountId: caller.accountId };
}

/** The account that a browser is signed in as; undefined when it is not, or no longer. */
async function findSignedIn(request: FastifyRequest, options: AuthenticationOptions): Promise<Caller | undefined> {
  const token = readSessionCookie(request.headers.cookie);
  if (token === undefined) return undefined;
  const caller = await options.findSession(token);
  if (caller?.banned) throw new ProblemError("account_banned", "the operator has banned this account");
  return caller && { accountId: caller.accountId };
}

async function requireAdmin(request: FastifyRequest, options: AuthenticationOptions): Promise<void> {
  if (options.adminKey === undefined) {
    throw new ProblemError("forbidden", "this arena has no operator's key; start it with AGON_ADMIN_KEY to set one");
  }
  if (request.headers.authorization === undefined) {
    const token = readOperatorCookie(request.headers.cookie);
    if (token !== undefined && (await options.isOperatorSession(token))) {
      requireSameOrigin(request, options.publicUrl);
      return;
    }
  }
  const key = bearer(request);
  if (key === undefined || !isOperatorKey(key, options.adminKey)) {
    throw unauthorized("this call needs Authorization: Bearer <admin key>, the operator's");
  }
}

function bearer(request: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
}

function unauthorized(detail: string): ProblemError {
  return new ProblemError("unauthorized", detail, { headers: { "www-authenticate": "Bearer" } });
}
