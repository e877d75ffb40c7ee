import { ProblemError } from "@agon/protocol";
import type { FastifyRequest } from "fastify";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses what a page of another site made a visitor's browser send with the visitor's cookie. A key in a header proves
 * by itself that the sender meant it, and needs no such proof.
 *
 * @throws ProblemError `forbidden`
 */
export function requireSameOrigin(
  request: FastifyRequest,
  publicUrl: string | undefined,
  also?: { even: "without a cookie" },
): void {
  const { headers, method } = request;
  if (SAFE_METHODS.has(method) || headers.authorization !== undefined) return;
  if (headers.cookie === undefined && also === undefined) return;
  const hosts = [headers.host, publicUrl === undefined ? undefined : new URL(publicUrl).host];
  if (isSameOrigin(headers["sec-fetch-site"], headers.origin, hosts)) return;
  throw new ProblemError(
    "forbidden",
    "a call with a cookie is taken from the arena's own pages only, not another site's",
  );
}

/**
 * What a browser says of the page that sent a request. `Sec-Fetch-Site` is its own word; older browsers send `Origin`
 * with every unsafe method. Where both are missing no browser is at work, and what is no browser can be made to send
 * nothing. Schemes are not compared: behind a proxy that ends TLS we see another one than the page does.
 */
export function isSameOrigin(
  fetchSite: string | string[] | undefined,
  origin: string | undefined,
  hosts: readonly (string | undefined)[],
): boolean {
  if (fetchSite !== undefined) return fetchSite === "same-origin" || fetchSite === "none";
  if (origin === undefined) return true;
  const url = URL.parse(origin);
  return url !== null && hosts.some((host) => host?.toLowerCase() === url.host);
}
