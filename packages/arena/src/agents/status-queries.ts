import { toTimestamp } from "../db/clock.ts";
import { type Db, lookedUpByKey, type Statement } from "../db/database.ts";
import type { Random } from "../ports.ts";
import { type AgentStatus, type StatusEvent, type StatusState, stepStatus } from "./status.ts";

/** Something that happened to an agent, with the cause and the sentence that its owner reads if it changes the status. */
export interface StatusChange {
  agentId: number;
  event: StatusEvent;
  cause: string;
  detail: string;
}

/** Seconds between two health pings, by status. */
export interface Cadence {
  healthActiveSeconds: number;
  healthDegradedSeconds: number;
  healthProbationSeconds: number;
}

export interface StatusContext {
  random: Random;
  settings: Cadence;
}

interface Row {
  id: number;
  status: AgentStatus;
  since: number;
  failures: number;
  successes: number;
}

/** Index: agents by primary key. Locks the rows by id, as everybody does who locks several agents. */
const LOCK: Statement = {
  name: "lock-statuses",
  text: `
select id, status, (extract(epoch from status_since) * 1000)::float8 as since, failures_in_row as failures, successes_in_row as successes
from agents where id = any($1::int[]) and status is not null order by id for update`,
};

const SAVE: Statement = {
  name: "save-statuses",
  text: `
with input as (
  select * from unnest($1::int[], $2::text[], $3::timestamptz[], $4::int[], $5::int[], $6::boolean[], $7::timestamptz[])
    as i(id, status, since, failures, successes, entered, next_probe_at)
  where ${lookedUpByKey("id")}
)
update agents a set status = i.status, status_since = i.since, failures_in_row = i.failures, successes_in_row = i.successes,
  next_probe_at = case when i.entered then i.next_probe_at else a.next_probe_at end,
  paused_at = case when i.status <> 'PAUSED' then null when a.paused_at is null then i.since else a.paused_at end
from input i where a.id = i.id`,
};

const NOTE: Statement = {
  name: "note-transitions",
  text: `
insert into agent_transitions (agent_id, at, from_status, to_status, cause, detail)
select i.agent_id, $1, i.from_status, i.to_status, i.cause, i.detail
from unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[])
  with ordinality as i(agent_id, from_status, to_status, cause, detail, place) order by i.place`,
};

/**
 * Takes events of agents through the status machine, in order, under their rows' locks: of two nodes that learn of
 * something at once, each sees what the other made of it. Agents of the tesserax dialect have no status and stay as
 * they are.
 *
 * @param tx runs inside the transaction of whatever the events are the outcome of
 * @returns the status of each agent concerned, after the events
 */
export async function changeStatuses(
  tx: Db,
  context: StatusContext,
  now: number,
  changes: readonly StatusChange[],
): Promise<Map<number, AgentStatus>> {
  const rows = await tx.run<Row>(LOCK, [[...new Set(changes.map((each) => each.agentId))]]);
  const states = new Map<number, StatusState>(rows.map(({ id, ...state }) => [id, state]));
  const before = new Map(states);
  const notes: { agentId: number; from: string; to: string; cause: string; detail: string }[] = [];
  for (const { agentId, event, cause, detail } of changes) {
    const state = states.get(agentId);
    if (state === undefined) continue;
    const next = stepStatus(state, event, now);
    states.set(agentId, next);
    if (next.status !== state.status) notes.push({ agentId, from: state.status, to: next.status, cause, detail });
  }
  const changed = [...states].filter(([id, state]) => state !== before.get(id));
  if (changed.length > 0) {
    await tx.run(SAVE, [
      changed.map(([id]) => id),
      changed.map(([, state]) => state.status),
      changed.map(([, state]) => toTimestamp(state.since)),
      changed.map(([, state]) => state.failures),
      changed.map(([, state]) => state.successes),
      changed.map(([id, state]) => state.status !== before.get(id)?.status),
      changed.map(([, state]) => {
        const wait = firstProbeSeconds(state.status, context);
        return wait === undefined ? null : toTimestamp(now + wait * 1000);
      }),
    ]);
  }
  if (notes.length > 0) {
    await tx.run(NOTE, [
      toTimestamp(now),
      notes.map((note) => note.agentId),
      notes.map((note) => note.from),
      notes.map((note) => note.to),
      notes.map((note) => note.cause),
      notes.map((note) => note.detail),
    ]);
  }
  return new Map([...states].map(([id, state]) => [id, state.status]));
}

const LOCK_REVISION: Statement = {
  name: "lock-revision",
  text: `select revision from agents where id = $1 for update`,
};

/** Locks an agent's row; returns its revision, by which a new URL, key or role is told. */
export async function lockRevision(tx: Db, agentId: number): Promise<number | undefined> {
  const [row] = await tx.run<{ revision: number }>(LOCK_REVISION, [agentId]);
  return row?.revision;
}

/** Seconds between pings of an agent of this status; undefined for those that are never pinged. */
export function cadenceSeconds(status: AgentStatus, settings: Cadence): number | undefined {
  if (status === "ACTIVE") return settings.healthActiveSeconds;
  if (status === "DEGRADED") return settings.healthDegradedSeconds;
  if (status === "PROBATION") return settings.healthProbationSeconds;
  return undefined;
}

/** The first ping of an active agent comes at a random point of its cadence, so that those activated together are not pinged together. */
function firstProbeSeconds(status: AgentStatus, { random, settings }: StatusContext): number | undefined {
  const cadence = cadenceSeconds(status, settings);
  if (cadence === undefined || status !== "ACTIVE") return cadence;
  return cadence * (Buffer.from(random.bytes(4)).readUInt32BE() / 2 ** 32);
}
