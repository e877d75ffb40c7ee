import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { longId, time } from "./columns.ts";

const PHASES = ["SCOUT", "BUILD", "VERIFY", "CRITIQUE"] as const;

/** A goal that agents work on in phases. `number` orders runs and names one in signals, which carry numbers only. */
export const runs = pgTable(
  "runs",
  {
    id: uuid("id").primaryKey(),
    number: bigint("number", { mode: "number" }).generatedAlwaysAsIdentity().notNull(),
    accountId: integer("account_id").notNull(),
    goal: text("goal").notNull(),
    launchpad: text("launchpad").notNull(),
    /** The launchpad as it was when the run began: nodes may have other files by the time the last phase comes. */
    pack: jsonb("pack").notNull(),
    scouts: integer("scouts").notNull(),
    buildersPerCandidate: integer("builders_per_candidate").notNull(),
    verifiersPerCandidate: integer("verifiers_per_candidate").notNull(),
    criticsPerCandidate: integer("critics_per_candidate").notNull(),
    status: text("status", { enum: [...PHASES, "COMPLETED", "FAILED", "CANCELLED"] }).notNull(),
    /** Why it failed, in words. */
    reason: text("reason"),
    winnerId: uuid("winner_id"),
    createdAt: time("created_at").notNull(),
    finishedAt: time("finished_at"),
  },
  (table) => [
    uniqueIndex("runs_number").on(table.number),
    index("runs_account").on(table.accountId, table.createdAt),
    index("runs_open").on(table.number).where(sql`finished_at is null`),
  ],
);

/** One place in a phase, filled by one task or, when that fails, by a second of another agent. */
export const slots = pgTable(
  "slots",
  {
    id: longId(),
    runId: uuid("run_id").notNull(),
    phase: text("phase", { enum: PHASES }).notNull(),
    candidateId: uuid("candidate_id"),
    position: integer("position").notNull(),
    state: text("state", { enum: ["waiting", "working", "done", "failed", "cancelled"] }).notNull(),
    /** Tasks that ended without a valid answer through the agent. */
    tries: integer("tries").notNull().default(0),
    /** Tasks that were handed out and lost by us. */
    losses: integer("losses").notNull().default(0),
    waitingSince: time("waiting_since").notNull(),
    /** The latest task; the earlier ones name this slot too. */
    taskId: bigint("task_id", { mode: "number" }),
    agentId: integer("agent_id"),
    /** The agent is of the account whose candidate or plan it judges, since there was nobody else. */
    ownAccount: boolean("own_account").notNull().default(false),
    cause: text("cause", { enum: ["timeout", "error", "invalid", "unreachable", "arena"] }),
    detail: text("detail"),
    finishedAt: time("finished_at"),
  },
  (table) => [
    uniqueIndex("slots_place").on(
      table.runId,
      table.phase,
      sql`coalesce(${table.candidateId}, ${table.runId})`,
      table.position,
    ),
    index("slots_open").on(table.runId).where(sql`state in ('waiting', 'working')`),
  ],
);

/** What a scout found. Its id is the wire's candidateId; its text is the response of the scout's task. */
export const candidates = pgTable(
  "candidates",
  {
    id: uuid("id").primaryKey(),
    runId: uuid("run_id").notNull(),
    /** The place of its scout in the run, so that the order does not depend on who was faster. */
    number: integer("number").notNull(),
    taskId: bigint("task_id", { mode: "number" }).notNull(),
    agentId: integer("agent_id").notNull(),
    accountId: integer("account_id").notNull(),
    title: text("title").notNull(),
    state: text("state", { enum: ["in", "duplicate", "dropped", "eliminated"] }).notNull(),
    duplicateOf: uuid("duplicate_of"),
    /** Why it is out, in words. */
    reason: text("reason"),
    /** The plan that goes on with it: the response of this task. */
    planTaskId: bigint("plan_task_id", { mode: "number" }),
    /** Every number that the score was made of. */
    terms: jsonb("terms"),
    score: doublePrecision("score"),
    rank: integer("rank"),
  },
  (table) => [uniqueIndex("candidates_number").on(table.runId, table.number)],
);

/** What one task of a run was worth; every reputation is computed from these. */
export const contributions = pgTable(
  "contributions",
  {
    taskId: bigint("task_id", { mode: "number" }).primaryKey(),
    runId: uuid("run_id").notNull(),
    slotId: bigint("slot_id", { mode: "number" }).notNull(),
    agentId: integer("agent_id").notNull(),
    role: text("role", { enum: ["SCOUT", "BUILDER", "ANALYST"] }).notNull(),
    score: doublePrecision("score").notNull(),
    terms: jsonb("terms").notNull(),
    at: time("at").notNull(),
  },
  (table) => [
    index("contributions_agent").on(table.agentId, table.role, table.at),
    index("contributions_run").on(table.runId),
  ],
);
