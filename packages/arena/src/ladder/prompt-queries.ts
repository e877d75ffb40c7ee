import { and, count, desc, eq, gt, ilike, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { toTimestamp } from "../db/clock.ts";
import type { Database, Db, Statement } from "../db/database.ts";
import { prompts, tasks } from "../db/schema.ts";
import type { PromptInput } from "./prompt-input.ts";

const ROWS_PER_INSERT = 500;

/** Adds prompts that are not there yet, by external id. Returns the ids of those that were added. */
export async function insertPrompts(
  db: Db,
  kind: "gym" | "main",
  inputs: readonly PromptInput[],
  now: number,
): Promise<number[]> {
  const added: number[] = [];
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
    for (const { id } of made) added.push(id);
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

/** Queued and running tasks of an agent, oldest first. Two conditions, for each has an index of its own. */
export async function listOpenTasks(db: Db, agentId: number) {
  return db.orm
    .select({ id: tasks.id, kind: tasks.kind, state: tasks.state, deadlineAt: tasks.deadlineAt })
    .from(tasks)
    .where(and(eq(tasks.agentId, agentId), sql`(${tasks.state} = 'queued' or ${tasks.state} = 'running')`))
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

export const PROMPT_STATES = ["fresh", "open", "closed", "retired", "gym"] as const;
export type PromptState = (typeof PROMPT_STATES)[number];

export function promptState(row: PromptRow): PromptState {
  if (row.retiredAt !== null) return "retired";
  if (row.kind === "gym") return "gym";
  if (row.closedAt !== null) return "closed";
  return row.openedAt === null ? "fresh" : "open";
}

/** What `promptState` says of one, as a condition. */
function inState(state: PromptState): SQL | undefined {
  if (state === "retired") return isNotNull(prompts.retiredAt);
  if (state === "gym") return and(isNull(prompts.retiredAt), eq(prompts.kind, "gym"));
  const main = and(isNull(prompts.retiredAt), eq(prompts.kind, "main"));
  if (state === "closed") return and(main, isNotNull(prompts.closedAt));
  return and(
    main,
    isNull(prompts.closedAt),
    state === "fresh" ? isNull(prompts.openedAt) : isNotNull(prompts.openedAt),
  );
}

/** Prompts, newest first. A search reads them all: an operator does that now and then. */
export async function listPrompts(
  db: Db,
  query: {
    kind?: "gym" | "main" | undefined;
    category?: string | undefined;
    state?: PromptState | undefined;
    search?: string | undefined;
    limit: number;
    offset: number;
  },
): Promise<{ total: number; rows: PromptRow[] }> {
  const text = query.search?.trim() ?? "";
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const where = and(
    query.kind === undefined ? undefined : eq(prompts.kind, query.kind),
    query.category === undefined ? undefined : eq(prompts.category, query.category),
    query.state === undefined ? undefined : inState(query.state),
    text === ""
      ? undefined
      : or(
          ilike(prompts.prompt, pattern),
          ilike(prompts.externalId, pattern),
          /^\d{1,9}$/.test(text) ? eq(prompts.id, Number(text)) : undefined,
        ),
  );
  const [total] = await db.orm.select({ total: count() }).from(prompts).where(where);
  const rows = await db.orm
    .select()
    .from(prompts)
    .where(where)
    .orderBy(desc(prompts.id))
    .limit(query.limit)
    .offset(query.offset);
  return { total: Number(total?.total ?? 0), rows };
}

/** Takes prompts out of the pool (or back in, with null). What was answered stays. Returns how many there are. */
export async function retirePrompts(db: Db, ids: readonly number[], retiredAt: Date | null): Promise<number> {
  const rows = await db.orm
    .update(prompts)
    .set({ retiredAt })
    .where(inArray(prompts.id, [...ids]))
    .returning({ id: prompts.id });
  return rows.length;
}

export interface PoolRow {
  kind: "gym" | "main";
  category: string;
  fresh: number;
  open: number;
  closed: number;
  retired: number;
  checked: number;
}

const POOLS: Statement = {
  name: "prompt-pools",
  text: `
select kind, category,
  (count(*) filter (where retired_at is null and closed_at is null and opened_at is null))::int as fresh,
  (count(*) filter (where retired_at is null and closed_at is null and opened_at is not null))::int as open,
  (count(*) filter (where retired_at is null and closed_at is not null))::int as closed,
  (count(*) filter (where retired_at is not null))::int as retired,
  (count("check") filter (where retired_at is null))::int as checked
from prompts group by kind, category order by kind desc, count(*) desc, category limit 500`,
};

/** How many prompts each category has, by where they are in their life. */
export function listPools(db: Db): Promise<PoolRow[]> {
  return db.run<PoolRow>(POOLS, []);
}

/** Index: `prompts_external_id_unique`. */
const KNOWN_IDS: Statement = {
  name: "known-external-ids",
  text: `
select p.external_id from (select distinct unnest($1::text[]) as id) i join prompts p on p.external_id = i.id`,
};
/** No index: one look over all prompts, whatever the number of texts. */
const KNOWN_TEXTS: Statement = {
  name: "known-prompt-texts",
  text: `select p.prompt from (select distinct unnest($1::text[]) as text) i join prompts p on p.prompt = i.text`,
};

/** Which of some external ids are taken, and which texts are there already, whatever their kind. */
export async function findKnown(
  db: Db,
  externalIds: readonly string[],
  texts: readonly string[],
): Promise<{ externalIds: Set<string>; texts: Set<string> }> {
  const ids = await db.run<{ external_id: string }>(KNOWN_IDS, [externalIds]);
  const same = texts.length === 0 ? [] : await db.run<{ prompt: string }>(KNOWN_TEXTS, [texts]);
  return {
    externalIds: new Set(ids.map((row) => row.external_id)),
    texts: new Set(same.map((row) => row.prompt)),
  };
}

/** Index: `tasks_running`. The condition is looked at in the statement that writes, so that no answer slips in between. */
const isUntouched = and(
  isNull(prompts.openedAt),
  sql`not exists (select from tasks t where t.state = 'running' and t.kind = 'main' and t.prompt_id = prompts.id)`,
);

/**
 * Changes a prompt. Its text and category only while nobody has it: what was answered shall stay the answer to what stands
 * there. @returns whether it was changed
 */
export async function updatePrompt(
  db: Db,
  id: number,
  input: PromptInput,
  { onlyUntouched }: { onlyUntouched: boolean },
): Promise<boolean> {
  const rows = await db.orm
    .update(prompts)
    .set({
      externalId: input.external_id ?? null,
      prompt: input.prompt,
      category: input.category,
      deadlineSeconds: input.deadline_seconds ?? null,
      check: input.check ?? null,
      reference: input.reference ?? null,
      source: input.source ?? null,
    })
    .where(and(eq(prompts.id, id), onlyUntouched ? or(eq(prompts.kind, "gym"), isUntouched) : undefined))
    .returning({ id: prompts.id });
  return rows.length > 0;
}

/** Answers to a main prompt, latest first, with what their owners' names are and what the check said. */
const ANSWERS: Statement = {
  name: "answers-for-operator",
  text: `
select t.id, t.agent_id, a.name as agent_name, t.response, t.check_right, t.names_itself, t.votes,
  t.hidden_at is not null as hidden, (extract(epoch from t.finished_at) * 1000)::float8 as finished_at,
  count(*) over ()::int as total
from tasks t join agents a on a.id = t.agent_id
where t.prompt_id = $1 and t.kind = 'main' and t.state = 'completed' and not t.test
order by t.id desc limit $2 offset $3`,
};

export interface AnswerRow {
  id: number;
  agent_id: number;
  agent_name: string;
  response: string;
  check_right: boolean | null;
  names_itself: boolean;
  votes: number;
  hidden: boolean;
  finished_at: number;
  total: number;
}

export function listAnswers(db: Db, promptId: number, page: { limit: number; offset: number }): Promise<AnswerRow[]> {
  return db.run<AnswerRow>(ANSWERS, [promptId, page.limit, page.offset]);
}
