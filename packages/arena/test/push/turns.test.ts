import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { resetTurns } from "../../src/agents/push-turns.ts";
import type { Db } from "../../src/db/database.ts";
import { type Decision, loadTurns, type Turn, takeTestTurns, takeTurns } from "../../src/tasks/push-claims.ts";
import { claimRunTasks } from "../../src/tasks/run-claims.ts";
import { sweepTasks } from "../../src/tasks/task-expiry.ts";
import {
  describeOnBoth,
  emptyTables,
  openPostgresNode,
  openTestDatabase,
  type TestDatabase,
} from "../support/open-databases.ts";

const NOW = Date.UTC(2030, 0, 1);
const LIMITS = { gapSeconds: 30, deadlineSeconds: 300 };

describeOnBoth("turns of push agents", (kind) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(() => emptyTables(database));

  const run = (text: string) => database.db.orm.execute(text);

  /** Agents of an owner whose turns came a second after one another, with columns as SQL over their number `n`. */
  async function addAgents(count: number, columns: Record<string, string> = {}): Promise<void> {
    const all = { dialect: "'tesserax'", ...columns };
    await run(`insert into accounts (username, created_at) values ('owner', now())`);
    await run(`insert into agents (account_id, name, transport, owner_handle, secret_sealed, secret_hash, created_at, url,
        ${Object.keys(all).join(", ")})
      select 1, 'pushed', 'push', 'x', 's', 'h', now(), 'https://a.test/', ${Object.values(all).join(", ")}
      from generate_series(1, ${count}) n`);
    await run(`insert into push_turns (agent_id, next_at)
      select id, '2029-12-31'::timestamptz + make_interval(secs => id) from agents`);
  }

  async function addPrompts(count: number): Promise<void> {
    await run(`insert into prompts (kind, prompt, category, created_at)
      select 'main', 'Why ' || n || '?', 'x', now() from generate_series(1, ${count}) n`);
  }

  const addTask = (agentId: number, columns: Record<string, string>) =>
    run(`insert into tasks (agent_id, kind, prompt_id, deadline_seconds, inserted_at, ${Object.keys(columns).join(", ")})
      values (${agentId}, 'main', 1, 300, now(), ${Object.values(columns).join(", ")})`);

  const turnsAt = (now: number, limit = 100, atWork: number[] = []) => loadTurns(database.db, now, { limit, atWork });
  const give = (turn: Turn, promptId: number): Decision => ({
    turn,
    task: { agentId: turn.agentId, kind: "main", promptId },
  });
  const take = async (decisions: Decision[], now = NOW, db: Db = database.db) =>
    (await takeTurns(db, now, LIMITS, decisions)).work;
  const restsOf = (turns: Turn[]) => turns.map((turn) => [turn.agentId, turn.restSeconds]);

  it("come in the order of their times, and again after the gap", async () => {
    await addAgents(3);
    await addPrompts(2);
    const turns = await turnsAt(NOW, 2);
    expect(turns.map((turn) => turn.agentId)).toEqual([1, 2]);
    const work = await take(turns.map((turn) => give(turn, turn.agentId)));
    expect(work).toEqual([
      expect.objectContaining({ agentId: 1, promptId: 1, prompt: "Why 1?", category: "x", deadlineSeconds: 300 }),
      expect.objectContaining({ agentId: 2, promptId: 2, prompt: "Why 2?", kind: "main", test: false }),
    ]);
    const begun = await database.db.orm.execute(
      `select state, deadline_at = '2030-01-01T00:05:00Z' as due from tasks order by agent_id`,
    );
    expect((begun as unknown as { rows: unknown[] }).rows).toEqual(Array(2).fill({ state: "running", due: true }));
    expect((await turnsAt(NOW + 29_999)).map((turn) => turn.agentId)).toEqual([3]);
    expect((await turnsAt(NOW + 30_000)).map((turn) => turn.agentId)).toEqual([3, 1, 2]);
    expect((await turnsAt(NOW + 30_000, 100, [2, 3])).map((turn) => turn.agentId)).toEqual([1]);
  });

  it("say how long to let an agent be that may have nothing now", async () => {
    await addAgents(7, {
      paused_at: "case n when 1 then now() end",
      ping_error: "case n when 2 then 'silent' end",
      banned_at: "case n when 3 then now() end",
      slowed_until: `case n when 4 then '2030-01-01T00:00:07.5Z'::timestamptz end`,
      max_tasks_per_day: "case n when 5 then 1 end",
    });
    await addPrompts(1);
    await addTask(5, { state: "'completed'", started_at: "'2029-12-31T23:00Z'", finished_at: "now()" });
    await addTask(6, { state: "'running'", started_at: "now()" });
    const turns = await turnsAt(NOW);
    expect(turns.filter((turn) => turn.isAtWork).map((turn) => turn.agentId)).toEqual([6]);
    expect(restsOf(turns)).toEqual([
      [1, 60],
      [2, 60],
      [3, 60],
      [4, 7.5],
      [5, 60],
      [6, 1],
      [7, undefined],
    ]);
    expect(await take(turns.map((turn) => ({ turn, restSeconds: turn.restSeconds ?? 5 })))).toEqual([]);
    expect(restsOf(await turnsAt(NOW))).toEqual([]);
    expect(restsOf(await turnsAt(NOW + 1_000))).toEqual([[6, 1]]);
    expect(restsOf(await turnsAt(NOW + 7_500)).map(([id]) => id)).toEqual([6, 7, 4]);
    // And when the day is over, it is the turn of the fifth again.
    expect((await turnsAt(NOW + 24 * 3_600_000)).find((turn) => turn.agentId === 5)?.restSeconds).toBeUndefined();
  });

  it("are taken once, without a gap too, whoever saw them", async () => {
    await addAgents(5);
    await addPrompts(5);
    const node = database.url === undefined ? undefined : await openPostgresNode(database.url);
    const turns = await turnsAt(NOW);
    const both = await Promise.all(
      [database.db, node?.db ?? database.db].map((db) =>
        takeTurns(
          db,
          NOW,
          { gapSeconds: 0, deadlineSeconds: 300 },
          turns.map((turn) => give(turn, turn.agentId)),
        ),
      ),
    );
    expect(both.flatMap(({ work }) => work.map((each) => each.agentId)).sort()).toEqual([1, 2, 3, 4, 5]);
    await node?.close();
  });

  it("stay where they are when the prompt is gone, or was given to the agent before", async () => {
    await addAgents(2);
    await addPrompts(2);
    await run(`update prompts set closed_at = now() where id = 1`);
    await run(`insert into assignments (agent_id, prompt_id) values (2, 2)`);
    const [first, second] = (await turnsAt(NOW)) as [Turn, Turn];
    const decisions = [give(first, 1), give(second, 2)];
    const tasks = decisions.map((decision) => ("task" in decision ? decision.task : undefined));
    expect(await takeTurns(database.db, NOW, LIMITS, decisions)).toEqual({ work: [], refused: tasks });
    // Whose turn went to somebody else is not told that its prompt was wrong.
    expect(await takeTurns(database.db, NOW, LIMITS, decisions)).toEqual({ work: [], refused: [] });
    expect((await turnsAt(NOW)).map((turn) => turn.agentId)).toEqual([1, 2]);
    const { rows } = (await run("select count(*)::int as tasks from tasks")) as unknown as { rows: unknown[] };
    expect(rows).toEqual([{ tasks: 0 }]);
  });

  it("are no matter for a test task, which goes to a paused agent too and moves nobody's turn", async () => {
    await addAgents(2, { paused_at: "now()" });
    await run(`insert into prompts (kind, prompt, category, created_at) values ('gym', 'Ready?', 'x', now())`);
    await run(`insert into tasks (agent_id, kind, prompt_id, state, test, deadline_seconds, inserted_at)
      values (2, 'gym', 1, 'queued', true, 60, now())`);
    await run(`update push_turns set next_at = '2030-02-01'`);
    const turns = await turnsAt(NOW);
    expect(turns.map((turn) => [turn.agentId, turn.testTaskId, turn.restSeconds])).toEqual([[2, 1, undefined]]);
    const again = await turnsAt(NOW);
    expect(await takeTestTurns(database.db, NOW, turns)).toEqual([
      expect.objectContaining({
        taskId: 1,
        agentId: 2,
        kind: "gym",
        test: true,
        prompt: "Ready?",
        deadlineSeconds: 60,
      }),
    ]);
    expect(await takeTestTurns(database.db, NOW, again)).toEqual([]);
    expect(await turnsAt(NOW)).toEqual([]);
    // Another one waits until that is over.
    await run(`insert into tasks (agent_id, kind, prompt_id, state, test, deadline_seconds, inserted_at)
      values (2, 'gym', 1, 'queued', true, 60, now())`);
    expect(await turnsAt(NOW)).toEqual([]);
  });

  it("come at once when what barred them is lifted, but not before their gap", async () => {
    await addAgents(2, { paused_at: "case n when 1 then now() end" });
    await addPrompts(1);
    const [paused, free] = (await turnsAt(NOW)) as [Turn, Turn];
    expect(await take([{ turn: paused, restSeconds: 60 }, give(free, 1)])).toHaveLength(1);
    await run("update agents set paused_at = null");
    await resetTurns(database.db, { accountId: 1 }, NOW + 1_000);
    expect((await turnsAt(NOW + 1_000)).map((turn) => turn.agentId)).toEqual([1]);
    expect((await turnsAt(NOW + 30_000)).map((turn) => turn.agentId)).toEqual([1, 2]);
  });

  it("are decided anew when something changed after a pass has looked", async () => {
    await addAgents(2, { paused_at: "case n when 1 then now() end" });
    await addPrompts(1);
    const [paused, free] = (await turnsAt(NOW)) as [Turn, Turn];
    // The one is resumed, the other gets a new secret, while a pass chooses prompts.
    await run("update agents set paused_at = null, secret_sealed = 'new'");
    await resetTurns(database.db, { agentId: 1 }, NOW + 1_000);
    await resetTurns(database.db, { agentId: 2 }, NOW + 1_000);
    expect(await take([{ turn: paused, restSeconds: 60 }, give(free, 1)])).toEqual([]);
    expect((await turnsAt(NOW + 1_000)).map((turn) => [turn.agentId, turn.restSeconds, turn.secretSealed])).toEqual([
      [1, undefined, "new"],
      [2, undefined, "new"],
    ]);
  });

  it("need no queue: what an earlier version queued for them is withdrawn, and its prompt given back", async () => {
    await addAgents(1);
    await addPrompts(1);
    await addTask(1, { state: "'queued'" });
    await run("insert into assignments (agent_id, prompt_id) values (1, 1)");
    const settings = { resultGraceSeconds: 10, slowdownSeconds: 30, slowdownMaxSeconds: 900 };
    await sweepTasks(database.db, { now: () => NOW }, { ...settings, endUnanswered: async () => undefined });
    const [turn] = (await turnsAt(NOW)) as [Turn];
    expect(await take([give(turn, 1)])).toHaveLength(1);
  });

  it("of runs pass by agents without room, however many they are", async () => {
    await addAgents(5, { dialect: "'edgearena-v1'", status: "'ACTIVE'", status_since: "now()" });
    await run(`insert into tasks (agent_id, kind, state, deadline_seconds, inserted_at, started_at)
      select n, 'scout', state, 300, now(), case state when 'running' then now() end
      from generate_series(1, 5) n, (values ('running'), ('queued')) as s(state) where state = 'queued' or n <= 4`);
    await run(`insert into task_payloads (task_id, payload) select id, '{}' from tasks`);
    const work = await claimRunTasks(database.db, { now: () => NOW }, 2);
    expect(work.map((each) => each.agentId)).toEqual([5]);
  });

  it("of runs begin when their agent is locked, which is after what made room for them has ended", async () => {
    await addAgents(1, { dialect: "'edgearena-v1'", status: "'ACTIVE'", status_since: "now()", max_concurrent: "1" });
    await run(`insert into tasks (agent_id, kind, state, deadline_seconds, inserted_at, started_at)
      select 1, 'scout', state, 300, now(), case state when 'running' then now() end
      from (values ('running'), ('queued')) as s(state)`);
    await run(`insert into task_payloads (task_id, payload) select id, '{}' from tasks`);
    let now = NOW;
    const busy = {
      ...database.db,
      transaction: async <T>(work: (tx: Db) => Promise<T>) => {
        now += 700;
        await run(`update tasks set state = 'failed', finished_at = '2030-01-01T00:00:00.7Z' where state = 'running'`);
        return database.db.transaction(work);
      },
    };
    expect(await claimRunTasks(busy, { now: () => now }, 1)).toHaveLength(1);
    const order = await database.db.orm.execute(
      `select a.finished_at <= b.started_at as after, b.deadline_at - b.started_at = '300 s' as whole
       from tasks a, tasks b where a.state = 'failed' and b.state = 'running'`,
    );
    expect((order as unknown as { rows: unknown[] }).rows).toEqual([{ after: true, whole: true }]);
  });
});
