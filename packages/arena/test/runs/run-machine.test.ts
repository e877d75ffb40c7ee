import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena, type TestArena } from "../support/test-arena.ts";
import { addActive, answerWell, distinctFind, endTask, play, queuedTasks, rows, takeTask } from "./players.ts";
import { newAccount, readRun, startRun } from "./run-world.ts";

describeOnBoth("the run machine", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database, { houseAgents: false });
  });
  afterEach(() => arena.stop());
  afterAll(() => database.close());

  /** The arena once more, with other settings on the same database. */
  async function restart(settings: Parameters<typeof createTestArena>[1]) {
    await arena.stop();
    arena = await createTestArena(database, settings, arena.clock);
  }

  const slotsOf = async (id: string, phase: string) =>
    (await readRun(arena, id)).phases.find((each) => each.phase === phase)?.slots ?? [];

  it("[EA-DISP-3] dispatches each phase with its candidate, and ends with a winner and a worth for each task", async () => {
    for (let count = 0; count < 4; count += 1) await addActive(database, arena);
    const id = await startRun(arena, { scouts: 2, verifiers_per_candidate: 2, critics_per_candidate: 2 });
    const seen: string[] = [];
    await play(database, arena, (task) => {
      seen.push(`${task.phase} ${task.candidateId === null ? "-" : "candidate"}`);
      const { payload } = task as unknown as { payload: Record<string, unknown> };
      expect(payload).toMatchObject({ runId: id, phase: task.phase, role: task.phase, candidateId: task.candidateId });
      return answerWell(task);
    });
    const run = await readRun(arena, id);
    expect(run).toMatchObject({ status: "COMPLETED" });
    expect([...new Set(seen)]).toEqual(["SCOUT -", "BUILD candidate", "VERIFY candidate", "CRITIQUE candidate"]);
    expect(run.phases.flatMap((each) => each.slots).every((slot) => slot.score !== null)).toBe(true);
    expect(run.cost).toMatchObject({ tasks: 12 });
    // No panel has one agent twice.
    for (const { slots } of run.phases) {
      const seats = slots.map((slot) => `${slot.candidate_id} ${slot.agent?.id}`);
      expect(new Set(seats).size).toBe(seats.length);
    }
  });

  it("[EA-DISP-12] gives each phase a system message with its scoring and shape, and others' text only as marked data", async () => {
    for (let count = 0; count < 3; count += 1) await addActive(database, arena);
    await startRun(arena, { scouts: 1 });
    const prompts = new Map<string, { role: string; content: string }[]>();
    await play(database, arena, (task) => {
      prompts.set(task.phase, task.payload.messages);
      return answerWell(task, task.phase === "SCOUT" ? { why_now: "MARKED-TEXT" } : {});
    });
    expect([...prompts.keys()]).toEqual(["SCOUT", "BUILD", "VERIFY", "CRITIQUE"]);
    for (const [phase, messages] of prompts) {
      expect(messages.map((each) => each.role)).toEqual(["system", "user"]);
      const [system, user] = messages.map((each) => each.content) as [string, string];
      expect(system).toContain("### How it is scored");
      expect(system).toContain("## What to return");
      expect(system).not.toContain("MARKED-TEXT");
      if (phase === "SCOUT") continue;
      const nonce = /<<<DATA ([0-9a-f]{32})>>>/.exec(system)?.[1] as string;
      const inside = user.slice(user.indexOf(`<<<DATA ${nonce}>>>`), user.indexOf(`<<<END DATA ${nonce}>>>`));
      expect(inside).toContain("MARKED-TEXT");
      expect(user.replace(inside, "")).not.toContain("MARKED-TEXT");
    }
  });

  it("gives a failed slot once to another agent, and fails it with the second's cause", async () => {
    const agents = [
      await addActive(database, arena),
      await addActive(database, arena),
      await addActive(database, arena),
    ];
    const id = await startRun(arena, { scouts: 1 });
    const asked: number[] = [];
    await play(database, arena, (task) => {
      asked.push(task.agentId);
      return { cause: asked.length === 1 ? "timeout" : "invalid", error: "no" };
    });
    expect(new Set(asked).size).toBe(2);
    expect(agents.map((each) => each.id)).toEqual(expect.arrayContaining(asked));
    expect(await readRun(arena, id)).toMatchObject({ status: "FAILED", reason: "no scout gave a valid answer" });
    expect(await slotsOf(id, "SCOUT")).toMatchObject([{ state: "failed", cause: "invalid", tries: 2 }]);
    const worth = await rows(database.db, "select agent_id, score from contributions order by task_id");
    expect(worth).toEqual(asked.map((agent_id) => ({ agent_id, score: 0 })));
  });

  it("gives a slot that nobody claimed again, to somebody else, without using up its second try", async () => {
    for (let count = 0; count < 3; count += 1) await addActive(database, arena);
    const id = await startRun(arena, { scouts: 1 });
    const asked: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      await arena.passes.runs();
      asked.push(...(await queuedTasks(database)).map((task) => task.agentId));
      arena.clock.advance(16);
      await arena.passes.sweep();
    }
    expect(new Set(asked).size).toBe(3);
    expect(await slotsOf(id, "SCOUT")).toMatchObject([{ state: "working", tries: 0 }]);
    expect(await rows(database.db, "select * from contributions")).toEqual([]);
  });

  it("goes on to another agent when the arena lost a task, blames nobody, and does not try for ever", async () => {
    for (let count = 0; count < 6; count += 1) await addActive(database, arena);
    const id = await startRun(arena, { scouts: 1 });
    const asked: number[] = [];
    await play(database, arena, (task) => {
      asked.push(task.agentId);
      return { cause: "arena", error: "a node died" };
    });
    expect(new Set(asked).size).toBe(3);
    expect(await slotsOf(id, "SCOUT")).toMatchObject([{ state: "failed", cause: "arena", tries: 0 }]);
    expect(await rows(database.db, "select * from contributions")).toEqual([]);
  });

  it("fails a slot that no agent was free for within the wait, as the arena's cause", async () => {
    const id = await startRun(arena, { scouts: 2 });
    await arena.passes.runs();
    arena.clock.advance(119);
    await arena.passes.runs();
    expect(await slotsOf(id, "SCOUT")).toMatchObject([{ state: "waiting" }, { state: "waiting" }]);
    arena.clock.advance(1);
    await arena.passes.runs();
    expect(await readRun(arena, id)).toMatchObject({ status: "FAILED", reason: "no scout gave a valid answer" });
    expect(await slotsOf(id, "SCOUT")).toMatchObject([
      { state: "failed", cause: "arena", detail: "no agent was free within 120 s" },
      { state: "failed", cause: "arena" },
    ]);
  });

  it.each([
    ["PENDING", {}, 0],
    ["SUSPENDED", {}, 0],
    ["PAUSED", {}, 0],
    ["ACTIVE", {}, 3],
    ["DEGRADED", {}, 3],
    ["PROBATION", {}, 1],
    ["ACTIVE", { roles: ["BUILDER", "ANALYST"] }, 0],
  ] as const)("gives an agent that is %s with %j at most %i tasks of three", async (status, change, most) => {
    const roles = "roles" in change ? { roles: [...change.roles] } : {};
    await addActive(database, arena, { status, maxConcurrent: 5, ...roles });
    for (let count = 0; count < 3; count += 1) await startRun(arena, { scouts: 1 });
    await arena.passes.runs();
    expect((await queuedTasks(database)).length).toBe(most);
  });

  it.each([
    ["cooldown_until = '2031-01-01'"],
    ["suspended_at = '2029-01-01'"],
    ["deactivated_at = '2029-01-01'"],
    ["banned_at = '2029-01-01'"],
    ["max_tasks_per_day = 0"],
  ])("[EA-DISP-13] gives nothing to an agent with %s", async (change) => {
    const { id } = await addActive(database, arena);
    await database.db.orm.execute(sql.raw(`update agents set ${change} where id = ${id}`));
    await startRun(arena, { scouts: 1 });
    await arena.passes.runs();
    expect(await queuedTasks(database)).toEqual([]);
  });

  it("stops at max_tasks_per_day, and goes on a day later", async () => {
    const { id } = await addActive(database, arena, { maxConcurrent: 5 });
    await database.db.orm.execute(sql.raw(`update agents set max_tasks_per_day = 2 where id = ${id}`));
    for (let count = 0; count < 3; count += 1)
      await startRun(arena, {
        scouts: 1,
        builders_per_candidate: 0,
        verifiers_per_candidate: 0,
        critics_per_candidate: 0,
      });
    await play(database, arena, undefined, 3);
    expect(await rows(database.db, "select count(*)::int as n from tasks")).toEqual([{ n: 2 }]);
    await database.db.orm.execute(sql.raw("update slots set waiting_since = waiting_since + interval '1 day'"));
    arena.clock.advance(86_401);
    await play(database, arena, undefined, 3);
    expect(await rows(database.db, "select count(*)::int as n from tasks")).toEqual([{ n: 3 }]);
  });

  it("ends a run of scouts alone COMPLETED, with its candidates and no ranking", async () => {
    await addActive(database, arena, { maxConcurrent: 3 });
    await addActive(database, arena, { maxConcurrent: 3 });
    const none = { builders_per_candidate: 0, verifiers_per_candidate: 0, critics_per_candidate: 0 };
    const id = await startRun(arena, { scouts: 2, ...none });
    await play(database, arena);
    const run = await readRun(arena, id);
    expect(run).toMatchObject({ status: "COMPLETED", winner_id: null, ranking: [] });
    expect(run.candidates.map((each) => [each.number, each.state, each.score])).toEqual([
      [1, "in", null],
      [2, "in", null],
    ]);
  });

  it("sets a near-identical candidate aside, naming the first, and goes on with one", async () => {
    for (let count = 0; count < 3; count += 1) await addActive(database, arena, { maxConcurrent: 4 });
    const id = await startRun(arena, { scouts: 3 });
    const found = [
      { ...distinctFind(1), candidate_title: "Invoices from timesheets" },
      { ...distinctFind(1), candidate_title: "INVOICES, from timesheets!" },
      distinctFind(2),
    ];
    let scouted = 0;
    await play(database, arena, (task) => answerWell(task, task.phase === "SCOUT" ? found[scouted++] : {}));
    const run = await readRun(arena, id);
    expect(run.status).toBe("COMPLETED");
    const [first] = run.candidates;
    expect(run.candidates.map((each) => [each.number, each.state, each.duplicate_of, each.reason])).toEqual([
      [1, "in", null, null],
      [2, "duplicate", first?.id, "nearly the same as candidate 1"],
      [3, "in", null, null],
    ]);
    expect(run.phases.slice(1).map(({ slots }) => slots.length)).toEqual([2, 2, 2]);
    const worth = run.phases[0]?.slots.map((slot) => slot.score_terms);
    expect(worth).toEqual([{ candidate: expect.any(Number) }, { duplicate: 25 }, { candidate: expect.any(Number) }]);
  });

  it("has nobody judge work of their own account while there is a house, and marks it when there is none", async () => {
    const own = await addActive(database, arena, { maxConcurrent: 5 });
    const alone = await startRun(arena, { scouts: 1 });
    await play(database, arena);
    const marked = await readRun(arena, alone);
    expect(marked.status).toBe("COMPLETED");
    expect(marked.phases.map(({ phase, slots }) => [phase, slots[0]?.own_account])).toEqual([
      ["SCOUT", false],
      ["BUILD", false],
      ["VERIFY", true],
      ["CRITIQUE", true],
    ]);

    await restart({ houseAgents: true });
    const housed = await startRun(arena, { scouts: 1 });
    await play(database, arena);
    const run = await readRun(arena, housed);
    expect(run.phases.map(({ phase, slots }) => [phase, slots[0]?.agent?.house, slots[0]?.own_account])).toEqual([
      ["SCOUT", false, false],
      ["BUILD", false, false],
      ["VERIFY", true, false],
      ["CRITIQUE", true, false],
    ]);
    expect(run.phases[0]?.slots[0]?.agent?.id).toBe(own.id);
  });

  it("keeps a place for agents that are busy, and lets the house have it after ten seconds", async () => {
    await restart({ houseAgents: true });
    const busy = await addActive(database, arena);
    const first = await startRun(arena, { scouts: 1 });
    await arena.passes.runs();
    const [task] = await queuedTasks(database);
    await takeTask(database, arena, task?.id as number);
    const second = await startRun(arena, { scouts: 1 });
    arena.clock.advance(9);
    await arena.passes.runs();
    expect(await slotsOf(second, "SCOUT")).toMatchObject([{ state: "waiting", agent: null }]);
    arena.clock.advance(1);
    await arena.passes.runs();
    expect(await slotsOf(second, "SCOUT")).toMatchObject([{ state: "working", agent: { house: true } }]);
    expect(await slotsOf(first, "SCOUT")).toMatchObject([{ agent: { id: busy.id, house: false } }]);
  });

  it("fails a run whose candidates the critics all eliminate, and still shows the terms", async () => {
    for (let count = 0; count < 3; count += 1) await addActive(database, arena);
    const id = await startRun(arena, { scouts: 1 });
    const no = { verdict: "eliminate", elimination_reason: "no buyer" };
    await play(database, arena, (task) => answerWell(task, task.phase === "CRITIQUE" ? no : {}));
    const run = await readRun(arena, id);
    expect(run).toMatchObject({ status: "FAILED", reason: "the critics eliminated every candidate", winner_id: null });
    expect(run.candidates).toMatchObject([{ state: "eliminated", rank: null, score: 0, terms: { eliminated: true } }]);
  });

  it.each(["BUILD", "VERIFY", "CRITIQUE"] as const)(
    "fails when no %s slot brings a valid answer, and names the phase",
    async (phase) => {
      for (let count = 0; count < 3; count += 1) await addActive(database, arena);
      const id = await startRun(arena, { scouts: 1 });
      await play(database, arena, (task) =>
        task.phase === phase ? { cause: "invalid", error: "x" } : answerWell(task),
      );
      const run = await readRun(arena, id);
      expect(run).toMatchObject({ status: "FAILED", reason: `no candidate was left after ${phase}` });
      expect(run.candidates[0]).toMatchObject({ state: "dropped" });
    },
  );

  it("cancels: what is in work is withdrawn, later answers change nothing, and only its owner may", async () => {
    await addActive(database, arena);
    const headers = await newAccount(arena);
    const id = await startRun(arena, { scouts: 2 }, headers);
    await arena.passes.runs();
    const [task] = await queuedTasks(database);
    await takeTask(database, arena, task?.id as number);
    const cancel = (by: Record<string, string>) =>
      arena.app.inject({ method: "POST", url: `/api/runs/${id}/cancel`, headers: by });
    expect((await cancel(await newAccount(arena))).statusCode).toBe(404);
    expect((await cancel({})).statusCode).toBe(401);
    expect((await cancel(headers)).json()).toMatchObject({ status: "CANCELLED" });
    expect(await endTask(database, arena, task as never, answerWell(task as never))).toBe(false);
    await arena.passes.runs();
    expect(await slotsOf(id, "SCOUT")).toMatchObject([{ state: "cancelled" }, { state: "cancelled" }]);
    expect(await rows(database.db, "select state from tasks")).toEqual([{ state: "cancelled" }]);
    expect((await cancel(headers)).statusCode).toBe(200);
  });

  it("refuses to cancel what is over", async () => {
    await restart({ houseAgents: true });
    const headers = await newAccount(arena);
    const id = await startRun(arena, { scouts: 1 }, headers);
    await play(database, arena);
    const late = await arena.app.inject({ method: "POST", url: `/api/runs/${id}/cancel`, headers });
    expect([late.statusCode, late.json().detail]).toEqual([409, "this run is over: COMPLETED"]);
  });
});
