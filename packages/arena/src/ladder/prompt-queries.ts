import { and, count, eq, gt, isNull, sql } from "drizzle-orm";
import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";
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

const CLOSE: Statement = {
  name: "close-prompts",
  text: `
with fresh as (
  select count(*) as left_over from prompts
  where kind = 'main' and retired_at is null and closed_at is null and opened_at is null
), answers as (
  select t.prompt_id, min((
    select count(*) from votes v join battles b on b.id = v.battle_id
    where v.counted and v.judge_kind in ('account', 'anonymous') and t.id in (b.answer_a, b.answer_b)
  )) as fewest
  from tasks t join prompts p on p.id = t.prompt_id
  where t.kind = 'main' and t.state = 'completed' and not t.test and t.judged_at is not null
    and p.opened_at is not null and p.closed_at is null
  group by t.prompt_id having count(*) > 1
), due as (
  select p.id from prompts p
  where p.kind = 'main' and p.closed_at is null and p.opened_at is not null and (
    exists (select from answers a where a.prompt_id = p.id and a.fewest >= $2)
    or (p.opened_at <= $1::timestamptz - make_interval(secs => $3) and (select left_over from fresh) >= $4)
  )
  for update skip locked
)
update prompts p set closed_at = $1 from due where p.id = due.id returning p.id`,
};

/**
 * Closes prompts whose every answer has enough votes of people, or that are old enough while the pool is not about to run
 * dry. Their queued tasks are withdrawn by the sweep. Rare and not hot: once a pass over the open prompts.
 */
export async function closePrompts(
  db: Db,
  now: number,
  settings: { votesToClose: number; daysToClose: number; poolReserve: number },
): Promise<number[]> {
  const rows = await db.run<{ id: number }>(CLOSE, [
    toTimestamp(now),
    settings.votesToClose,
    settings.daysToClose * 86_400,
    settings.poolReserve,
  ]);
  return rows.map((row) => row.id);
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
