import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { id, longId, time } from "./columns.ts";

export const prompts = pgTable(
  "prompts",
  {
    id: id(),
    externalId: text("external_id").unique(),
    kind: text("kind", { enum: ["gym", "main"] }).notNull(),
    prompt: text("prompt").notNull(),
    category: text("category").notNull(),
    deadlineSeconds: integer("deadline_seconds"),
    check: jsonb("check"),
    reference: text("reference"),
    source: text("source"),
    createdAt: time("created_at").notNull(),
    retiredAt: time("retired_at"),
    /** First and last day of its open life; see the word "prompt". */
    openedAt: time("opened_at"),
    closedAt: time("closed_at"),
    /** Valid answers counted so far by the judging pass. */
    answers: integer("answers").notNull().default(0),
  },
  (table) => [
    index("prompts_gym").on(table.id).where(sql`kind = 'gym' and retired_at is null`),
    index("prompts_open").on(table.openedAt).where(sql`kind = 'main' and closed_at is null`),
  ],
);

/**
 * Work for one agent. No foreign keys here and in `assignments`: each insert would lock the agent's and the prompt's row,
 * which is most of the cost of making a task, to guard against deletions that never happen (rows of both are kept).
 */
export const tasks = pgTable(
  "tasks",
  {
    id: longId(),
    /** The id on the wire of a run task. Ladder tasks go by their number. */
    uuid: uuid("uuid"),
    agentId: integer("agent_id").notNull(),
    kind: text("kind", { enum: ["gym", "main", "scout", "build", "verify", "critique"] }).notNull(),
    promptId: integer("prompt_id"),
    state: text("state", { enum: ["queued", "running", "completed", "failed", "timeout", "cancelled"] }).notNull(),
    /** A test task's outcome counts nowhere. */
    test: boolean("test").notNull().default(false),
    deadlineSeconds: integer("deadline_seconds").notNull(),
    insertedAt: time("inserted_at").notNull(),
    startedAt: time("started_at"),
    /** The advertised deadline; what is enforced adds the grace. */
    deadlineAt: time("deadline_at"),
    finishedAt: time("finished_at"),
    /** Its last hand-over broke off, so a parked poll may have it. */
    undelivered: boolean("undelivered").notNull().default(false),
    response: text("response"),
    error: text("error"),
    cause: text("cause", { enum: ["timeout", "error", "invalid", "unreachable", "arena"] }),
    latencyMs: integer("latency_ms"),
    /** Set when the judging pass has taken the answer up. */
    judgedAt: time("judged_at"),
    checkRight: boolean("check_right"),
    /** A later answer has been compared with this one by the check. */
    checkFollowed: boolean("check_followed").notNull().default(false),
    /**
     * May be shown to judges: a counted answer to an open prompt that nobody has hidden, once there is one of another
     * account beside it. Alone it could not be paired, and each search for a pair would step over it.
     */
    votable: boolean("votable").notNull().default(false),
    /** Counted votes of people. */
    votes: integer("votes").notNull().default(0),
    /** Names its agent, its owner or its model, so that votes on it do not count. */
    namesItself: boolean("names_itself").notNull().default(false),
    hiddenAt: time("hidden_at"),
    /** The rest is of run tasks alone. A test task has a slot of no run, and no `slotId`. */
    runId: uuid("run_id"),
    slotId: bigint("slot_id", { mode: "number" }),
    candidateId: uuid("candidate_id"),
    /** Unclaimed by then it is cancelled, and that is nobody's fault. */
    claimBy: time("claim_by"),
    /** The agent said with a 202 that it will call back. */
    acknowledgedAt: time("acknowledged_at"),
    promptTokens: integer("prompt_tokens"),
    completionTokens: integer("completion_tokens"),
    modelId: text("model_id"),
    /** What was odd about an answer that was taken. */
    note: text("note"),
  },
  (table) => [
    // Work for runs that is waiting, whoever's it is: few rows at any time.
    index("tasks_run_queued")
      .on(table.agentId, table.id)
      .where(sql`state = 'queued' and kind in ('scout', 'build', 'verify', 'critique')`),
    uniqueIndex("tasks_wire").on(table.uuid).where(sql`kind in ('scout', 'build', 'verify', 'critique')`),
    index("tasks_slot").on(table.slotId).where(sql`slot_id is not null`),
    index("tasks_queued").on(table.agentId, table.id).where(sql`state = 'queued'`),
    index("tasks_test_queued").on(table.agentId).where(sql`state = 'queued' and test`),
    index("tasks_running").on(table.agentId, table.id).where(sql`state = 'running'`),
    // The second condition is for the planner: only a query that asks for deadlines may take this one.
    index("tasks_deadline").on(table.deadlineAt).where(sql`state = 'running' and deadline_at is not null`),
    // One ladder task ahead per agent, whichever node makes it.
    uniqueIndex("tasks_one_ahead")
      .on(table.agentId)
      .where(sql`state = 'queued' and kind in ('gym', 'main') and not test`),
    uniqueIndex("tasks_gym_in_work")
      .on(table.agentId, table.promptId)
      .where(sql`state in ('queued', 'running') and kind = 'gym' and not test`),
    // What an agent was ever handed. Without the rest, no plan can mistake this index for the one of its queued tasks.
    index("tasks_agent").on(table.agentId, table.id).where(sql`started_at is not null`),
    index("tasks_unjudged").on(table.id).where(sql`state = 'completed' and kind = 'main' and judged_at is null`),
    index("tasks_answers").on(table.promptId, table.id).where(sql`state = 'completed' and kind = 'main'`),
    index("tasks_votable").on(table.namesItself, table.votes, table.id).where(sql`votable`),
    index("tasks_partners").on(table.promptId, table.namesItself, table.votes, table.id).where(sql`votable`),
  ],
);

