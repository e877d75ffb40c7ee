import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createRunOutcomes, type RunOutcome, type RunRecord } from "../../src/tasks/run-outcomes.ts";
import { sweepTasks } from "../../src/tasks/task-expiry.ts";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createManualClock } from "../support/test-arena.ts";

/** What can happen to a task that was sent: both ways of answering it, its dispatcher, a cancelled run, the sweep. */
const EVENTS = [
  "answer",
  "invalid",
  "error",
  "unreachable",
  "timeout",
  "arena",
  "call",
  "wrong call",
  "late call",
  "cancel",
  "sweep",
] as const;
type Event = (typeof EVENTS)[number];

const STATES: Partial<Record<Event, string>> = { answer: "completed", call: "completed", timeout: "timeout" };
const BLAMED: ReadonlySet<Event> = new Set(["error", "unreachable", "timeout"]);
const TASKS = 50;
const DEADLINE_MS = 30_000;

describeOnBoth("outcomes that race for a task", (kind) => {
  let database: TestDatabase;
  const clock = createManualClock();

  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(() => emptyTables(database));

  it("leave it with exactly one end, the first, and the agent with the blame for that one alone, in thousands of orders", async () => {
    const context = {
      random: { bytes: (length: number) => new Uint8Array(length), uuid: () => crypto.randomUUID() },
      settings: {
        cooldownSeconds: 60,
        healthActiveSeconds: 300,
        healthDegradedSeconds: 60,
        healthProbationSeconds: 60,
      },
    };
    const nodes = [1, 2].map(() => createRunOutcomes(database.db, clock, context));
    const scenario = fc.array(fc.record({ event: fc.constantFrom(...EVENTS), node: fc.nat(1), turns: fc.nat(3) }), {
      minLength: 1,
      maxLength: 5,
    });

    async function happen(event: Event, taskId: number, node: number): Promise<RunRecord | undefined> {
      const task = { taskId, agentId: taskId };
      const at = clock.now() + (event === "late call" ? DEADLINE_MS + 1 : 0);
      const completion = { signature: `${taskId} ${event}`, arrivedAt: at };
      const outcome: Partial<Record<Event, RunOutcome>> = {
        answer: { ...task, response: "{}" },
        call: { ...task, response: "{}", completion },
        "late call": { ...task, response: "{}", completion },
        "wrong call": { ...task, cause: "invalid", error: "no", completion },
        invalid: { ...task, cause: "invalid", error: "no" },
        error: { ...task, cause: "error", error: "no" },
        unreachable: { ...task, cause: "unreachable", error: "no" },
        timeout: { ...task, cause: "timeout", error: "no" },
        arena: { ...task, cause: "arena", error: "no" },
      };
      const recorded = outcome[event];
      if (recorded !== undefined) return nodes[node]?.add(recorded);
      if (event === "cancel") {
        const cancelled = await database.db.run(
          {
            name: "cancel-task",
            text: "update tasks set state = 'cancelled', finished_at = $2 where id = $1 and state = 'running' returning id",
          },
          [taskId, new Date(clock.now()).toISOString()],
        );
        return { recorded: cancelled.length > 0, replayed: false };
      }
      // Within the deadline it finds nothing.
      const settings = { resultGraceSeconds: 5, slowdownSeconds: 30, slowdownMaxSeconds: 900 };
      await sweepTasks(database.db, clock, { ...settings, endUnanswered: async () => {} });
      return undefined;
    }

    await fc.assert(
      fc.asyncProperty(fc.array(scenario, { minLength: TASKS, maxLength: TASKS }), async (scenarios) => {
        await emptyTables(database);
        const now = new Date(clock.now()).toISOString();
        await database.db.orm.execute(sql`insert into accounts (username, created_at) values ('o', ${now})`);
        await database.db.orm.execute(sql`insert into agents (account_id, name, transport, dialect, url, owner_handle, secret_sealed,
          secret_hash, created_at, status, status_since, next_probe_at)
          select 1, 'a', 'push', 'edgearena-v1', 'http://a', 'o', 's', 'h', ${now}, 'ACTIVE', ${now}, ${now} from generate_series(1, ${TASKS}::int)`);
        await database.db.orm.execute(sql`insert into tasks (uuid, agent_id, kind, state, deadline_seconds, inserted_at, started_at, deadline_at)
          select gen_random_uuid(), n, 'scout', 'running', 30, ${now}, ${now}, ${now}::timestamptz + interval '30 seconds'
          from generate_series(1, ${TASKS}::int) n`);

        const winners = await Promise.all(
          scenarios.map(async (events, index) => {
            const results = await Promise.all(
              events.map(async ({ event, node, turns }) => {
                for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
                return { event, result: await happen(event, index + 1, node) };
              }),
            );
            return results.filter(({ result }) => result?.recorded).map(({ event }) => event);
          }),
        );

        const text = `select t.id, t.state, t.cause, a.failures_in_row as failures, a.cooldown_until is not null as cooling
          from tasks t join agents a on a.id = t.agent_id order by t.id`;
        const rows = await database.db.run<{
          id: number;
          state: string;
          cause: string | null;
          failures: number;
          cooling: boolean;
        }>({ name: "ends", text }, []);
        rows.forEach((row, index) => {
          const [winner, ...others] = winners[index] as Event[];
          expect(others).toEqual([]);
          const canEnd = scenarios[index]?.some(({ event }) => event !== "late call" && event !== "sweep");
          expect(winner !== undefined).toBe(canEnd);
          const state =
            winner === undefined ? "running" : winner === "cancel" ? "cancelled" : (STATES[winner] ?? "failed");
          expect(row.state).toBe(state);
          const isBlamed = winner !== undefined && BLAMED.has(winner);
          expect([row.failures, row.cooling]).toEqual([isBlamed ? 1 : 0, isBlamed]);
        });
      }),
      // The races are PostgreSQL's: on the embedded database one statement follows the other.
      { numRuns: kind === "postgres" ? 40 : 5 },
    );
  }, 120_000);
});
