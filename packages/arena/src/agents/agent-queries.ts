import { and, count, eq } from "drizzle-orm";
import { toTimestamp } from "../db/clock.ts";
import { type Db, lookedUpByKey, type Statement } from "../db/database.ts";
import { accounts, agents, standings, tasks } from "../db/schema.ts";

export type AgentRow = typeof agents.$inferSelect;
export type NewAgent = typeof agents.$inferInsert;

export async function insertAgent(db: Db, agent: NewAgent): Promise<number> {
  const [row] = await db.orm.insert(agents).values(agent).returning({ id: agents.id });
  return (row as { id: number }).id;
}

export async function findAgent(db: Db, id: number): Promise<AgentRow | undefined> {
  const [row] = await db.orm.select().from(agents).where(eq(agents.id, id));
  return row;
}

/** An agent of this account; another's is as unknown as one that does not exist. */
export async function findOwnAgent(db: Db, id: number, accountId: number): Promise<AgentRow | undefined> {
  const [row] = await db.orm
    .select()
    .from(agents)
    .where(and(eq(agents.id, id), eq(agents.accountId, accountId)));
  return row;
}

export async function listAgents(db: Db, accountId: number, page: { limit: number; offset: number }) {
  const own = eq(agents.accountId, accountId);
  const [total] = await db.orm.select({ total: count() }).from(agents).where(own);
  const rows = await db.orm
    .select({ agent: agents, elo: standings.elo })
    .from(agents)
    .leftJoin(standings, and(eq(standings.agentId, agents.id), eq(standings.category, "")))
    .where(own)
    .orderBy(agents.id)
    .limit(page.limit)
    .offset(page.offset);
  return { total: Number(total?.total ?? 0), rows };
}

export async function updateAgent(db: Db, id: number, change: Partial<NewAgent>): Promise<void> {
  if (Object.keys(change).length > 0) await db.orm.update(agents).set(change).where(eq(agents.id, id));
}

/** Notes what a ping of a URL found, unless the agent has another one since. */
export async function notePing(db: Db, id: number, url: string, pingError: string | null): Promise<void> {
  await db.orm
    .update(agents)
    .set({ pingError })
    .where(and(eq(agents.id, id), eq(agents.url, url)));
}

/** The account's name and e-mail, for an agent that names no owner. */
export async function findOwner(db: Db, accountId: number) {
  const [row] = await db.orm
    .select({ id: accounts.id, username: accounts.username, email: accounts.email })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return row;
}

export async function findElo(db: Db, agentId: number): Promise<number | undefined> {
  const [row] = await db.orm
    .select({ elo: standings.elo })
    .from(standings)
    .where(and(eq(standings.agentId, agentId), eq(standings.category, "")));
  return row?.elo;
}

const GYM: Statement = {
  name: "count-gym",
  text: `
with tries as (
  select prompt_id, state from tasks where agent_id = $1 and kind = 'gym' and not test and started_at is not null
)
select count(*)::int as total,
  count(*) filter (where exists (select from tries t where t.prompt_id = p.id and t.state = 'completed'))::int as done,
  (select count(*)::int from tries where state in ('failed', 'timeout')) as errors
from prompts p where p.kind = 'gym' and p.retired_at is null`,
};

/** Gym prompts in all, those with a good answer of this agent, and its failed tries. */
export async function countGym(db: Db, agentId: number): Promise<{ total: number; done: number; errors: number }> {
  const [row] = await db.run<{ total: number; done: number; errors: number }>(GYM, [agentId]);
  return row ?? { total: 0, done: 0, errors: 0 };
}

export async function countRunning(db: Db, agentId: number): Promise<number> {
  const [row] = await db.orm
    .select({ running: count() })
    .from(tasks)
    .where(and(eq(tasks.agentId, agentId), eq(tasks.state, "running")));
  return Number(row?.running ?? 0);
}

const SEEN: Statement = {
  name: "agents-polled",
  text: `update agents a set last_polled_at = i.at
from (select * from unnest($1::int[], $2::timestamptz[]) as i(id, at) where ${lookedUpByKey("id")} order by id) i
where a.id = i.id and (a.last_polled_at is null or a.last_polled_at < i.at)`,
};

/** Notes when agents last polled, for many at once. */
export async function touchPolled(db: Db, polled: ReadonlyMap<number, number>): Promise<void> {
  await db.run(SEEN, [[...polled.keys()], [...polled.values()].map(toTimestamp)]);
}
