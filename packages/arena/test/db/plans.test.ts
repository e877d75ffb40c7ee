import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database, Db, Statement } from "../../src/db/database.ts";
import {
  countAnswers,
  loadUnjudged,
  lockOpenPrompts,
  makeVotable,
  markJudged,
} from "../../src/judging/answer-queries.ts";
import { nextGymPrompts } from "../../src/ladder/gym.ts";
import { createPushRecords } from "../../src/push/push-records.ts";
import { loadTurns, type Turn, takeTestTurns, takeTurns } from "../../src/tasks/push-claims.ts";
import { claimRunTasks } from "../../src/tasks/run-claims.ts";
import { createRunOutcomes } from "../../src/tasks/run-outcomes.ts";
import { createClaims } from "../../src/tasks/task-claims.ts";
import { queueLadderTasks } from "../../src/tasks/task-inserts.ts";
import { createRecords } from "../../src/tasks/task-records.ts";
import { openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { hasPostgres } from "../support/test-databases.ts";

/** Indexes that hold few rows at any time and may be read whole. */
const SMALL = new Set(["tasks_test_queued", "tasks_run_queued", "tasks_unjudged", "prompts_gym"]);
const LARGE = new Set(["tasks", "agents", "prompts", "assignments", "deliveries", "push_turns"]);

interface Node {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  "Join Filter"?: string;
  Plans?: Node[];
}

const clock = { now: () => 1_900_000_000_000 };
const random = { uuid: () => "00000000-0000-4000-8000-000000000000", bytes: (count: number) => new Uint8Array(count) };
const settings = { resultGraceSeconds: 10, slowdownSeconds: 30, slowdownMaxSeconds: 900 };

/** The statements that something runs, on a database that answers nothing. */
async function statementsOf(work: (db: Database) => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = [];
  const db = {
    kind: "postgres",
    run: async (statement: Statement) => {
      seen.push(statement);
      // One row, so that what follows a lock is run too.
      return /^lock-|-waiting$/.test(statement.name) ? [{ id: 1 }] : [];
    },
  } as unknown as Database;
  db.transaction = <Result>(inner: (tx: Db) => Promise<Result>) => inner(db);
  // What is made of no rows is nobody's concern here.
  await work(db).catch(() => undefined);
  return seen;
}

const report = { agentId: 1, secretHash: "", taskId: 1, kind: "main" as const, latencyMs: 1, arrivedAt: 0 };
const outcome = { taskId: 1, agentId: 1, kind: "main" as const, response: "x", latencyMs: 1 };
const turn: Turn = {
  ...{ agentId: 1, taken: 0, url: "https://a.test/", secretSealed: "", gymComplete: true, hasFaults: false },
  ...{ testTaskId: undefined, restSeconds: undefined, isAtWork: false },
};
const cadence = { healthActiveSeconds: 1, healthDegradedSeconds: 1, healthProbationSeconds: 1, cooldownSeconds: 1 };
const HOT: readonly [string, (db: Database) => Promise<unknown>][] = [
  ["claims of polls", (db) => createClaims(db, clock).add({ agentId: 1, secretHash: "", holding: [], parked: false })],
  [
    "reports",
    (db) => createRecords(db, clock, settings, async () => {}).add({ ...report, response: "x", error: undefined }),
  ],
  ["turns of push agents", (db) => loadTurns(db, 0, { limit: 1, atWork: [] })],
  ["turns taken", (db) => takeTurns(db, 0, { gapSeconds: 1, deadlineSeconds: 1 }, [{ turn, restSeconds: 1 }])],
  ["turns taken for tests", (db) => takeTestTurns(db, 0, [turn])],
  [
    "outcomes of pushes",
    (db) =>
      createPushRecords(db, clock, settings, async () => {}).add({
        ...{ ...outcome, cause: undefined, error: undefined, hasFaults: true, delivery: undefined },
      }),
  ],
  ["claims of run tasks", (db) => claimRunTasks(db, { now: () => 0 }, 1)],
  ["outcomes of run tasks", (db) => createRunOutcomes(db, clock, { random, settings: cadence }).add(outcome)],
  ["ladder tasks", (db) => queueLadderTasks(db, clock, [{ agentId: 1, kind: "main", promptId: 1 }], 1)],
  ["gym prompts", (db) => nextGymPrompts(db, [1])],
  ["unjudged answers", (db) => loadUnjudged(db, { answers: 1, bytes: 1 })],
  [
    "marks on answers",
    (db) => markJudged(db, [{ answerId: 1, isOpen: true, checkRight: null, namesItself: false }], 0),
  ],
  ["locks on prompts", (db) => lockOpenPrompts(db, [1])],
  ["counts of answers", (db) => countAnswers(db, new Map([[1, 1]]), 0)],
  ["answers shown to judges", (db) => makeVotable(db, [1])],
];

describe.skipIf(!hasPostgres())("a kept plan, made on an empty database", () => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await openTestDatabase("postgres");
    client = new Client({ connectionString: database.url });
    await client.connect();
    // As connections of the arena are, with the plan that PostgreSQL goes over to after five uses.
    await client.query("set enable_seqscan = off; set plan_cache_mode = force_generic_plan");
  });
  afterAll(async () => {
    await client?.end();
    await database?.close();
  });

  async function explain(statement: Statement): Promise<Node[]> {
    const count = Math.max(0, ...[...statement.text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
    await client.query(`prepare asked as ${statement.text}`);
    const list = count === 0 ? "" : `(${Array(count).fill("null").join(", ")})`;
    const { rows } = await client.query(`explain (format json, costs off) execute asked${list}`);
    await client.query("deallocate asked");
    const all = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(all)];
    return all((rows[0] as { "QUERY PLAN": [{ Plan: Node }] })["QUERY PLAN"][0].Plan);
  }

  it.each(HOT)("looks rows up by key, and compares no two lists: %s", async (_name, work) => {
    const statements = await statementsOf(work);
    expect(statements).not.toEqual([]);
    for (const statement of statements) {
      const nodes = await explain(statement);
      const whole = nodes.filter(
        (node) =>
          (node["Node Type"] === "Seq Scan" && LARGE.has(node["Relation Name"] as string)) ||
          (node["Index Name"] !== undefined && node["Index Cond"] === undefined && !SMALL.has(node["Index Name"])),
      );
      const compared = nodes.filter((node) => node["Join Filter"] !== undefined);
      const told = [...whole, ...compared].map(({ Plans, ...node }) => node);
      expect([statement.name, told]).toEqual([statement.name, []]);
    }
  });
});
