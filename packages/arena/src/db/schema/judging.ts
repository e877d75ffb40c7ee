import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { id, longId, time } from "./columns.ts";

/** Two answers to one prompt. `answer_a` is the smaller id, so that a pair of answers has one battle per kind. */
export const battles = pgTable(
  "battles",
  {
    id: longId(),
    promptId: integer("prompt_id").notNull(),
    answerA: bigint("answer_a", { mode: "number" }).notNull(),
    answerB: bigint("answer_b", { mode: "number" }).notNull(),
    agentA: integer("agent_a").notNull(),
    agentB: integer("agent_b").notNull(),
    /** Who decides it: people and models look at presentations, a check needs none. */
    judgedBy: text("judged_by", { enum: ["people", "check"] }).notNull(),
    /** Counted votes. */
    votes: integer("votes").notNull().default(0),
    createdAt: time("created_at").notNull(),
    /** Its first counted vote. */
    decidedAt: time("decided_at"),
    /** The battle that this one decides anew. */
    rejudges: bigint("rejudges", { mode: "number" }),
    /** Another one has taken its place: it is shown to nobody any more. */
    replaced: boolean("replaced").notNull().default(false),
  },
  (table) => [
    index("battles_prompt").on(table.promptId),
    uniqueIndex("battles_pair").on(table.answerA, table.answerB, table.judgedBy).where(sql`not replaced`),
    index("battles_decided").on(table.id).where(sql`decided_at is not null`),
    index("battles_agent_a").on(table.agentA, table.id).where(sql`decided_at is not null`),
    index("battles_agent_b").on(table.agentB, table.id).where(sql`decided_at is not null`),
  ],
);

/** One showing of a battle to one judge. Its random id is the only id that a judge sees. */
export const presentations = pgTable(
  "presentations",
  {
    id: uuid("id").primaryKey(),
    battleId: bigint("battle_id", { mode: "number" })
      .notNull()
      .references(() => battles.id),
    judgeKind: text("judge_kind", { enum: ["account", "anonymous", "model"] }).notNull(),
    judgeId: text("judge_id").notNull(),
    answerA: bigint("answer_a", { mode: "number" }).notNull(),
    answerB: bigint("answer_b", { mode: "number" }).notNull(),
    /** The battle's B stands on the left. */
    flipped: boolean("flipped").notNull(),
    state: text("state", { enum: ["live", "voted", "skipped", "expired"] }).notNull(),
    createdAt: time("created_at").notNull(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("presentations_live").on(table.battleId).where(sql`state = 'live'`),
    index("presentations_judge").on(table.judgeKind, table.judgeId, table.createdAt),
    index("presentations_expiry").on(table.expiresAt).where(sql`state = 'live'`),
  ],
);

/** What people said is wrong with an answer. */
export const reports = pgTable(
  "reports",
  {
    id: longId(),
    presentationId: uuid("presentation_id").notNull(),
    answerId: bigint("answer_id", { mode: "number" }).notNull(),
    judgeKind: text("judge_kind").notNull(),
    judgeId: text("judge_id").notNull(),
    reason: text("reason", { enum: ["spam", "harm", "names_itself"] }).notNull(),
    comment: text("comment"),
    createdAt: time("created_at").notNull(),
    /** The operator has looked at it and let the answer be. */
    dismissedAt: time("dismissed_at"),
  },
  (table) => [uniqueIndex("reports_once").on(table.presentationId, table.answerId)],
);

/** The log every rating is a function of. Append-only; `number` has no gaps and follows the order of commits. */
export const votes = pgTable(
  "votes",
  {
    number: bigint("number", { mode: "number" }).primaryKey(),
    battleId: bigint("battle_id", { mode: "number" }).notNull(),
    judgeKind: text("judge_kind", { enum: ["account", "check", "anonymous", "model"] }).notNull(),
    judgeId: text("judge_id").notNull(),
    outcome: text("outcome", { enum: ["a", "b", "tie", "both_bad"] }).notNull(),
    agentA: integer("agent_a").notNull(),
    agentB: integer("agent_b").notNull(),
    category: text("category").notNull(),
    /** Whether it counted when it was cast; it counts as long as no ruling stands against it. */
    counted: boolean("counted").notNull(),
    castAt: time("cast_at").notNull(),
    /** Elo over all of each side after this vote, where it counts. */
    eloA: doublePrecision("elo_a"),
    eloB: doublePrecision("elo_b"),
    /** The ruling that keeps it from counting. */
    rulingId: integer("ruling_id"),
  },
  (table) => [
    uniqueIndex("votes_once").on(table.battleId, table.judgeKind, table.judgeId),
    index("votes_agent_a").on(table.agentA, table.number),
    index("votes_agent_b").on(table.agentB, table.number),
    index("votes_judge").on(table.judgeKind, table.judgeId, table.number).where(sql`judge_kind <> 'check'`),
  ],
);

/** What the operator decided about votes in the log. Votes stay as they were cast; a ruling says which do not count. */
export const rulings = pgTable("rulings", {
  id: id(),
  kind: text("kind", { enum: ["void", "rejudge", "quarantine", "release"] }).notNull(),
  /** What was chosen, as it was asked for. */
  choice: jsonb("choice").$type<Record<string, unknown>>().notNull(),
  reason: text("reason").notNull(),
  decidedBy: text("decided_by").notNull(),
  decidedAt: time("decided_at").notNull(),
  /** The last number of the log at that time. */
  position: bigint("position", { mode: "number" }).notNull(),
});

/** The votes that a ruling is about. */
export const rulingVotes = pgTable(
  "ruling_votes",
  {
    rulingId: integer("ruling_id").notNull(),
    number: bigint("number", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.rulingId, table.number] })],
);

/** What could not be found out about an answer. Nothing is held against the agent; the operator is told. */
export const unknownGates = pgTable(
  "unknown_gates",
  {
    answerId: bigint("answer_id", { mode: "number" }).notNull(),
    gate: text("gate", { enum: ["check", "names_itself"] }).notNull(),
    detail: text("detail").notNull(),
    foundAt: time("found_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.answerId, table.gate] })],
);
