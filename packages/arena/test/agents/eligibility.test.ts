import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { putInto, queueTask, registerSigned, type SignedAgent } from "../support/signed-agents.ts";
import { createTestArena, type TestArena } from "../support/test-arena.ts";

describeOnBoth("why a signed agent gets no work", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  let agent: SignedAgent;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database, { allowPrivateEndpoints: true });
    agent = await registerSigned(arena, "http://127.0.0.1:9/nobody-listens");
  });
  afterEach(() => arena.stop());

  const gates = async () => {
    const answer = await arena.app.inject({ url: `/api/agents/${agent.id}/eligibility`, headers: agent.headers });
    return answer.json().gates as { gate: string; detail: string; until: string | null }[];
  };

  it.each([
    ["PENDING", "pending", /activate/],
    ["SUSPENDED", "suspended", /verify/],
    ["PAUSED", "paused", /resume/],
  ])("is said of one that is %s, with the way out", async (status, name, wayOut) => {
    await putInto(database, arena, agent.id, status);
    expect(await gates()).toEqual([{ gate: name, detail: expect.stringMatching(wayOut), until: null }]);
  });

  it("is nothing for one that is active, and the cooldown after a failed dispatch, with its end", async () => {
    await putInto(database, arena, agent.id, "ACTIVE");
    expect(await gates()).toEqual([]);
    await queueTask(database, arena, agent.id);
    await arena.passes.dispatch();
    const until = new Date(arena.clock.now() + 60_000).toISOString();
    await expect.poll(gates).toEqual([{ gate: "cooldown", detail: expect.stringMatching(/unreachable/), until }]);
    arena.clock.advance(61);
    expect(await gates()).toEqual([]);
  });
});
