import { PHASES } from "@agon/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { queueTask, readAgent, readTask, registerSigned } from "../support/signed-agents.ts";
import { type StarterAgent, startStarterAgent } from "../support/starter-agent.ts";
import { createTestArena, type TestArena } from "../support/test-arena.ts";

describeOnBoth("an agent that strangers wrote", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  let starter: StarterAgent;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database, { allowPrivateEndpoints: true });
    starter = await startStarterAgent(() => arena.clock.now() / 1000);
  });
  afterEach(async () => {
    await arena.stop();
    await starter[Symbol.asyncDispose]();
  });

  it("[EA-SIM-8] is activated once it has its key, not before, and then serves all four phases", async () => {
    const agent = await registerSigned(arena, starter.url);
    const activate = async () => {
      const reply = await arena.app.inject({
        method: "POST",
        url: `/api/agents/${agent.id}/activate?wait=50`,
        headers: agent.headers,
      });
      expect(reply.statusCode).toBe(200);
      return reply.json();
    };

    const before = await activate();
    expect((await readAgent(database, arena, agent.id)).status).toBe("PENDING");
    expect(JSON.stringify(before)).toContain("Install this agent's key");
    const sent = starter.answers.length;
    expect(starter.answers.filter(({ what }) => what === "simulation").map(({ status }) => status)).toEqual(
      Array(6).fill(200),
    );

    starter.installKey(agent.key);
    await activate();
    expect((await readAgent(database, arena, agent.id)).status).toBe("ACTIVE");
    // Only what failed is asked again, and the forged twin of it for the first time.
    expect(starter.answers.slice(sent)).toEqual([
      { what: "dispatch", status: 200 },
      { what: "dispatch", status: 401 },
    ]);

    for (const phase of PHASES) {
      const task = await queueTask(database, arena, agent.id, phase);
      while (await arena.passes.dispatch());
      await expect.poll(async () => (await readTask(database, task.id)).state).toBe("completed");
      expect(starter.dispatches.at(-1)).toEqual({ taskId: task.uuid, phase, candidateId: task.candidateId });
    }
    expect(await readAgent(database, arena, agent.id)).toMatchObject({ status: "ACTIVE", failures: 0 });
  });

  it("[EA-DISP-5] fails a task when its model does, and is asked no second time", async () => {
    const agent = await registerSigned(arena, starter.url);
    starter.installKey(agent.key);
    await arena.app.inject({ method: "POST", url: `/api/agents/${agent.id}/activate?wait=50`, headers: agent.headers });
    const served = starter.dispatches.length;
    starter.breakModel(true);
    const task = await queueTask(database, arena, agent.id);
    while (await arena.passes.dispatch());
    await expect.poll(async () => (await readTask(database, task.id)).state).toBe("failed");
    expect(starter.dispatches).toHaveLength(served + 1);
    expect(await readAgent(database, arena, agent.id)).toMatchObject({ failures: 1, cooldown: 60 });
  });
});
