/** Holds who an anonymous judge is. */
export const JUDGE_COOKIE = "agon_judge";
/** Holds the session of an account that is signed in. */
export const SESSION_COOKIE = "agon_session";
/** Holds the session of the operator. Apart from an account's, so that one browser may have both. */
export const OPERATOR_COOKIE = "agon_operator";

/** Only what we made ourselves is looked up. */
const SESSION_TOKEN = /^[\w-]{43}$/;

/** The session that a request carries; undefined when it carries none that could be ours. */
export function readSessionCookie(header: string | undefined): string | undefined {
  return readToken(header, SESSION_COOKIE);
}

/** The same of the operator's session. */
export function readOperatorCookie(header: string | undefined): string | undefined {
  return readToken(header, OPERATOR_COOKIE);
}

function readToken(header: string | undefined, name: string): string | undefined {
  const value = readCookie(header, name);
  return value !== undefined && SESSION_TOKEN.test(value) ? value : undefined;
}

/**
 * One cookie of a request; undefined when it is missing. Only for values that we make ourselves out of letters, digits,
 * `-` and `_`: nothing is decoded, and quotes are no part of it. Of two with the same name the first counts, which is the
 * one that the browser holds for the longer path.
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const [key, value] = pair.split("=", 2);
    if (key?.trim() === name) return value?.trim();
  }
  return undefined;
}
