import { isIP } from "node:net";
import { ProblemError, truncateUtf8 } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import { syncHook } from "./sync-hook.ts";

/**
 * Refuses requests for a host that is not ours: a page of another site that points its own name at this address (DNS
 * rebinding) would otherwise reach the arena with the visitor's network position. Any IP literal passes, because such a
 * page cannot make the browser send one; the health routes are exempt, since balancers send what they like.
 */
export function addHostCheck(app: FastifyInstance, options: { publicUrl: string | undefined; host: string }): void {
  const names = new Set(["localhost", options.host.toLowerCase()]);
  if (options.publicUrl !== undefined) names.add(new URL(options.publicUrl).hostname);
  app.addHook(
    "onRequest",
    syncHook((request) => {
      const path = request.url.split("?")[0];
      if (path === "/healthz" || path === "/readyz") return;
      const host = request.headers.host ?? "";
      const name = hostName(host);
      if (names.has(name) || isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0) return;
      throw new ProblemError(
        "misdirected_host",
        `this arena does not answer for the host "${truncateUtf8(host, 200, "…")}"; set AGON_PUBLIC_URL to the URL under which it is reached`,
      );
    }),
  );
}

function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
}
