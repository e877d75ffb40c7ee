import { ProblemError, pageSchema } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { type Database, violatedConstraint } from "../db/database.ts";
import type { Signals } from "../db/signals.ts";
import { pageQuery, pathId, toPage } from "../http/paging.ts";
import { evaluateCheck, parseCheck } from "../judging/checks.ts";
import type { Clock } from "../ports.ts";
import { previewImport } from "./prompt-import.ts";
import { parsePromptFile, parsePromptInput } from "./prompt-input.ts";
import {
  findPrompt,
  insertPrompts,
  listAnswers,
  listPools,
  listPrompts,
  PROMPT_STATES,
  type PromptRow,
  promptState,
  retirePrompts,
  updatePrompt,
} from "./prompt-queries.ts";

const UPLOAD_MAX_BYTES = 32 * 1024 * 1024;
const kind = z.enum(["gym", "main"]);
const count = z.int();
const promptSchema = z.looseObject({
  id: z.int(),
  external_id: z.string().nullable(),
  kind,
  prompt: z.string(),
  category: z.string(),
  deadline_seconds: z.int().nullable(),
  check: z.unknown(),
  reference: z.string().nullable(),
  source: z.string().nullable(),
  state: z.enum(PROMPT_STATES),
  answers: count,
  created_at: z.string(),
});
const importSchema = z.object({
  received: count,
  added: count.describe("with preview: that would be added"),
  skipped: count.describe("their external_id is there already"),
  ids: z.array(z.int()).optional().describe("of those that were added, up to 10,000"),
  broken: count.optional().describe("with preview: lines or items that are no prompt; one refuses the whole file"),
  faults: z
    .array(z.object({ place: z.string(), detail: z.string() }))
    .optional()
    .describe("the first 100 of them"),
  repeated: count
    .optional()
    .describe("without an external_id and with the text of a prompt that is there: they would be there twice"),
  categories: z.array(z.object({ category: z.string(), prompts: count, checked: count })).optional(),
});
const answerSchema = z.object({
  id: z.int(),
  agent: z.object({ id: z.int(), name: z.string() }),
  response: z.string(),
  check_right: z.boolean().nullable(),
  names_itself: z.boolean(),
  votes: count.describe("counted ones of people"),
  hidden: z.boolean(),
  finished_at: z.string(),
});
/** As many as one press can undo. */
const IDS_MAX = 10_000;
const promptParams = z.object({ prompt_id: pathId });

