import { ProblemError, pageSchema } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import { pageQuery, pathLongId, toPage } from "../http/paging.ts";
import type { Clock } from "../ports.ts";
import { dismissReport, hideAnswer, listReports, REPORT_STATES, unhideAnswer } from "./report-queries.ts";

const reportSchema = z.object({
  id: z.int(),
  answer_id: z.int(),
  agent: z.object({ id: z.int(), name: z.string() }),
  prompt_id: z.string(),
  response: z.string(),
  hidden: z.boolean(),
  reason: z.string(),
  comment: z.string().nullable(),
  judge_kind: z.string(),
  created_at: z.string(),
  dismissed_at: z.string().nullable(),
});
const answerParams = z.object({ answer_id: pathLongId });

/** The operator's side of reports: reading them, and taking an answer out. */
export function addReportRoutes(instance: FastifyInstance, options: { db: Database; clock: Clock }): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, clock } = options;

  app.get(
    "/api/admin/reports",
    {
      config: { auth: "admin" },
      schema: {
        summary: "What judges reported, latest first",
        tags: ["operator"],
        querystring: pageQuery(50).extend({
          state: z.enum(REPORT_STATES).optional().describe("open: neither dismissed nor is the answer hidden"),
        }),
        response: { 200: pageSchema(reportSchema) },
      },
    },
    async (request) => {
      const { total, rows } = await listReports(db, request.query);
      const items = rows.map(({ report, agent, promptId, response, hiddenAt }) => ({
        id: report.id,
        answer_id: report.answerId,
        agent,
        prompt_id: String(promptId),
        response: response ?? "",
        hidden: hiddenAt !== null,
        reason: report.reason,
        comment: report.comment,
        judge_kind: report.judgeKind,
        created_at: report.createdAt.toISOString(),
        dismissed_at: report.dismissedAt?.toISOString() ?? null,
      }));
      return toPage(request.query, total, items);
    },
  );

  app.post(
    "/api/admin/answers/:answer_id/hide",
    {
      config: { auth: "admin" },
      schema: {
        summary: "Take an answer out of judging; votes on it do not count from now on",
        tags: ["operator"],
        params: answerParams,
        response: { 200: z.object({ id: z.int(), hidden_at: z.string() }) },
      },
    },
    async (request) => {
      const { answer_id: id } = request.params;
      const hiddenAt = await hideAnswer(db, id, clock.now());
      if (hiddenAt === undefined) throw new ProblemError("not_found", `no answer to a main prompt has the id ${id}`);
      return { id, hidden_at: hiddenAt.toISOString() };
    },
  );

  app.post(
    "/api/admin/answers/:answer_id/show",
    {
      config: { auth: "admin" },
      schema: {
        summary: "Let a hidden answer be judged again; votes that were cast meanwhile stay uncounted",
        tags: ["operator"],
        params: answerParams,
        response: { 200: z.object({ id: z.int(), hidden_at: z.null() }) },
      },
    },
    async (request) => {
      const { answer_id: id } = request.params;
      if (await db.transaction((tx) => unhideAnswer(tx, id))) return { id, hidden_at: null };
      throw new ProblemError("not_found", `no answer to a main prompt has the id ${id}`);
    },
  );

  app.post(
    "/api/admin/reports/:report_id/dismiss",
    {
      config: { auth: "admin" },
      schema: {
        summary: "Put a report aside, or take it up again",
        tags: ["operator"],
        params: z.object({ report_id: pathLongId }),
        body: z.object({ dismissed: z.boolean() }).nullish(),
        response: { 200: z.object({ id: z.int(), dismissed_at: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { report_id: id } = request.params;
      const dismissedAt = (request.body?.dismissed ?? true) ? new Date(clock.now()) : null;
      if (!(await dismissReport(db, id, dismissedAt))) {
        throw new ProblemError("not_found", `no report has the id ${id}`);
      }
      return { id, dismissed_at: dismissedAt?.toISOString() ?? null };
    },
  );
}
