/** Holds who an anonymous judge is. */
export const JUDGE_COOKIE = "agon_judge";

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
