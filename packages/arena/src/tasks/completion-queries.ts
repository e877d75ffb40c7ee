import type { RunKind } from "@agon/protocol";
import type { Db, Statement } from "../db/database.ts";

/** A run task as a completion call finds it. */
export interface CompletedTask {
  taskId: number;
  kind: RunKind;
  candidateId: string | null;
  agentId: number;
  /** Whether it went, or would go, to an endpoint of somebody's by push. */
  isExternal: boolean;
  /** The sealed key of its agent; undefined when the agent is gone. */
  secretSealed: string | undefined;
}

/** Index: `tasks_wire`. */
const FIND: Statement = {
  name: "find-completed-task",
  text: `
select t.id, t.kind, t.candidate_id, t.agent_id, coalesce(a.transport = 'push' and a.dialect = 'edgearena-v1', true) as is_external,
  case when a.deactivated_at is null then a.secret_sealed end as secret_sealed
from tasks t left join agents a on a.id = t.agent_id
where t.uuid = $1 and t.kind in ('scout', 'build', 'verify', 'critique')`,
};

interface Row {
  id: number;
  kind: RunKind;
  candidate_id: string | null;
  agent_id: number;
  is_external: boolean;
  secret_sealed: string | null;
}

/** The run task of this id on the wire; undefined for an id that none has, and for a text that is no UUID. */
export async function findCompletedTask(db: Db, uuid: string): Promise<CompletedTask | undefined> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uuid)) return undefined;
  const [row] = await db.run<Row>(FIND, [uuid]);
  if (row === undefined) return undefined;
  return {
    taskId: row.id,
    kind: row.kind,
    candidateId: row.candidate_id,
    agentId: row.agent_id,
    isExternal: row.is_external,
    secretSealed: row.secret_sealed ?? undefined,
  };
}