/** The operator's prompts: adding, looking, changing, retiring, and trying their checks. */
export function addPromptRoutes(
  instance: FastifyInstance,
  options: { db: Database; clock: Clock; signals: Signals },
): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, clock, signals } = options;
  const admin = { auth: "admin" } as const;
  const tags = ["operator"];

  app.post<{
    Querystring: { kind: "gym" | "main"; preview: boolean };
    Body: Buffer | undefined;
    Reply: z.infer<typeof importSchema>;
  }>(
    "/api/admin/prompts",
    {
      // Raw, because the body may be JSONL, which is no JSON document.
      config: { ...admin, rawBody: true },
      bodyLimit: UPLOAD_MAX_BYTES,
      schema: {
        summary: "Add prompts, as a JSON array or JSONL; those with a known external_id are skipped",
        description: "With preview=true it only says what would be added, and each line that is wrong and why.",
        tags,
        querystring: z.object({
          kind: kind.default("main"),
          preview: z
            .enum(["true", "false"])
            .default("false")
            .transform((word) => word === "true"),
        }),
        response: { 200: importSchema },
      },
    },
    async (request) => {
      const text = readText(request.body);
      if (request.query.preview) return previewImport(db, text);
      const inputs = parsePromptFile(text);
      if (inputs.length === 0) throw new ProblemError("invalid_request", "the body holds no prompts");
      const added = await db.transaction((tx) => insertPrompts(tx, request.query.kind, inputs, clock.now()));
      if (added.length > 0) signals.publish("pool");
      return {
        received: inputs.length,
        added: added.length,
        skipped: inputs.length - added.length,
        ids: added.slice(0, IDS_MAX),
      };
    },
  );

  app.get(
    "/api/admin/prompts",
    {
      config: admin,
      schema: {
        summary: "Prompts with their state, newest first",
        tags,
        querystring: pageQuery(50).extend({
          kind: kind.optional(),
          category: z.string().max(100).optional(),
          state: z.enum(PROMPT_STATES).optional(),
          search: z.string().max(200).default("").describe("in the text or the external_id, or the id"),
        }),
        response: { 200: pageSchema(promptSchema) },
      },
    },
    async (request) => {
      const { total, rows } = await listPrompts(db, request.query);
      return toPage(request.query, total, rows.map(toView));
    },
  );

  app.get(
    "/api/admin/prompt-pools",
    {
      config: admin,
      schema: {
        summary: "How many prompts each category has, by state",
        tags,
        response: {
          200: z.object({
            items: z.array(
              z.object({
                kind,
                category: z.string(),
                fresh: count,
                open: count,
                closed: count,
                retired: count,
                checked: count.describe("of those that are not retired"),
              }),
            ),
          }),
        },
      },
    },
    async () => ({ items: await listPools(db) }),
  );

  app.get(
    "/api/admin/prompts/:prompt_id",
    {
      config: admin,
      schema: { summary: "One prompt", tags, params: promptParams, response: { 200: promptSchema } },
    },
    async (request) => toView(await requirePrompt(request.params.prompt_id)),
  );

  app.get(
    "/api/admin/prompts/:prompt_id/answers",
    {
      config: admin,
      schema: {
        summary: "Answers to a prompt, latest first, also while it is open",
        tags,
        params: promptParams,
        querystring: pageQuery(20),
        response: { 200: pageSchema(answerSchema) },
      },
    },
    async (request) => {
      const { id } = await requirePrompt(request.params.prompt_id);
      const rows = await listAnswers(db, id, request.query);
      const items = rows.map(({ agent_id, agent_name, finished_at, total: _total, ...row }) => {
        return { ...row, agent: { id: agent_id, name: agent_name }, finished_at: new Date(finished_at).toISOString() };
      });
      return toPage(request.query, rows[0]?.total ?? 0, items);
    },
  );

  app.patch(
    "/api/admin/prompts/:prompt_id",
    {
      config: admin,
      schema: {
        summary: "Change a prompt, retire it, or take it back into the pool",
        description:
          "Text and category of a main prompt can be changed until somebody has it; null empties a field that may be empty.",
        tags,
        params: promptParams,
        body: z.strictObject({
          retired: z.boolean().optional(),
          external_id: z.string().nullish(),
          prompt: z.string().optional(),
          category: z.string().optional(),
          deadline_seconds: z.int("must be a whole number").nullish(),
          check: z.unknown().optional(),
          reference: z.string().nullish(),
          source: z.string().nullish(),
        }),
        response: { 200: promptSchema },
      },
    },
    async (request) => {
      const { prompt_id: id } = request.params;
      const { retired, ...change } = request.body;
      const before = await requirePrompt(id);
      if (Object.keys(change).length > 0) await changePrompt(before, change);
      if (retired !== undefined) await retirePrompts(db, [id], retired ? new Date(clock.now()) : null);
      signals.publish("pool");
      return toView(await requirePrompt(id));
    },
  );

  app.post(
    "/api/admin/prompts/retire",
    {
      config: admin,
      schema: {
        summary: "Retire many prompts at once, or take them back into the pool",
        tags,
        body: z.object({
          ids: z.array(z.int().positive().max(2_147_483_647)).min(1).max(IDS_MAX),
          retired: z.boolean(),
        }),
        response: { 200: z.object({ changed: count }) },
      },
    },
    async (request) => {
      const { ids, retired } = request.body;
      const changed = await retirePrompts(db, ids, retired ? new Date(clock.now()) : null);
      signals.publish("pool");
      return { changed };
    },
  );

  app.post(
    "/api/admin/checks/try",
    {
      config: admin,
      schema: {
        summary: "What a check says of some answers, and why; nothing is stored",
        tags,
        body: z.object({
          check: z.unknown().describe("as in a prompt"),
          answers: z.array(z.string().max(262_144)).min(1).max(50),
        }),
        response: {
          200: z.object({ results: z.array(z.object({ right: z.boolean().nullable(), detail: z.string() })) }),
        },
      },
    },
    async (request) => {
      const check = readCheck(request.body.check);
      return { results: request.body.answers.map((answer) => evaluateCheck(check, answer)) };
    },
  );

  async function changePrompt(before: PromptRow, change: Record<string, unknown>) {
    const input = parsePromptInput({ ...toInput(before), ...change }, "the prompt");
    const onlyUntouched = input.prompt !== before.prompt || input.category !== before.category;
    try {
      if (await updatePrompt(db, before.id, input, { onlyUntouched })) return;
    } catch (error) {
      if (violatedConstraint(error) === undefined) throw error;
      throw new ProblemError("conflict", "another prompt has this external_id", {
        errors: [{ field: "external_id", detail: "is that of another prompt" }],
      });
    }
    throw new ProblemError(
      "conflict",
      "agents have this prompt: its text and category stay what was answered; retire it and add another",
    );
  }

  async function requirePrompt(id: number): Promise<PromptRow> {
    const prompt = await findPrompt(db, id);
    if (prompt === undefined) throw new ProblemError("not_found", `no prompt has the id ${id}`);
    return prompt;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** A file of another encoding would be stored with its letters wrong, and nobody could tell from the counts. */
function readText(body: Buffer | undefined): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new ProblemError("malformed_json", "the file is not UTF-8; save it as UTF-8, unpacked, and send it again");
  }
}

function readCheck(value: unknown) {
  try {
    return parseCheck(value);
  } catch (error) {
    const { message } = error as Error;
    throw new ProblemError("invalid_request", message, { errors: [{ field: "check", detail: message }] });
  }
}

function toInput(row: PromptRow) {
  return {
    external_id: row.externalId,
    prompt: row.prompt,
    category: row.category,
    deadline_seconds: row.deadlineSeconds,
    check: row.check,
    reference: row.reference,
    source: row.source,
  };
}

function toView(row: PromptRow) {
  return {
    id: row.id,
    kind: row.kind,
    ...toInput(row),
    state: promptState(row),
    answers: row.answers,
    created_at: row.createdAt.toISOString(),
  };
}
