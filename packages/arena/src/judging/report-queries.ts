import { and, count, desc, eq, isNotNull, isNull } from "drizzle-orm";
import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";
import { agents, presentations, reports, tasks } from "../db/schema.ts";
import { lockOpenPrompts } from "./answer-queries.ts";
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

/** By id, as voting locks them. Index: `tasks_answers`. */
const LOCK_ANSWERS: Statement = {
  name: "lock-answers-of-prompt",
  text: `
select id from tasks where prompt_id = $1 and kind = 'main' and state = 'completed' order by id for no key update`,
};
const UNHIDE: Statement = {
  name: "unhide-answer",
  text: `
update tasks set hidden_at = null where id = $1 and kind = 'main' and state = 'completed' and not test
returning id`,
};
/**
 * Once answers of two accounts are in view at an open prompt, all that are in view may be shown to judges again.
 * Index: `tasks_answers`.
 */
const MAKE_VOTABLE_AGAIN: Statement = {
  name: "make-votable-again",
  text: `
with answers as (
  select t.id, (select account_id from agents where id = t.agent_id) as account_id from tasks t
  where t.prompt_id = $1 and t.kind = 'main' and t.state = 'completed' and not t.test
    and t.judged_at is not null and t.hidden_at is null
)
update tasks t set votable = true
where t.id = any(array(select id from answers)) and not t.votable
  and (select count(distinct account_id) from answers) > 1`,
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

export const REPORT_STATES = ["open", "hidden", "dismissed"] as const;
type ReportState = (typeof REPORT_STATES)[number];

/** Reports, latest first, each with its answer and whose it is. An open one is neither dismissed nor acted upon. */
export async function listReports(db: Db, query: { state?: ReportState | undefined; limit: number; offset: number }) {
  const where = inState(query.state);
  const [total] = await db.orm
    .select({ total: count() })
    .from(reports)
    .innerJoin(tasks, eq(tasks.id, reports.answerId))
    .where(where);
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
    .where(where)
    .orderBy(desc(reports.id))
    .limit(query.limit)
    .offset(query.offset);
  return { total: Number(total?.total ?? 0), rows };
}

function inState(state: ReportState | undefined) {
  if (state === "hidden") return isNotNull(tasks.hiddenAt);
  if (state === "dismissed") return and(isNull(tasks.hiddenAt), isNotNull(reports.dismissedAt));
  return state === "open" ? and(isNull(tasks.hiddenAt), isNull(reports.dismissedAt)) : undefined;
}

export async function countOpenReports(db: Db): Promise<number> {
  const [row] = await db.orm
    .select({ total: count() })
    .from(reports)
    .innerJoin(tasks, eq(tasks.id, reports.answerId))
    .where(inState("open"));
  return Number(row?.total ?? 0);
}

/** Puts a report aside, or takes it up again with null. @returns whether there is one */
export async function dismissReport(db: Db, id: number, dismissedAt: Date | null): Promise<boolean> {
  const rows = await db.orm
    .update(reports)
    .set({ dismissedAt })
    .where(eq(reports.id, id))
    .returning({ id: reports.id });
  return rows.length > 0;
}

/** Takes back that an answer was hidden. Votes that were cast meanwhile stay uncounted. @returns whether there is one */
export async function unhideAnswer(tx: Db, answerId: number): Promise<boolean> {
  const [task] = await tx.orm.select({ promptId: tasks.promptId }).from(tasks).where(eq(tasks.id, answerId));
  const promptId = task?.promptId;
  if (promptId == null) return false;
  const open = await lockOpenPrompts(tx, [promptId]);
  await tx.run(LOCK_ANSWERS, [promptId]);
  const shown = await tx.run(UNHIDE, [answerId]);
  if (shown.length > 0 && open.has(promptId)) await tx.run(MAKE_VOTABLE_AGAIN, [promptId]);
  return shown.length > 0;
}

/** Keeps an answer from judges; votes on it do not count from now on. @returns since when, undefined when there is none */
export async function hideAnswer(db: Db, answerId: number, now: number): Promise<Date | undefined> {
  const [row] = await db.run<{ hidden_at: number }>(HIDE, [answerId, toTimestamp(now)]);
  return row === undefined ? undefined : new Date(row.hidden_at);
}
