import { and, eq } from "drizzle-orm";
import { toTimestamp } from "../db/clock.ts";
import type { Database, Db, Statement } from "../db/database.ts";
import { tasks } from "../db/schema.ts";
import type { Clock, Random } from "../ports.ts";

const OPEN: Statement = {
  name: "open-test-task",
  text: `select t.id from agents a left join tasks t
    on t.agent_id = a.id and t.test and (t.state = 'queued' or t.state = 'running')
  where a.id = $1 order by t.id limit 1 for update of a`,
};
const QUEUE: Statement = {
  name: "queue-test-task",
  text: `
insert into tasks (agent_id, kind, prompt_id, state, test, deadline_seconds, inserted_at)
select $1, 'gym', p.id, 'queued', true, coalesce(p.deadline_seconds, $2), $3
from prompts p where p.kind = 'gym' and p.retired_at is null order by p.id limit 1
returning id`,
};

/**
 * Queues a test task, or finds the one that is still open: an owner who asks twice wants to see an answer, not to send
 * two. The agent's row is locked meanwhile, so that two calls at once make one.
 *
 * @returns undefined when there is no gym prompt to test with
 */
export async function queueTestTask(
  db: Database,
  ports: { clock: Clock; random: Random },
  agentId: number,
  deadlineSeconds: number,
): Promise<number | undefined> {
  return db.transaction(async (tx) => {
    const [open] = await tx.run<{ id: number | null }>(OPEN, [agentId]);
    if (open?.id != null) return open.id;
    const now = toTimestamp(ports.clock.now());
    const [made] = await tx.run<{ id: number }>(QUEUE, [agentId, deadlineSeconds, now]);
    return made?.id;
  });
}

/** A task of an agent, for its owner. */
export async function findOwnTask(db: Db, agentId: number, taskId: number) {
  const [row] = await db.orm
    .select({
      task_id: tasks.id,
      kind: tasks.kind,
      test: tasks.test,
      state: tasks.state,
      cause: tasks.cause,
      response: tasks.response,
      error: tasks.error,
      latency_ms: tasks.latencyMs,
    })
    .from(tasks)
    .where(and(eq(tasks.agentId, agentId), eq(tasks.id, taskId)));
  return row;
}
