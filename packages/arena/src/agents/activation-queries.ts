import type { ProbeStep } from "@agon/probes";
import { toStorableJson } from "@agon/protocol";
import { eq } from "drizzle-orm";
import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";
import { activations } from "../db/schema.ts";

export type ActivationRow = Omit<typeof activations.$inferSelect, "steps"> & { steps: ProbeStep[] };

/** A node at an activation says so every 10 s; one that is silent for this long has crashed. */
const SILENT_SECONDS = 35;

/**
 * One row per agent, so that two nodes asked at once cannot both begin: the second finds the first one's pass. The steps
 * of the pass before stay until the new one has its own.
 */
const BEGIN: Statement = {
  name: "begin-activation",
  text: `
insert into activations as v (agent_id, id, revision, state, steps, started_at, alive_at)
values ($1, $2, $3, 'running', '[]', $4, $4)
on conflict (agent_id) do update set id = $2, revision = $3, state = 'running', started_at = $4, alive_at = $4, finished_at = null,
  steps = case when v.revision = $3 then v.steps else '[]' end
where v.state <> 'running' or v.alive_at < $4::timestamptz - interval '${SILENT_SECONDS} seconds'
returning steps`,
};

/** @returns the steps of an earlier pass over the same revision; undefined when another pass is under way */
export async function beginActivation(
  db: Db,
  pass: { agentId: number; id: string; revision: number },
  now: number,
): Promise<ProbeStep[] | undefined> {
  const { agentId, id, revision } = pass;
  const [row] = await db.run<{ steps: ProbeStep[] }>(BEGIN, [agentId, id, revision, toTimestamp(now)]);
  return row?.steps;
}

const SAVE: Statement = {
  name: "save-activation",
  text: `
update activations set alive_at = $3, steps = coalesce($4::jsonb, steps), state = coalesce($5, state),
  finished_at = case when $5::text is null then finished_at else $3 end
where agent_id = $1 and id = $2 and state = 'running' returning id`,
};

/**
 * Says that a pass goes on, with its steps if there are new ones, or how it ended.
 *
 * @returns whether it was still the agent's present pass
 */
export async function saveActivation(
  db: Db,
  pass: { agentId: number; id: string },
  now: number,
  change: { steps?: readonly ProbeStep[]; state?: "passed" | "failed" } = {},
): Promise<boolean> {
  const steps = change.steps === undefined ? null : (toStorableJson(change.steps) as string);
  const saved = await db.run(SAVE, [pass.agentId, pass.id, toTimestamp(now), steps, change.state ?? null]);
  return saved.length > 0;
}

export async function findActivation(db: Db, agentId: number): Promise<ActivationRow | undefined> {
  const [row] = await db.orm.select().from(activations).where(eq(activations.agentId, agentId));
  return row as ActivationRow | undefined;
}
