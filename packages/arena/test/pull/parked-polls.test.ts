import { once } from "node:events";
import { request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import {
  addAgent,
  addPrompts,
  createTestArena,
  poll,
  registerAgent,
  submit,
  type TestArena,
} from "../support/test-arena.ts";

describeOnBoth("parked polls", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database, { pollBackstopSeconds: 20 }, "database");
  });
  afterEach(() => arena.stop());

  /** Resolves when as many polls are parked on this node. */
  const parked = (count: number) =>
    expect.poll(async () => (await arena.app.inject("/metrics")).body).toContain(`agon_parked_polls ${count}\n`);

  async function addToPool(prompt: string) {
    const added = await arena.app.inject({
      method: "POST",
      url: "/api/admin/prompts",
      headers: { authorization: "Bearer admin_test_key_0123456789" },
      payload: [{ prompt, category: "late" }],
    });
    expect(added.json()).toMatchObject({ received: 1, added: 1, skipped: 0 });
  }

  it("[TX-NEXT-4] get work that appears while they wait, and 204 without a body when none does", async () => {
    const agent = await registerAgent(arena);
    expect((await poll(arena, agent, "?wait=0.2")).statusCode).toBe(204);
    const waiting = poll(arena, agent, "?wait=50");
    await parked(1);
    await addToPool("a prompt added late");
    expect((await waiting).json()).toMatchObject({ kind: "main", prompt: "a prompt added late" });
  });

  it("[TX-NEXT-1] are held no longer than the clamp, whatever they ask for", async () => {
    await arena.stop();
    arena = await createTestArena(database, { pullWaitMaxSeconds: 0.3 }, "database");
    const agent = await registerAgent(arena);
    const answers = await Promise.all(
      ["?wait=1e9", "?wait=51", "?wait=999999999999"].map((query) => poll(arena, agent, query)),
    );
    expect(answers.map((answer) => answer.statusCode)).toEqual([204, 204, 204]);
  });

  it("give one new task to one of two waiting polls of an agent", async () => {
    const agent = await registerAgent(arena);
    const polls = [poll(arena, agent, "?wait=1.5"), poll(arena, agent, "?wait=1.5")];
    await parked(2);
    await addToPool("only once");
    expect((await Promise.all(polls)).map((answer) => answer.statusCode).sort()).toEqual([200, 204]);
  });

  it("end with 403 when the secret is replaced or the agent deactivated", async () => {
    const agent = await registerAgent(arena);
    const headers = { authorization: `Bearer ${agent.apiKey}` };
    for (const call of ["regenerate-secret", "deactivate"]) {
      const waiting = poll(arena, agent, "?wait=50");
      await parked(1);
      const done = await arena.app.inject({ method: "POST", url: `/api/agents/${agent.id}/${call}`, headers });
      expect(done.statusCode).toBe(200);
      expect((await waiting).statusCode).toBe(403);
      agent.secret = done.json().webhook_secret ?? agent.secret;
    }
  });

  it("are answered 204 at once when the server stops", async () => {
    const agent = await registerAgent(arena);
    await arena.start();
    const { port } = arena.app.server.address() as AddressInfo;
    const waiting = fetch(`http://127.0.0.1:${port}/api/agents/${agent.id}/work/next?wait=50`, {
      headers: { "x-arena-secret": agent.secret },
    });
    await parked(1);
    await arena.stop();
    expect((await waiting).status).toBe(204);
  });

  it("keep the server no longer than its last answer, beside connections that are idle or were never used", async () => {
    const agents = [];
    for (let index = 0; index < 10; index += 1) agents.push(await registerAgent(arena, `agent ${index}`));
    await arena.start();
    const { port } = arena.app.server.address() as AddressInfo;
    const sockets = Array.from({ length: 3 }, () => connect(port, "127.0.0.1"));
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    sockets[0]?.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
    await once(sockets[0] as Socket, "data");
    const waiting = agents.map((agent) =>
      fetch(`http://127.0.0.1:${port}/api/agents/${agent.id}/work/next?wait=50`, {
        headers: { "x-arena-secret": agent.secret },
      }),
    );
    await parked(10);
    const ended = sockets.map((socket) => once(socket, "close"));
    await arena.stop();
    await Promise.all(ended);
    expect((await Promise.all(waiting)).map((answer) => answer.status)).toEqual(Array(10).fill(204));
  });

  it("get a task whose hand-over to another poll broke off", async () => {
    await addPrompts(database, 0);
    const agent = await registerAgent(arena);
    await arena.start();
    const { port } = arena.app.server.address() as AddressInfo;
    // A caller that dies while its poll is parked: the claim that then wakes is handed to nobody.
    const dying = request({
      port,
      path: `/api/agents/${agent.id}/work/next?wait=50`,
      headers: { "x-arena-secret": agent.secret },
    });
    dying.on("error", () => {});
    dying.end();
    await parked(1);
    const living = poll(arena, agent, "?wait=50");
    await parked(2);
    dying.destroy();
    await addToPool("for whoever is there");
    expect((await living).json()).toMatchObject({ prompt: "for whoever is there" });
  });

  it("hold no database connection while they wait", async () => {
    const agent = await registerAgent(arena);
    const more = await Promise.all(
      Array.from({ length: 40 }, (_, index) => addAgent(arena, agent.apiKey, `agent ${index}`)),
    );
    const waiting = more.map((each) => poll(arena, each, "?wait=50"));
    await parked(40);
    const board = await arena.app.inject("/api/leaderboard");
    expect(board.json().total).toBe(41);
    await arena.stop();
    expect((await Promise.all(waiting)).every((answer) => answer.statusCode === 204)).toBe(true);
  });

  it("of a slowed agent are held until its pause ends, then get work", async () => {
    await arena.stop();
    arena = await createTestArena(database, { slowdownSeconds: 0.4 }, "database");
    await addPrompts(database, 3);
    const agent = await registerAgent(arena);
    const first = (await poll(arena, agent)).json();
    await submit(arena, agent, first.work_id, { error: "broken" });
    const next = await poll(arena, agent, "?wait=20");
    expect(next.statusCode).toBe(200);
    expect(next.json().work_id).not.toBe(first.work_id);
  });
});
