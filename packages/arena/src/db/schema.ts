import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";

// Times are always with time zone: a plain timestamp shifts by the host's offset on both drivers.
const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const id = () => integer("id").primaryKey().generatedAlwaysAsIdentity();
const longId = () => bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity();

export const accounts = pgTable(
  "accounts",
  {
    id: id(),
    username: text("username").notNull(),
    displayName: text("display_name"),
    email: text("email"),
    bio: text("bio"),
    createdAt: time("created_at").notNull(),
    bannedAt: time("banned_at"),
    /** Its owner has left. The row stays, without anything personal: agents and votes name it. */
    deletedAt: time("deleted_at"),
  },
  (table) => [uniqueIndex("accounts_username").on(sql`lower(${table.username})`)],
);

export const apiKeys = pgTable(
  "api_keys",
  {
    id: id(),
    accountId: integer("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** SHA-256 of the key, hex. */
    keyHash: text("key_hash").notNull().unique(),
    createdAt: time("created_at").notNull(),
  },
  (table) => [index("api_keys_account").on(table.accountId)],
);

/** Somebody who is signed in with a browser. It ends with the key it was begun with. */
export const sessions = pgTable(
  "sessions",
  {
    /** SHA-256 of the cookie, hex. */
    tokenHash: text("token_hash").primaryKey(),
    keyId: integer("key_id")
      .notNull()
      .references(() => apiKeys.id, { onDelete: "cascade" }),
    createdAt: time("created_at").notNull(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [index("sessions_key").on(table.keyId), index("sessions_expiry").on(table.expiresAt)],
);

/** A browser in which somebody has shown the operator's key. It ends with the key, for a new one has another digest. */
export const operatorSessions = pgTable(
  "operator_sessions",
  {
    /** SHA-256 of the cookie, hex. */
    tokenHash: text("token_hash").primaryKey(),
    /** SHA-256 of the key, hex. */
    keyHash: text("key_hash").notNull(),
    createdAt: time("created_at").notNull(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [index("operator_sessions_expiry").on(table.expiresAt)],
);

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

/** Who was given which prompt, for ever: nobody gets a prompt twice. */
export const assignments = pgTable(
  "assignments",
  {
    agentId: integer("agent_id").notNull(),
    promptId: integer("prompt_id").notNull(),
  },
  (table) => [primaryKey({ name: "assignments_pkey", columns: [table.agentId, table.promptId] })],
);

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

/** The published ranking of a category (`''`: over all), as of a position in the log. */
export const rankings = pgTable("rankings", {
  category: text("category").primaryKey(),
  /** The last vote that it covers. */
  position: bigint("position", { mode: "number" }).notNull(),
  /** The last ruling that it covers; 0 before the first. */
  rulingId: integer("ruling_id").notNull(),
  fittedAt: time("fitted_at").notNull(),
  fitMs: doublePrecision("fit_ms").notNull(),
  battles: integer("battles").notNull(),
  bothBad: integer("both_bad").notNull(),
  components: integer("components").notNull(),
  logLikelihood: doublePrecision("log_likelihood").notNull(),
  /** Why the latest fit was not published; what is shown is then the one before. */
  problem: text("problem"),
});

export const rankingItems = pgTable(
  "ranking_items",
  {
    category: text("category").notNull(),
    agentId: integer("agent_id").notNull(),
    rating: doublePrecision("rating").notNull(),
    se: doublePrecision("se").notNull(),
    ciLow: doublePrecision("ci_low").notNull(),
    ciHigh: doublePrecision("ci_high").notNull(),
    /** Null for who is not on the board. */
    rankLow: integer("rank_low"),
    rankHigh: integer("rank_high"),
    component: integer("component").notNull(),
  },
  (table) => [primaryKey({ columns: [table.category, table.agentId] })],
);

/** How often two agents were before judges together, and how many of these votes count. `agent_a` is the smaller id. */
export const meetings = pgTable(
  "meetings",
  {
    agentA: integer("agent_a").notNull(),
    agentB: integer("agent_b").notNull(),
    shown: integer("shown").notNull(),
    votes: integer("votes").notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentA, table.agentB] })],
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

/** Elo and record per agent, over all (category `''`) and in each category. */
export const standings = pgTable(
  "standings",
  {
    agentId: integer("agent_id").notNull(),
    category: text("category").notNull(),
    elo: doublePrecision("elo").notNull(),
    battles: integer("battles").notNull(),
    wins: integer("wins").notNull(),
    losses: integer("losses").notNull(),
    ties: integer("ties").notNull(),
    bothBad: integer("both_bad").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.agentId, table.category] }),
    index("standings_board").on(table.category, table.elo),
  ],
);

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

export const counters = pgTable("counters", {
  name: text("name").primaryKey(),
  value: bigint("value", { mode: "number" }).notNull(),
});

/** How often something was done in a window of time, counted for all nodes together. */
export const limits = pgTable("limits", {
  key: text("key").primaryKey(),
  count: integer("count").notNull(),
  endsAt: time("ends_at").notNull(),
});

/** Small facts about this arena, such as the proof that the sealing key is the right one. */
export const facts = pgTable("facts", {
  name: text("name").primaryKey(),
  value: text("value").notNull(),
});
