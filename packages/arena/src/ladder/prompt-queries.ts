import { and, count, eq, gt, isNull, sql } from "drizzle-orm";
import { toTimestamp } from "../db/clock.ts";
import type { Database, Db, Statement } from "../db/database.ts";
import { prompts, tasks } from "../db/schema.ts";
import type { PromptInput } from "./prompt-input.ts";

const ROWS_PER_INSERT = 500;

/** Adds prompts that are not there yet, by external id. Returns how many were added. */
export async function insertPrompts(
  db: Db,
  kind: "gym" | "main",
  inputs: readonly PromptInput[],
  now: number,
): Promise<number> {
  let added = 0;
  for (let start = 0; start < inputs.length; start += ROWS_PER_INSERT) {
    const rows = inputs.slice(start, start + ROWS_PER_INSERT).map((input) => ({
      externalId: input.external_id ?? null,
      kind,
      prompt: input.prompt,
      category: input.category,
      deadlineSeconds: input.deadline_seconds ?? null,
      check: input.check ?? null,
      reference: input.reference ?? null,
      source: input.source ?? null,
      createdAt: new Date(now),
    }));
    const made = await db.orm.insert(prompts).values(rows).onConflictDoNothing().returning({ id: prompts.id });
    added += made.length;
  }
  return added;
}

export async function countPrompts(db: Db): Promise<number> {
  const [row] = await db.orm.select({ total: count() }).from(prompts);
  return Number(row?.total ?? 0);
}

/** Main prompts by where they are in their life, for the operator and for "why do I get nothing". */
export async function countPool(db: Db): Promise<{ fresh: number; open: number; closed: number; gym: number }> {
  const [row] = await db.orm
    .select({
      fresh: sql<number>`count(*) filter (where kind = 'main' and closed_at is null and opened_at is null)::int`,
      open: sql<number>`count(*) filter (where kind = 'main' and closed_at is null and opened_at is not null)::int`,
      closed: sql<number>`count(*) filter (where kind = 'main' and closed_at is not null)::int`,
      gym: sql<number>`count(*) filter (where kind = 'gym')::int`,
    })
    .from(prompts)
    .where(isNull(prompts.retiredAt));
  return row ?? { fresh: 0, open: 0, closed: 0, gym: 0 };
}

/**
 * There are two answers or more that votes count for, and each has enough of them. Hidden ones and those that name
 * themselves get no counted vote any more, and must not keep a prompt open for it. The two with the fewest votes decide,
 * found at the beginning of their stretch of the index `tasks_partners`.
 */
const VOTED_ON = `
(select count(*) = 2 and min(votes) >= $2 from (
  select t.votes from tasks t where t.prompt_id = p.id and t.votable and not t.names_itself order by t.votes, t.id limit 2
) fewest)`;
const OLD = `
(p.opened_at <= $1::timestamptz - make_interval(secs => $3) and $4 <= (
  select count(*) from prompts
  where kind = 'main' and retired_at is null and closed_at is null and opened_at is null))`;
/** Indexes: `battles_prompt`, `presentations_live`. */
const BEFORE_A_JUDGE = `
exists (select from battles b join presentations s on s.battle_id = b.id
  where b.prompt_id = p.id and s.state = 'live' and s.expires_at > $1)`;
const DUE = `
p.kind = 'main' and p.closed_at is null and p.opened_at is not null
  and (${VOTED_ON} or ${OLD}) and not ${BEFORE_A_JUDGE}`;

/** Index: `prompts_open`. Locks: the prompts, skipping those that get answers or are shown to a judge at this moment. */
const LOCK_DUE: Statement = {
  name: "lock-due-prompts",
  text: `select p.id from prompts p where ${DUE} order by p.id for update skip locked`,
};
/**
 * Looks again, at what was committed before the locks: an answer or a presentation that came in meanwhile keeps its
 * prompt open. Locks: the answers by id, after their prompts, which is the order of the judging pass too.
 */
