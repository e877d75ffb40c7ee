import { and, count, desc, eq } from "drizzle-orm";
import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";
import { agents, presentations, reports, tasks } from "../db/schema.ts";
import type { Judge } from "./judges.ts";

export type ReportReason = (typeof reports.$inferSelect)["reason"];

/**
 * Hides a main answer; nothing for any other task. What is hidden keeps the moment when it was first. By primary key.
 */
const HIDE: Statement = {
  name: "hide-answer",
  text: `
update tasks set hidden_at = coalesce(hidden_at, $2), votable = false
where id = $1 and kind = 'main' and state = 'completed' and not test
returning (extract(epoch from hidden_at) * 1000)::float8 as hidden_at`,
};

/** Notes what a judge says is wrong with one of the answers that they were shown, once for each. */
export async function reportAnswer(
  db: Db,
  judge: Judge,
  presentationId: string,
  report: { side: "a" | "b"; reason: ReportReason; comment: string | null; now: Date },
): Promise<"recorded" | "known" | "unknown"> {
  const [shown] = await db.orm
    .select()
    .from(presentations)
    .where(
      and(
        eq(presentations.id, presentationId),
        eq(presentations.judgeKind, judge.kind),
        eq(presentations.judgeId, judge.id),
      ),
    );
  if (shown === undefined) return "unknown";
  const isOwnA = (report.side === "a") !== shown.flipped;
  const made = await db.orm
    .insert(reports)
    .values({
      presentationId,
      answerId: isOwnA ? shown.answerA : shown.answerB,
      judgeKind: judge.kind,
      judgeId: judge.id,
      reason: report.reason,
      comment: report.comment,
      createdAt: report.now,
    })
    .onConflictDoNothing()
    .returning({ id: reports.id });
  return made.length > 0 ? "recorded" : "known";
}

/** Reports, latest first, each with its answer and whose it is. */
export async function listReports(db: Db, page: { limit: number; offset: number }) {
  const [total] = await db.orm.select({ total: count() }).from(reports);
  const rows = await db.orm
    .select({
      report: reports,
      agent: { id: agents.id, name: agents.name },
      promptId: tasks.promptId,
      response: tasks.response,
      hiddenAt: tasks.hiddenAt,
    })
    .from(reports)
    .innerJoin(tasks, eq(tasks.id, reports.answerId))
    .innerJoin(agents, eq(agents.id, tasks.agentId))
    .orderBy(desc(reports.id))
    .limit(page.limit)
    .offset(page.offset);
  return { total: Number(total?.total ?? 0), rows };
}

/** Keeps an answer from judges; votes on it do not count from now on. @returns since when, undefined when there is none */
export async function hideAnswer(db: Db, answerId: number, now: number): Promise<Date | undefined> {
  const [row] = await db.run<{ hidden_at: number }>(HIDE, [answerId, toTimestamp(now)]);
  return row === undefined ? undefined : new Date(row.hidden_at);
}
