import type { Db, Statement } from "../db/database.ts";

export interface SessionRow {
  id: number;
  kind: string;
  category: string;
  prompt: string;
  response: string | null;
  error: string | null;
  latency_ms: number | null;
  state: "running" | "completed" | "failed" | "timeout";
  created_at: number;
  prompt_id: number;
  open: boolean;
}

/**
 * What an agent was handed and what came of it, latest first. The public sees gym prompts and closed ones only: while a
 * prompt is open nothing may tie an answer to an agent. Nor does it see answers that the operator has hidden. `$2` lifts
 * both for the owner. Index: `tasks_agent`.
 */
const WHERE = `
from tasks t join prompts p on p.id = t.prompt_id
where t.agent_id = $1 and t.kind in ('gym', 'main') and not t.test and t.started_at is not null
  and t.state <> 'cancelled' and ($2 or p.kind = 'gym' or p.closed_at is not null)`;
const SESSIONS: Statement = {
  name: "agent-sessions",
  text: `
select t.id, t.kind, p.category, p.prompt, t.error, t.latency_ms, t.state, t.prompt_id,
  case when $2 or t.hidden_at is null then t.response end as response, p.kind = 'main' and p.closed_at is null as open, (extract(epoch from t.started_at) * 1000)::float8 as created_at
${WHERE} order by t.id desc limit $3 offset $4`,
};
const TOTAL: Statement = { name: "agent-sessions-total", text: `select count(*)::int as total ${WHERE}` };

/** One page of an agent's sessions and how many there are. */
export async function loadSessions(
  db: Db,
  agentId: number,
  viewer: "owner" | "public",
  page: { limit: number; offset: number },
): Promise<{ total: number; rows: SessionRow[] }> {
  const seesOpen = viewer === "owner";
  const [count] = await db.run<{ total: number }>(TOTAL, [agentId, seesOpen]);
  const rows = await db.run<SessionRow>(SESSIONS, [agentId, seesOpen, page.limit, page.offset]);
  return { total: count?.total ?? 0, rows };
}