const CLOSE: Statement = {
  name: "close-prompts",
  text: `
with closed as (
  update prompts p set closed_at = $1 where p.id = any($5::int[]) and ${DUE} returning p.id
), answers as (
  select t.id from closed c join tasks t on t.prompt_id = c.id and t.votable order by t.id for no key update of t
), withdrawn as (
  update tasks t set votable = false from answers where t.id = answers.id
)
select id from closed`,
};

/**
 * Closes prompts whose every answer has enough votes of people, or that are old enough while the pool is not about to run
 * dry; but none that a judge has before them. Their queued tasks are withdrawn by the sweep. Rare and not hot: once a
 * pass over the open prompts.
 */
export async function closePrompts(
  db: Database,
  now: number,
  settings: { votesToClose: number; daysToClose: number; poolReserve: number },
): Promise<number[]> {
  const params = [toTimestamp(now), settings.votesToClose, settings.daysToClose * 86_400, settings.poolReserve];
  return db.transaction(async (tx) => {
    const due = await tx.run<{ id: number }>(LOCK_DUE, params);
    if (due.length === 0) return [];
    const closed = await tx.run<{ id: number }>(CLOSE, [...params, due.map((row) => row.id)]);
    return closed.map((row) => row.id);
  });
}

/** Whether the agent was given each prompt of the open pool, so that there is nothing new for it. */
export async function hasUnseenPrompt(db: Db, agentId: number): Promise<boolean> {
  const [row] = await db.orm
    .select({ id: prompts.id })
    .from(prompts)
    .where(
      and(
        eq(prompts.kind, "main"),
        isNull(prompts.closedAt),
        isNull(prompts.retiredAt),
        sql`not exists (select from assignments s where s.agent_id = ${agentId} and s.prompt_id = ${prompts.id})`,
      ),
    )
    .limit(1);
  return row !== undefined;
}

/** Queued and running tasks of an agent, oldest first. */
export async function listOpenTasks(db: Db, agentId: number) {
  return db.orm
    .select({ id: tasks.id, kind: tasks.kind, state: tasks.state, deadlineAt: tasks.deadlineAt })
    .from(tasks)
    .where(and(eq(tasks.agentId, agentId), sql`${tasks.state} in ('queued', 'running')`))
    .orderBy(tasks.id);
}

/** Tasks handed to an agent since a moment, test tasks left out. */
export async function countTasksSince(db: Db, agentId: number, since: number): Promise<number> {
  const [row] = await db.orm
    .select({ handed: count() })
    .from(tasks)
    .where(and(eq(tasks.agentId, agentId), eq(tasks.test, false), gt(tasks.startedAt, new Date(since))));
  return Number(row?.handed ?? 0);
}

export type PromptRow = typeof prompts.$inferSelect;

export async function findPrompt(db: Db, id: number): Promise<PromptRow | undefined> {
  const [row] = await db.orm.select().from(prompts).where(eq(prompts.id, id));
  return row;
}

export async function listPrompts(
  db: Db,
  query: { kind?: "gym" | "main" | undefined; category?: string | undefined; limit: number; offset: number },
): Promise<{ total: number; rows: PromptRow[] }> {
  const where = and(
    query.kind === undefined ? undefined : eq(prompts.kind, query.kind),
    query.category === undefined ? undefined : eq(prompts.category, query.category),
  );
  const [total] = await db.orm.select({ total: count() }).from(prompts).where(where);
  const rows = await db.orm
    .select()
    .from(prompts)
    .where(where)
    .orderBy(prompts.id)
    .limit(query.limit)
    .offset(query.offset);
  return { total: Number(total?.total ?? 0), rows };
}

/** Takes a prompt out of the pool (or back in, with null). What was answered stays. */
export async function retirePrompt(db: Db, id: number, retiredAt: Date | null): Promise<void> {
  await db.orm.update(prompts).set({ retiredAt }).where(eq(prompts.id, id));
}