/** What a run task is dispatched with: the JSON as it is sent. Apart from `tasks`, whose rows are rewritten often. */
export const taskPayloads = pgTable("task_payloads", {
  taskId: bigint("task_id", { mode: "number" }).primaryKey(),
  payload: text("payload").notNull(),
});

/** Every completion whose signature held, so that any node knows a repeat. */
export const completions = pgTable(
  "completions",
  {
    taskUuid: uuid("task_uuid").notNull(),
    /** Lower-case hex. */
    signature: text("signature").notNull(),
    at: time("at").notNull(),
  },
  (table) => [
    primaryKey({ name: "completions_pkey", columns: [table.taskUuid, table.signature] }),
    index("completions_age").on(table.at),
  ],
);

/** Who was given which prompt, for ever: nobody gets a prompt twice. */
export const assignments = pgTable(
  "assignments",
  {
    agentId: integer("agent_id").notNull(),
    promptId: integer("prompt_id").notNull(),
  },
  (table) => [primaryKey({ name: "assignments_pkey", columns: [table.agentId, table.promptId] })],
);

/** One HTTP exchange made for a task or a ping, or a note on one that an agent made, kept for its owner. */
export const deliveries = pgTable(
  "deliveries",
  {
    id: bigint("id", { mode: "number" }).generatedAlwaysAsIdentity().notNull(),
    agentId: integer("agent_id").notNull(),
    taskId: bigint("task_id", { mode: "number" }),
    purpose: text("purpose", { enum: ["task", "test", "ping", "result"] }).notNull(),
    startedAt: time("started_at").notNull(),
    url: text("url"),
    requestHeaders: json("request_headers").$type<Record<string, string>>(),
    requestBody: text("request_body"),
    requestBytes: integer("request_bytes"),
    status: integer("status"),
    responseHeaders: json("response_headers").$type<Record<string, string>>(),
    responseBody: text("response_body"),
    responseBytes: integer("response_bytes"),
    /** Milliseconds by stage. */
    timings: json("timings").$type<Record<string, number>>(),
    verdict: text("verdict", { enum: ["good", "failed"] }).notNull(),
    cause: text("cause"),
    /** Whose fault it was. */
    fault: text("fault", { enum: ["agent", "arena"] }),
    detail: text("detail").notNull(),
    advice: text("advice"),
  },
  (table) => [primaryKey({ name: "deliveries_pkey", columns: [table.agentId, table.id] })],
);
