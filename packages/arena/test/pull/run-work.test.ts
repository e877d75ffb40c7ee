import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { roleOutput } from "../support/role-outputs.ts";
import { queueTask, readTask } from "../support/signed-agents.ts";
import {
  addPrompts,
  createTestArena,
  poll,
  registerAgent,
  submit,
  type TestAgent,
  type TestArena,
} from "../support/test-arena.ts";

describeOnBoth("run tasks of pull agents", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  let agent: TestAgent;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database);
    await addPrompts(database, 3);
    agent = await registerAgent(arena);
  });
  afterEach(() => arena.stop());

  const answer = (workId: string, output: unknown) =>
    submit(arena, agent, workId, { response: typeof output === "string" ? output : JSON.stringify(output) });

  it("come before those of the ladder, with the messages as the prompt and the dispatch beside", async () => {
    const task = await queueTask(database, arena, agent.id, "BUILD");
    const work = (await poll(arena, agent)).json();
    expect(work).toMatchObject({
      kind: "build",
      work_id: `build-${task.uuid}`,
      prompt_id: task.uuid,
      prompt: "Score well.\n\nFind a niche.",
      category: "Make Money",
      deadline_seconds: 90,
      task: { taskId: task.uuid, phase: "BUILD", role: "BUILD", candidateId: task.candidateId },
    });
    const output = roleOutput("BUILD", task.candidateId);
    expect((await answer(work.work_id, output)).json()).toEqual({ work_id: work.work_id, recorded: true });
    expect(await readTask(database, task.id)).toMatchObject({ state: "completed", cause: null });
    expect(JSON.parse((await readTask(database, task.id)).response as string)).toEqual(output);
    expect((await answer(work.work_id, output)).json()).toEqual({ work_id: work.work_id, recorded: true });
    expect((await poll(arena, agent)).json().kind).toBe("main");
  });

  it("are offered again unless the poll names them as held", async () => {
    const task = await queueTask(database, arena, agent.id);
    const work = (await poll(arena, agent)).json();
    expect((await poll(arena, agent)).json().work_id).toBe(work.work_id);
    expect((await poll(arena, agent, "", work.work_id)).statusCode).toBe(204);
    expect(work.work_id).toBe(`scout-${task.uuid}`);
  });

  it.each<[string, string, string]>([
    ["is no JSON", "Here is my idea.", "output has to be a JSON object"],
    ["is of another phase", JSON.stringify(roleOutput("SCOUT")), "BUILD"],
    ["is about another candidate", JSON.stringify(roleOutput("BUILD", crypto.randomUUID())), "candidate_id"],
  ])("fail when the response %s, and the owner reads why", async (_name, response, why) => {
    const task = await queueTask(database, arena, agent.id, "BUILD");
    const work = (await poll(arena, agent)).json();
    expect((await answer(work.work_id, response)).statusCode).toBe(200);
    const ended = await readTask(database, task.id);
    expect(ended).toMatchObject({ state: "failed", cause: "invalid", response: null });
    expect(ended.error).toContain(why);
    const headers = { authorization: `Bearer ${agent.apiKey}` };
    const deliveries = async () =>
      (await arena.app.inject({ url: `/api/agents/${agent.id}/deliveries`, headers })).json();
    await expect.poll(async () => (await deliveries()).items[0]?.detail).toContain(why);
  });

  it("may be reported as failed, and slow the agent down no further", async () => {
    await queueTask(database, arena, agent.id);
    const work = (await poll(arena, agent)).json();
    await submit(arena, agent, work.work_id, { error: "no idea" });
    expect((await poll(arena, agent)).json().kind).toBe("main");
  });

  it("are those of the agent alone", async () => {
    const task = await queueTask(database, arena, agent.id);
    await poll(arena, agent);
    const other = await registerAgent(arena, "other");
    const payload = { response: JSON.stringify(roleOutput("SCOUT")) };
    expect((await submit(arena, other, `scout-${task.uuid}`, payload)).statusCode).toBe(404);
    expect((await submit(arena, agent, `build-${task.uuid}`, payload)).statusCode).toBe(404);
    expect((await submit(arena, { ...agent, secret: "x" }, `scout-${task.uuid}`, payload)).statusCode).toBe(403);
    expect((await readTask(database, task.id)).state).toBe("running");
  });

  it("end with the agent's fault when it lets the deadline pass", async () => {
    const task = await queueTask(database, arena, agent.id);
    const work = (await poll(arena, agent)).json();
    arena.clock.advance(37);
    expect((await answer(work.work_id, roleOutput("SCOUT"))).statusCode).toBe(409);
    await arena.passes.sweep();
    expect(await readTask(database, task.id)).toMatchObject({ state: "timeout", cause: "timeout" });
  });

  it("are withdrawn when nobody fetches them in time", async () => {
    const task = await queueTask(database, arena, agent.id);
    arena.clock.advance(16);
    await arena.passes.sweep();
    expect(await readTask(database, task.id)).toMatchObject({ state: "cancelled", cause: null });
    expect((await poll(arena, agent)).json().kind).toBe("main");
  });
});
