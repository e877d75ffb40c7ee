import type { ServerResponse } from "node:http";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { putInto, readAgent, registerSigned, type SignedAgent } from "../support/signed-agents.ts";
import { createTestArena, type TestArena } from "../support/test-arena.ts";
import { startWebhook, type Webhook } from "../support/webhook.ts";

describeOnBoth("watching edgearena-v1 agents", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  let hook: Webhook;
  let answer: (response: ServerResponse) => void;
  let agent: SignedAgent;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database, { allowPrivateEndpoints: true, probesPerMinute: 0, healthSeconds: 0.5 });
    answer = (response) => response.end();
    hook = await startWebhook((_push, response) => answer(response));
    agent = await registerSigned(arena, hook.url);
    await putInto(database, arena, agent.id, "ACTIVE");
  });
  afterEach(async () => {
    await hook.close();
    await arena.stop();
  });

  const state = () => readAgent(database, arena, agent.id);
  const call = (path: string, method: "GET" | "POST" = "POST", headers: Record<string, string> = agent.headers) =>
    arena.app.inject({ method, url: `/api/agents/${agent.id}${path}`, headers });
  const health = async (headers: Record<string, string> = agent.headers) =>
    (await call("/health", "GET", headers)).json();
  /** Pings that are due now. */
  async function ping(seconds = 0) {
    arena.clock.advance(seconds);
    const before = hook.received.length;
    await arena.passes.watch();
    return hook.received.length - before;
  }
  const fail = (status: number) => {
    answer = (response) => response.writeHead(status).end();
  };

  it("[EA-LIVE-1] [EA-LIVE-2] [EA-LIVE-3] GETs exactly the registered URL, as itself and with nothing else", async () => {
    expect(await ping()).toBe(1);
    const [get] = hook.received;
    expect(get?.method).toBe("GET");
    expect(get?.body.length).toBe(0);
    expect(get?.headers["user-agent"]).toBe("EdgeArena-Health/1.0");
    expect(Object.keys(get?.headers ?? {})).not.toContain("authorization");
    expect(Object.keys(get?.headers ?? {}).filter((name) => name.startsWith("x-"))).toEqual([]);
    expect((await health()).checks).toMatchObject([{ kind: "health", ok: true, http_status: 200 }]);
  });

  it.each([
    ["ACTIVE", 300],
    ["DEGRADED", 60],
    ["PROBATION", 60],
  ])("[EA-LIVE-7] pings an agent that is %s every %d s", async (status, seconds) => {
    await putInto(database, arena, agent.id, status);
    expect(await ping()).toBe(1);
    expect(await ping(seconds - 2)).toBe(0);
    expect(await ping(2)).toBe(1);
  });

  it.each(["PENDING", "SUSPENDED", "PAUSED"])("[EA-LIVE-7] never pings one that is %s", async (status) => {
    await putInto(database, arena, agent.id, status);
    for (let hour = 0; hour < 3; hour += 1) expect(await ping(3600)).toBe(0);
  });

  it("[EA-LIVE-7] pings an agent once over all nodes, and within the cadence of its activation", async () => {
    const others = [await createTestArena(database, { allowPrivateEndpoints: true }, arena.clock)];
    await Promise.all([arena, ...others].map((node) => node.passes.watch()));
    expect(hook.received).toHaveLength(1);
    arena.clock.advance(300);
    await Promise.all([arena, ...others, arena].map((node) => node.passes.watch()));
    expect(hook.received).toHaveLength(2);
    for (const node of others) await node.stop();
  });

  it.each([199, 301, 404, 405, 500].filter((status) => status >= 200))(
    "[EA-LIVE-3] [EA-LIVE-6] counts a %d as a failure, and a success starts over",
    async (status) => {
      fail(status);
      await ping();
      await ping(300);
      expect(await state()).toMatchObject({ status: "ACTIVE", failures: 2 });
      answer = (response) => response.writeHead(204).end();
      await ping(300);
      expect(await state()).toMatchObject({ status: "ACTIVE", failures: 0 });
    },
  );

  it("[EA-LIVE-5] [EA-LIVE-6] counts silence and a broken connection as failures", async () => {
    answer = () => {};
    await ping();
    answer = (response) => response.destroy();
    await ping(300);
    expect(await state()).toMatchObject({ failures: 2 });
    expect((await health()).checks.map((check: { detail: string }) => check.detail)).toEqual([
      expect.stringMatching(/closed the connection/),
      expect.stringMatching(/0\.5 s/),
    ]);
  });

  it("ignores the body, however long it is", async () => {
    answer = (response) => {
      response.write("x".repeat(2_000_000));
      response.end();
    };
    await ping();
    expect(await state()).toMatchObject({ failures: 0 });
  });

  it("degrades and suspends, and shows everybody when and the owner why", async () => {
    fail(503);
    await ping();
    await ping(300);
    await ping(300);
    expect(await state()).toMatchObject({ status: "DEGRADED", failures: 3 });
    for (let each = 0; each < 7; each += 1) expect(await ping(60)).toBe(1);
    expect(await state()).toMatchObject({ status: "SUSPENDED" });
    expect(await ping(3600)).toBe(0);
    const own = await health();
    expect(own).toMatchObject({
      status: "SUSPENDED",
      transitions: [
        { from: "DEGRADED", to: "SUSPENDED", cause: "health_failed" },
        { from: "ACTIVE", to: "DEGRADED", cause: "health_failed" },
      ],
    });
    expect(own.transitions[0].detail).toMatch(/503/);
    const shown = await health({});
    expect(shown.transitions).toEqual([
      { at: expect.any(String), from: "DEGRADED", to: "SUSPENDED" },
      { at: expect.any(String), from: "ACTIVE", to: "DEGRADED" },
    ]);
    expect(Object.keys(shown)).toEqual(["agent_id", "status", "since", "transitions", "hours"]);
    expect(shown.hours.reduce((sum: number, hour: { failed: number }) => sum + hour.failed, 0)).toBe(10);
  });

  it("[EA-LIVE-2] [EA-LIVE-6] verifies once for its owner: a failure shows and does not count, a success ends a suspension", async () => {
    await putInto(database, arena, agent.id, "SUSPENDED");
    fail(405);
    const failed = (await call("/verify")).json();
    expect(failed).toMatchObject({ ok: false, http_status: 405, status: "SUSPENDED" });
    expect(failed.advice).toMatch(/GET/);
    await putInto(database, arena, agent.id, "ACTIVE");
    await call("/verify");
    expect(await state()).toMatchObject({ status: "ACTIVE", failures: 0 });
    await putInto(database, arena, agent.id, "SUSPENDED");
    answer = (response) => response.end();
    expect((await call("/verify")).json()).toMatchObject({ ok: true, http_status: 200, status: "PROBATION" });
    expect(hook.received.map((get) => get.headers["user-agent"])).toEqual(Array(3).fill("EdgeArena-Verify/1.0"));
    for (let each = 0; each < 3; each += 1) await ping(60);
    expect(await state()).toMatchObject({ status: "ACTIVE" });
  });

  it("sends an agent on probation back at its first failure", async () => {
    await putInto(database, arena, agent.id, "PROBATION");
    fail(500);
    await ping();
    expect(await state()).toMatchObject({ status: "SUSPENDED" });
  });

  it("pauses and resumes, and says where that is not possible", async () => {
    expect((await call("/pause")).json()).toMatchObject({ status: "PAUSED" });
    expect(await ping(3600)).toBe(0);
    expect((await call("/resume")).json()).toMatchObject({ status: "PROBATION" });
    const patch = (paused: boolean) =>
      arena.app.inject({
        method: "PATCH",
        url: `/api/agents/${agent.id}`,
        headers: agent.headers,
        payload: { paused },
      });
    expect((await patch(true)).json()).toMatchObject({ status: "PAUSED", paused: true });
    expect((await patch(false)).json()).toMatchObject({ status: "PROBATION", paused: false });
    for (const status of ["PENDING", "SUSPENDED"]) {
      await putInto(database, arena, agent.id, status);
      const refused = await call("/pause");
      expect([refused.statusCode, refused.json().detail]).toEqual([409, expect.stringContaining(status)]);
    }
  });

  it("goes back to PENDING with a new key, URL or role, and not with one role less", async () => {
    const patch = (payload: object) =>
      arena.app.inject({ method: "PATCH", url: `/api/agents/${agent.id}`, headers: agent.headers, payload });
    await patch({ roles: ["SCOUT"] });
    expect(await state()).toMatchObject({ status: "ACTIVE" });
    await patch({ roles: ["SCOUT", "ANALYST"] });
    expect(await state()).toMatchObject({ status: "PENDING" });
    await putInto(database, arena, agent.id, "ACTIVE");
    await patch({ endpoint_url: `${hook.url}/new` });
    expect(await state()).toMatchObject({ status: "PENDING" });
    await putInto(database, arena, agent.id, "ACTIVE");
    const rotated = (await call("/regenerate-secret")).json();
    expect(rotated.webhook_secret).toMatch(/^sa_/);
    expect(await state()).toMatchObject({ status: "PENDING" });
    expect((await health()).transitions.map((each: { cause: string }) => each.cause)).toEqual([
      "new_key",
      "new_url",
      "new_roles",
    ]);
    expect(await ping(3600)).toBe(0);
  });

  it("does not ping an agent that the operator has stopped", async () => {
    await database.db.orm.execute(sql`update agents set suspended_at = now()`);
    expect(await ping()).toBe(0);
    await database.db.orm.execute(sql`update agents set suspended_at = null`);
    expect(await ping(300)).toBe(1);
  });

  it("sends no signed agent the ping of the other dialect", async () => {
    const retest = await call("/retest");
    expect([retest.statusCode, retest.json().detail]).toEqual([409, expect.stringMatching(/activate/)]);
    expect(hook.received).toHaveLength(0);
  });
});
