import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { readTask } from "../support/signed-agents.ts";
import { addPrompts, createTestArena, registerAgent, type TestArena } from "../support/test-arena.ts";
import { addActive, answerWell, endTask, queuedTasks, rows, takeTask } from "./players.ts";

describeOnBoth("a test task of a phase", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database);
  });
  afterEach(() => arena.stop());
  afterAll(() => database.close());

  const ask = (agent: { id: number; headers: { authorization: string } }, payload?: object) =>
    arena.app.inject({
      method: "POST",
      url: `/api/agents/${agent.id}/test-task`,
      headers: agent.headers,
      ...(payload === undefined ? {} : { payload }),
    });

  it.each(["SCOUT", "BUILD", "VERIFY", "CRITIQUE"] as const)(
    "dispatches %s with a run and candidate of its own, and counts nowhere",
    async (phase) => {
      const agent = await addActive(database, arena);
      const answer = await ask(agent, { phase });
      expect(answer.statusCode).toBe(202);
      const [task] = await queuedTasks(database);
      expect(task).toMatchObject({
        id: answer.json().task_id,
        phase,
        payload: { phase, role: phase, launchpadName: "Make Money" },
      });
      expect(task?.candidateId === null).toBe(phase === "SCOUT");
      expect((await ask(agent, { phase })).json().task_id).toBe(task?.id);
      await takeTask(database, arena, task?.id as number);
      expect(await endTask(database, arena, task as never, answerWell(task as never))).toBe(true);
      expect(await readTask(database, task?.id as number)).toMatchObject({ state: "completed" });
      await arena.passes.runs();
      for (const table of ["contributions", "slots", "runs"])
        expect(await rows(database.db, `select * from ${table}`)).toEqual([]);
    },
  );

  it("is of the first role's phase when none is named", async () => {
    await ask(await addActive(database, arena, { roles: ["ANALYST"] }));
    expect((await queuedTasks(database)).map((task) => task.phase)).toEqual(["VERIFY"]);
  });

  it.each([
    [
      "a phase without its role",
      { roles: ["SCOUT"] },
      { phase: "BUILD" },
      409,
      "phase: BUILD is for agents with the role BUILDER",
    ],
    ["a phase that there is not", {}, { phase: "JUDGE" }, 400, "phase"],
    ["an agent that is sent nothing", { status: "SUSPENDED" }, {}, 409, "this agent is SUSPENDED and is sent nothing"],
  ])("is refused for %s", async (_title, change, payload, status, text) => {
    const answer = await ask(await addActive(database, arena, change), payload);
    expect([answer.statusCode, answer.json().detail]).toEqual([status, expect.stringContaining(text)]);
    expect(await rows(database.db, "select * from tasks")).toEqual([]);
  });

  it("stays a gym prompt for agents of the ladder", async () => {
    await addPrompts(database, 0, 1);
    const agent = await registerAgent(arena);
    const headers = { authorization: `Bearer ${agent.apiKey}` };
    expect((await ask({ id: agent.id, headers })).statusCode).toBe(202);
    expect(await rows(database.db, "select kind from tasks where test")).toEqual([{ kind: "gym" }]);
    const refused = await ask({ id: agent.id, headers }, { phase: "SCOUT" });
    expect([refused.statusCode, refused.json().errors?.[0]?.field]).toEqual([409, "phase"]);
  });
});
