import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { id, longId, time } from "./columns.ts";

export const agents = pgTable(
  "agents",
  {
    id: id(),
    accountId: integer("account_id")
      .notNull()
      .references(() => accounts.id),
    name: text("name").notNull(),
    /** House agents are the arena's own: they answer in its process and nobody calls them. */
    transport: text("transport", { enum: ["push", "pull", "house"] }).notNull(),
    dialect: text("dialect", { enum: ["tesserax", "edgearena-v1"] }).notNull(),
    url: text("url"),
    ownerHandle: text("owner_handle").notNull(),
    modelClaimed: text("model_claimed"),
    costClaimed: text("cost_claimed"),
    toolsClaimed: jsonb("tools_claimed").$type<string[]>().notNull().default([]),
    description: text("description"),
    roles: jsonb("roles").$type<("SCOUT" | "BUILDER" | "ANALYST")[]>().notNull().default([]),
    /** The secret under AES-256-GCM, and its SHA-256 (hex) by which a pull call is recognised. */
    secretSealed: text("secret_sealed").notNull(),
    secretHash: text("secret_hash").notNull(),
    maxConcurrent: integer("max_concurrent").notNull().default(1),
    maxTasksPerDay: integer("max_tasks_per_day"),
    pingError: text("ping_error"),
    createdAt: time("created_at").notNull(),
    deactivatedAt: time("deactivated_at"),
    /** The owner's switch. */
    pausedAt: time("paused_at"),
    suspendedAt: time("suspended_at"),
    /** The operator's word on it, for the owner. */
    suspendedReason: text("suspended_reason"),
    /** Copied from the account, so that a claim looks at one row. */
    bannedAt: time("banned_at"),
    gymCompletedAt: time("gym_completed_at"),
    lastPolledAt: time("last_polled_at"),
    /** Failures in a row, and until when they keep work away. */
    faultStreak: integer("fault_streak").notNull().default(0),
    slowedUntil: time("slowed_until"),
    slowedCause: text("slowed_cause"),
    /** The machine of agents/status.ts; edgearena-v1 only. */
    status: text("status", { enum: ["PENDING", "ACTIVE", "DEGRADED", "PROBATION", "SUSPENDED", "PAUSED"] }),
    /** What began before this counts neither way. */
    statusSince: time("status_since"),
    failuresInRow: integer("failures_in_row").notNull().default(0),
    successesInRow: integer("successes_in_row").notNull().default(0),
    /** One more with each new URL, secret or set of roles: what an activation began with is told by it. */
    revision: integer("revision").notNull().default(0),
    /** When the next health ping is due; null while there is none to come. */
    nextProbeAt: time("next_probe_at"),
    cooldownUntil: time("cooldown_until"),
    cooldownCause: text("cooldown_cause"),
  },
  (table) => [
    index("agents_account").on(table.accountId),
    index("agents_probe").on(table.nextProbeAt).where(sql`next_probe_at is not null`),
    index("agents_status").on(table.status).where(sql`status is not null`),
    // Who may have places in runs: few of all agents, where most compete on the ladder.
    index("agents_roles").on(table.id).where(sql`roles <> '[]'::jsonb and deactivated_at is null`),
  ],
);

/**
 * When a push agent of the tesserax dialect may have its next task. Apart from `agents`: it is written with each push, and
 * there each write would carry the whole row and an entry in each of its indexes.
 */
export const pushTurns = pgTable(
  "push_turns",
  {
    agentId: integer("agent_id").primaryKey(),
    nextAt: time("next_at").notNull(),
    /** One more each time that somebody decided on a turn; who decides names the number that it saw. */
    taken: integer("taken").notNull().default(0),
    /** Put off because there was nothing for the agent or something barred it, not by the gap after a task. */
    resting: boolean("resting").notNull().default(false),
  },
  (table) => [index("push_turns_due").on(table.nextAt)],
);

/** Each change of an agent's status, with its cause for the owner. */
export const agentTransitions = pgTable(
  "agent_transitions",
  {
    id: longId(),
    agentId: integer("agent_id").notNull(),
    at: time("at").notNull(),
    from: text("from_status"),
    to: text("to_status").notNull(),
    cause: text("cause").notNull(),
    detail: text("detail").notNull(),
  },
  (table) => [index("agent_transitions_agent").on(table.agentId, table.id)],
);

/** GETs that asked whether an agent is there. */
export const healthChecks = pgTable(
  "health_checks",
  {
    id: longId(),
    agentId: integer("agent_id").notNull(),
    kind: text("kind", { enum: ["health", "verify"] }).notNull(),
    at: time("at").notNull(),
    ok: boolean("ok").notNull(),
    httpStatus: integer("http_status"),
    latencyMs: integer("latency_ms"),
    detail: text("detail").notNull(),
  },
  (table) => [index("health_checks_agent").on(table.agentId, table.id), index("health_checks_age").on(table.at)],
);

/** The latest activation of each agent: its steps so far, and whether a node is still at it. */
export const activations = pgTable("activations", {
  agentId: integer("agent_id").primaryKey(),
  /** Of this pass; a later pass has another. */
  id: uuid("id").notNull(),
  /** The agent's revision that it began with. */
  revision: integer("revision").notNull(),
  state: text("state", { enum: ["running", "passed", "failed"] }).notNull(),
  steps: jsonb("steps").notNull(),
  startedAt: time("started_at").notNull(),
  /** The node at it says so from time to time; one that is silent for long is gone. */
  aliveAt: time("alive_at").notNull(),
  finishedAt: time("finished_at"),
});
