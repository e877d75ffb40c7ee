import type { FastifyReply, FastifyRequest } from "fastify";
import { hashSecret } from "../db/secrets.ts";
import { JUDGE_COOKIE, readCookie } from "../http/cookies.ts";
import type { Caller } from "../http/route-config.ts";
import type { Random } from "../ports.ts";

/**
 * Who looks at battles. An account's id is its number as text; an anonymous one's is the SHA-256 of its cookie; a model's
 * is its name.
 */
export interface Judge {
  kind: "account" | "anonymous" | "model";
  id: string;
  /** Set for accounts: their own agents' answers are not shown to them. */
  accountId: number | undefined;
}

const COOKIE_BYTES = 32;
/** Longer than that no browser keeps a cookie. */
const COOKIE_SECONDS = 400 * 86_400;
/** Only what we made ourselves names a judge: two people who make up the same word would share one. */
const COOKIE_VALUE = /^[\w-]{43}$/;

/** The judge behind a call of theirs; undefined for a visitor who has not looked at a battle yet. */
export function findJudge(request: FastifyRequest): Judge | undefined {
  const caller = request.caller as Caller | null;
  if (caller !== null) return { kind: "account", id: String(caller.accountId), accountId: caller.accountId };
  const value = readCookie(request.headers.cookie, JUDGE_COOKIE);
  return value !== undefined && COOKIE_VALUE.test(value) ? anonymousJudge(value) : undefined;
}

/** Makes a visitor a judge, by a cookie that no script of a page can read. */
export function welcomeJudge(reply: FastifyReply, random: Random, isHttps: boolean): Judge {
  const value = Buffer.from(random.bytes(COOKIE_BYTES)).toString("base64url");
  const secure = isHttps ? "; Secure" : "";
  reply.header(
    "set-cookie",
    `${JUDGE_COOKIE}=${value}; Path=/api/judge; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure}`,
  );
  return anonymousJudge(value);
}

function anonymousJudge(cookie: string): Judge {
  return { kind: "anonymous", id: hashSecret(cookie), accountId: undefined };
}
