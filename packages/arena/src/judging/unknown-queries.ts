import { asc, count, eq, inArray } from "drizzle-orm";
import type { Db, Statement } from "../db/database.ts";
import { tasks, unknownGates } from "../db/schema.ts";

export type Gate = (typeof unknownGates.$inferSelect)["gate"];

/** Something that could not be found out about an answer, and why. */
export interface UnknownGate {
  answerId: number;
  gate: Gate;
  detail: string;
}

export interface UncheckedAnswer {
  id: number;
  agent_id: number;
  account_id: number;
  prompt_id: number;
  response: string;
  check: unknown;
}

/** Answers whose check came to nothing, to prompts that still have one and are open. By primary keys. */
const UNCHECKED: Statement = {
  name: "unchecked-answers",
  text: `
select t.id, t.agent_id, a.account_id, t.prompt_id, t.response, q.check
from unknown_gates u join tasks t on t.id = u.answer_id join agents a on a.id = t.agent_id
join prompts q on q.id = t.prompt_id
where u.gate = 'check' and u.answer_id > $1 and q.check is not null and q.closed_at is null and t.hidden_at is null
order by u.answer_id limit $2`,
};
const SET_RIGHT: Statement = {
  name: "set-unchecked-right",
  text: `
update tasks t set check_right = i.check_right from unnest($1::bigint[], $2::boolean[]) as i(id, check_right)
where t.id = i.id and t.id = any($1::bigint[]) and t.check_right is null returning t.id`,
};

export async function noteUnknown(tx: Db, gates: readonly UnknownGate[], now: number): Promise<void> {
  if (gates.length === 0) return;
  const foundAt = new Date(now);
  await tx.orm
    .insert(unknownGates)
    .values(gates.map((gate) => ({ ...gate, foundAt })))
    .onConflictDoNothing();
}

export async function listUnknown(db: Db, page: { limit: number; offset: number }) {
  const [total] = await db.orm.select({ total: count() }).from(unknownGates);
  const rows = await db.orm
    .select({ gate: unknownGates, promptId: tasks.promptId })
    .from(unknownGates)
    .innerJoin(tasks, eq(tasks.id, unknownGates.answerId))
    .orderBy(asc(unknownGates.answerId), asc(unknownGates.gate))
    .limit(page.limit)
    .offset(page.offset);
  return { total: Number(total?.total ?? 0), rows };
}

export async function countUnknown(db: Db): Promise<number> {
  const [row] = await db.orm.select({ total: count() }).from(unknownGates);
  return Number(row?.total ?? 0);
}

export function loadUnchecked(db: Db, after: number, limit: number): Promise<UncheckedAnswer[]> {
  return db.run<UncheckedAnswer>(UNCHECKED, [after, limit]);
}

/** Notes what checks found after all. @returns the answers for which nobody had */
export async function settleUnchecked(tx: Db, found: ReadonlyMap<number, boolean>): Promise<ReadonlySet<number>> {
  const ids = [...found.keys()];
  const rows = await tx.run<{ id: number }>(SET_RIGHT, [ids, ids.map((id) => found.get(id))]);
  const settled = rows.map((row) => row.id);
  if (settled.length > 0) await tx.orm.delete(unknownGates).where(inArray(unknownGates.answerId, settled));
  return new Set(settled);
}
