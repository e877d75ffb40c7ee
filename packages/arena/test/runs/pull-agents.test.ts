import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  describeOnBoth,
  emptyTables,
  openPostgresNode,
  openTestDatabase,
  type TestDatabase,
} from "../support/open-databases.ts";
import { roleOutput } from "../support/role-outputs.ts";
import { addPrompts, createTestArena, poll, submit, type TestAgent, type TestArena } from "../support/test-arena.ts";
import { hasPostgres } from "../support/test-databases.ts";
import { rows } from "./players.ts";
import { newAccount, readRun, startRun } from "./run-world.ts";

async function addPuller(arena: TestArena, roles: string[] = ["SCOUT"]): Promise<TestAgent> {
  const headers = await newAccount(arena);
  const payload = { name: "puller", mode: "pull", roles };
  const made = await arena.app.inject({ method: "POST", url: "/api/agents", headers, payload });
  if (made.statusCode !== 201) throw new Error(made.body);
  return { id: made.json().id, secret: made.json().webhook_secret, apiKey: headers.authorization.slice(7) };
}

describeOnBoth("pull agents with roles in runs", (kind) => {
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

  const scoutState = async (id: string) => (await readRun(arena, id)).phases[0]?.slots[0]?.state;

  it("get places while a poll of theirs ended less than five seconds ago, and none later", async () => {
    const agent = await addPuller(arena);
    const id = await startRun(arena, { scouts: 1 });
    await arena.passes.runs();
    expect(await scoutState(id)).toBe("waiting");
    expect((await poll(arena, agent)).statusCode).toBe(204);
    arena.clock.advance(6);
    await arena.passes.runs();
    expect(await scoutState(id)).toBe("waiting");
    await poll(arena, agent);
    arena.clock.advance(4);
    await arena.passes.presence();
    await arena.passes.runs();
    expect(await scoutState(id)).toBe("working");
    const work = (await poll(arena, agent)).json();
    expect(work).toMatchObject({ kind: "scout", task: { runId: id, phase: "SCOUT", candidateId: null } });
    const answer = await submit(arena, agent, work.work_id, { response: JSON.stringify(roleOutput("SCOUT")) });
    expect(answer.statusCode).toBe(200);
    await arena.passes.runs();
    expect(await scoutState(id)).toBe("done");
  });

  it("get a place while a poll is parked, which is answered at once", async () => {
    const agent = await addPuller(arena);
    const id = await startRun(arena, { scouts: 1 });
    const parked = poll(arena, agent, "?wait=30");
    await expect.poll(() => arena.passes.runs().then(() => scoutState(id))).toBe("working");
    expect((await parked).json()).toMatchObject({ kind: "scout" });
  });

  it("are given a place though a ladder prompt waits for them, and none without the role", async () => {
    const agent = await addPuller(arena);
    const other = await addPuller(arena, ["BUILDER"]);
    await addPrompts(database, 3);
    const first = (await poll(arena, agent)).json();
    await submit(arena, agent, first.work_id, { response: "ok" });
    await poll(arena, other);
    expect(await rows(database.db, `select kind from tasks where state = 'queued' and agent_id = ${agent.id}`)).toEqual(
      [{ kind: "main" }],
    );
    await startRun(arena, { scouts: 1 });
    await arena.passes.runs();
    expect(await rows(database.db, "select agent_id from tasks where kind = 'scout'")).toEqual([
      { agent_id: agent.id },
    ]);
    expect((await poll(arena, agent)).json().kind).toBe("scout");
  });

  it("lose a place to somebody else by an answer out of shape", async () => {
    const agent = await addPuller(arena);
    await poll(arena, agent);
    const id = await startRun(arena, { scouts: 1 });
    await arena.passes.runs();
    const work = (await poll(arena, agent)).json();
    await submit(arena, agent, work.work_id, { response: "I found something nice." });
    await arena.passes.runs();
    expect((await readRun(arena, id)).phases[0]?.slots[0]).toMatchObject({
      state: "waiting",
      tries: 1,
      cause: "invalid",
    });
  });
});

describe.skipIf(!hasPostgres())("a pull agent whose poll is parked on another node", () => {
  it("is given a place by a pass of this one", async () => {
    const database = await openTestDatabase("postgres");
    const second = await openPostgresNode(database.url as string);
    const here = await createTestArena(database, { houseAgents: false, passSeconds: 60 }, "database");
    const there = await createTestArena(second, { houseAgents: false, passSeconds: 60 }, "database");
    const agent = await addPuller(here);
    await there.start();
    const parked = poll(there, agent, "?wait=30");
    await expect
      .poll(() => rows(database.db, "select id from agents where last_polled_at is not null"))
      .toHaveLength(1);
    // Not by the poll's own note: what is looked for is the one that is renewed while it is parked.
    await database.db.orm.execute("update agents set last_polled_at = '2000-01-01'");
    await expect
      .poll(() => rows(database.db, "select id from agents where last_polled_at > '2020-01-01'"))
      .toHaveLength(1);
    await startRun(here, { scouts: 1 });
    await here.passes.runs();
    expect((await parked).json()).toMatchObject({ kind: "scout" });
    await here.stop();
    await there.stop();
    await second.close();
    await database.close();
  });
});
