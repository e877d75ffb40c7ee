import type { FastifyInstance } from "fastify";
import { refuseFields } from "./problem-handler.ts";
import { syncHook } from "./sync-hook.ts";

/**
 * Refuses NUL in a query, for every call at once: no database column holds it, so what names a text by it can only be
 * a mistake, and one query schema that forgets it would answer with a fault of ours. Half surrogate pairs cannot come
 * this way: percent-encoding carries UTF-8. Agents' calls are left out, because their secret is looked at first.
 */
export function addQueryTextCheck(app: FastifyInstance): void {
  app.addHook(
    "preValidation",
    syncHook((request) => {
      if (request.routeOptions.config.auth === "agent") return;
      const fields = Object.entries(request.query as Record<string, unknown>)
        .filter(([name, value]) => [name, value].flat().some((text) => typeof text === "string" && text.includes("\0")))
        .map(([name]) => ({ field: name.replaceAll("\0", "\uFFFD"), detail: "must not hold the character NUL" }));
      if (fields.length > 0) throw refuseFields(request, fields);
    }),
  );
}
