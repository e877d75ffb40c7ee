import { Readable } from "node:stream";
import { ProblemError } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import type { Clock } from "../ports.ts";
import { EXPORT_PARTS, type ExportPart, exportPages } from "./export-queries.ts";

const SINGULAR: Record<ExportPart, string> = {
  accounts: "account",
  agents: "agent",
  prompts: "prompt",
  tasks: "task",
  battles: "battle",
  votes: "vote",
  rulings: "ruling",
  reports: "report",
};

/** Everything an operator may want to look into elsewhere, as text. It is no backup: keys and secrets are not in it. */
export function addExportRoutes(instance: FastifyInstance, options: { db: Database; clock: Clock }): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, clock } = options;
  app.get(
    "/api/admin/export",
    {
      config: { auth: "admin" },
      schema: {
        summary: "Accounts, agents, prompts, tasks, battles, votes, rulings and reports, one JSON object a line",
        description:
          "Each line has a type. Without keys and secrets. Read while the arena goes on: later lines may be newer than earlier ones.",
        tags: ["operator"],
        querystring: z.object({
          parts: z
            .string()
            .max(200)
            .default("")
            .describe(`some of ${EXPORT_PARTS.join(", ")}, with commas between`),
        }),
      },
    },
    (request, reply) => {
      const parts = readParts(request.query.parts);
      const at = new Date(clock.now()).toISOString();
      return reply
        .type("application/x-ndjson; charset=utf-8")
        .header("cache-control", "no-store")
        .header("content-disposition", `attachment; filename="agon-${at.slice(0, 10)}.ndjson"`)
        .send(Readable.from(lines(db, parts, at), { objectMode: false }));
    },
  );
}

function readParts(text: string): readonly ExportPart[] {
  const named = text.split(",").flatMap((each) => each.trim() || []);
  const unknown = named.find((each) => !EXPORT_PARTS.some((part) => part === each));
  if (unknown !== undefined) {
    const detail = `there is no part "${unknown}"; there are ${EXPORT_PARTS.join(", ")}`;
    throw new ProblemError("invalid_request", detail, { errors: [{ field: "parts", detail }] });
  }
  return named.length === 0 ? EXPORT_PARTS : EXPORT_PARTS.filter((part) => named.includes(part));
}

async function* lines(db: Database, parts: readonly ExportPart[], at: string): AsyncGenerator<string> {
  yield `${JSON.stringify({ type: "export", at, parts })}\n`;
  for (const part of parts) {
    const type = SINGULAR[part];
    for await (const rows of exportPages(db, part)) {
      yield rows.map((row) => `${JSON.stringify({ type, ...row })}\n`).join("");
    }
  }
}
