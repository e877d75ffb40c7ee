import { ProblemError } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import type { Signals } from "../db/signals.ts";
import { pageQuery, pathId, toPage } from "../http/paging.ts";
import type { Clock } from "../ports.ts";
import { parsePromptFile } from "./prompt-input.ts";
import { findPrompt, insertPrompts, listPrompts, type PromptRow, retirePrompt } from "./prompt-queries.ts";

const UPLOAD_MAX_BYTES = 32 * 1024 * 1024;
const kind = z.enum(["gym", "main"]);
const promptSchema = z.looseObject({
  id: z.int(),
  external_id: z.string().nullable(),
  kind,
  prompt: z.string(),
  category: z.string(),
  deadline_seconds: z.int().nullable(),
  check: z.unknown(),
  source: z.string().nullable(),
  state: z.string(),
  answers: z.int(),
});

/** The operator's prompts: adding, looking, retiring. */
export function addPromptRoutes(
  instance: FastifyInstance,
  options: { db: Database; clock: Clock; signals: Signals },
): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, clock, signals } = options;

  app.post<{ Querystring: { kind: "gym" | "main" }; Body: Buffer | undefined }>(
    "/api/admin/prompts",
    {
      // Raw, because the body may be JSONL, which is no JSON document.
      config: { auth: "admin", rawBody: true },
      bodyLimit: UPLOAD_MAX_BYTES,
      schema: {
        summary: "Add prompts, as a JSON array or JSONL; those with a known external_id are skipped",
        tags: ["operator"],
        querystring: z.object({ kind: kind.default("main") }),
        response: { 200: z.object({ received: z.int(), added: z.int(), skipped: z.int() }) },
      },
    },
    async (request) => {
      const inputs = parsePromptFile((request.body ?? Buffer.alloc(0)).toString("utf8"));
      if (inputs.length === 0) throw new ProblemError("invalid_request", "the body holds no prompts");
      const added = await db.transaction((tx) => insertPrompts(tx, request.query.kind, inputs, clock.now()));
      if (added > 0) signals.publish("pool");
      return { received: inputs.length, added, skipped: inputs.length - added };
    },
  );

  app.get(
    "/api/admin/prompts",
    {
      config: { auth: "admin" },
      schema: {
        summary: "Prompts with their state",
        tags: ["operator"],
        querystring: pageQuery(50).extend({ kind: kind.optional(), category: z.string().max(100).optional() }),
        response: {
          200: z.object({
            total: z.int(),
            limit: z.int(),
            offset: z.int(),
            has_more: z.boolean(),
            items: z.array(promptSchema),
          }),
        },
      },
    },
    async (request) => {
      const { total, rows } = await listPrompts(db, request.query);
      return toPage(request.query, total, rows.map(toView));
    },
  );

  app.patch(
    "/api/admin/prompts/:prompt_id",
    {
      config: { auth: "admin" },
      schema: {
        summary: "Retire a prompt, or take it back into the pool",
        tags: ["operator"],
        params: z.object({ prompt_id: pathId }),
        body: z.object({ retired: z.boolean() }),
        response: { 200: promptSchema },
      },
    },
    async (request) => {
      const { prompt_id: id } = request.params;
      await retirePrompt(db, id, request.body.retired ? new Date(clock.now()) : null);
      const prompt = await findPrompt(db, id);
      if (prompt === undefined) throw new ProblemError("not_found", `no prompt has the id ${id}`);
      signals.publish("pool");
      return toView(prompt);
    },
  );
}

function toView(row: PromptRow) {
  return {
    id: row.id,
    external_id: row.externalId,
    kind: row.kind,
    prompt: row.prompt,
    category: row.category,
    deadline_seconds: row.deadlineSeconds,
    check: row.check,
    source: row.source,
    state: stateOf(row),
    answers: row.answers,
  };
}

function stateOf(row: PromptRow): string {
  if (row.retiredAt !== null) return "retired";
  if (row.kind === "gym") return "gym";
  if (row.closedAt !== null) return "closed";
  return row.openedAt === null ? "fresh" : "open";
}
