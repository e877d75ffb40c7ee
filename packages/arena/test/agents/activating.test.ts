import type { ServerResponse } from "node:http";
import { verifyEdgearena } from "@agon/protocol";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { roleAnswer } from "../support/role-outputs.ts";
import { readAgent, registerSigned, type SignedAgent } from "../support/signed-agents.ts";
import { createTestArena, type TestArena } from "../support/test-arena.ts";
import { type ReceivedPush, sendJson, startWebhook, type Webhook } from "../support/webhook.ts";

type Request = Record<string, unknown> | undefined;
type Answer = (request: Request, response: ServerResponse, push: ReceivedPush) => void;
interface Step {
  name: string;
  role: string | null;
  ok: boolean;
  skipped: boolean;
  advice: string | null;
  at: string;
}

describeOnBoth("activating edgearena-v1 agents", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  let hook: Webhook;
  let agent: SignedAgent;
  /** Answers in place of the good agent below, when set. */
  let instead: Answer | undefined;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    instead = undefined;
    arena = await createTestArena(database, { allowPrivateEndpoints: true, probesPerMinute: 0 });
    hook = await startWebhook((push, response) =>
      (instead ?? verifying)(push.json as unknown as Request, response, push),
    );
    agent = await registerSigned(arena, hook.url, ["BUILDER", "SCOUT"]);
  });
  afterEach(async () => {
    await arena.stop();
    await hook.close();
  });

  /** Verifies whatever is signed, and answers it. */
  const verifying: Answer = (request, response, push) => {
    const signature = push.headers["x-edgearena-signature"] as string | undefined;
    const verified = verifyEdgearena({
      key: agent.key,
      url: hook.url,
      timestamp: push.headers["x-edgearena-timestamp"] as string,
      signature,
      body: push.body,
      now: arena.clock.now() / 1000,
    });
    if ((signature !== undefined || request?.runId !== undefined) && !verified.ok) sendJson(response, {}, 401);
    else sendJson(response, roleAnswer(request));
  };
  const activate = (wait?: number, node = arena) =>
    node.app.inject({
      method: "POST",
      url: `/api/agents/${agent.id}/activate${wait === undefined ? "" : `?wait=${wait}`}`,
      headers: agent.headers,
    });
  const look = async () =>
    (await arena.app.inject({ url: `/api/agents/${agent.id}/activation`, headers: agent.headers })).json();
  const status = async () => (await readAgent(database, arena, agent.id)).status;
  const names = (steps: Step[]) => steps.map(({ name, role }) => (role === null ? name : `${name} ${role}`));
  const ALL = [
    "liveness",
    "handshake",
    "simulation SCOUT",
    "signed-simulation SCOUT",
    "simulation BUILDER",
    "signed-simulation BUILDER",
    "dispatch SCOUT",
    "tampered-dispatch SCOUT",
  ];

  it("registers an agent as PENDING, with a key that is shown once, and calls nobody", async () => {
    const headers = agent.headers;
    const payload = { name: "b", mode: "push", dialect: "edgearena-v1", roles: ["SCOUT"], endpointUrl: hook.url };
    const made = (await arena.app.inject({ method: "POST", url: "/api/agents", headers, payload })).json();
    expect(made).toMatchObject({ dialect: "edgearena-v1", status: "PENDING", active: false, ping_error: null });
    expect(made.webhook_secret).toMatch(/^sa_[\w-]{43}$/);
    expect(hook.received).toHaveLength(0);
  });

  it("[EA-SIM-1] takes every step in its order, and lets in the agent that passes all of them", async () => {
    const done = await activate();
    expect(done.statusCode).toBe(200);
    expect(done.json()).toMatchObject({ state: "passed", status: "ACTIVE", outdated: false, steps_total: 8 });
    expect(names(done.json().steps)).toEqual(ALL);
    expect(hook.received.map((push) => [push.method, push.headers["user-agent"]])).toEqual([
      ["GET", "EdgeArena-Verify/1.0"],
      ["POST", "EdgeArena-Handshake/1.0"],
      ["POST", "EdgeArena-VerifyPayload/1.0"],
      ["POST", "EdgeArena-VerifyDispatch/1.0"],
      ["POST", "EdgeArena-VerifyPayload/1.0"],
      ["POST", "EdgeArena-VerifyDispatch/1.0"],
      ["POST", "EdgeArena-VerifyDispatch/1.0"],
      ["POST", "EdgeArena-VerifyDispatch/1.0"],
    ]);
    expect(await status()).toBe("ACTIVE");
    expect(await look()).toMatchObject({ state: "passed" });
  });

  it("[EA-SIM-1] sends ids of its own with each step, to which a completion finds no task", async () => {
    await activate();
    const ids = hook.received.slice(1).map((push) => {
      const json = push.json as unknown as Record<string, string>;
      return json.request_id ?? json.task_id ?? json.taskId;
    });
    expect(new Set(ids).size).toBe(7);
    const taskId = ids.at(-2) as string;
    const late = await arena.app.inject({
      method: "POST",
      url: `/api/agent-tasks/${taskId}/complete`,
      headers: { "x-edgearena-timestamp": String(Math.floor(arena.clock.now() / 1000)) },
      payload: { taskId, output: {} },
    });
    expect(late.json().message).toBe(`Task ${taskId} not found`);
  });

  it("repeats after a fix only what failed", async () => {
    instead = (request, response, push) =>
      request?.type === "build_task" ? sendJson(response, { claims: [] }) : verifying(request, response, push);
    const failed = (await activate()).json();
    expect(failed).toMatchObject({ state: "failed", status: "PENDING" });
    expect(failed.steps.filter((step: Step) => !step.ok).map(({ name, skipped }: Step) => [name, skipped])).toEqual([
      ["simulation", false],
      ["signed-simulation", true],
    ]);
    expect(failed.steps.find((step: Step) => step.name === "simulation" && !step.ok).advice).toMatch(/\.$/);
    const sent = hook.received.length;
    instead = undefined;
    expect((await activate()).json()).toMatchObject({ state: "passed", status: "ACTIVE" });
    expect(hook.received.slice(sent).map((push) => (push.json as unknown as { type: string }).type)).toEqual([
      "build_task",
      "build_task",
    ]);
  });

  it("repeats steps that have become old, and all of them after a new key", async () => {
    await activate();
    await activate();
    expect(hook.received).toHaveLength(8);
    arena.clock.advance(3_700);
    await activate();
    expect(hook.received).toHaveLength(16);
    const rotate = `/api/agents/${agent.id}/regenerate-secret`;
    const rotated = await arena.app.inject({ method: "POST", url: rotate, headers: agent.headers });
    expect(await look()).toMatchObject({ status: "PENDING", outdated: true });
    const without = (await activate()).json();
    expect(without).toMatchObject({ state: "failed" });
    expect(without.steps.find((step: Step) => step.name === "dispatch").advice).toMatch(/key/i);
    agent = { ...agent, key: rotated.json().webhook_secret };
    expect((await activate()).json()).toMatchObject({ state: "passed", status: "ACTIVE", outdated: false });
  });

  it("does not let in an agent whose key, URL or roles have changed meanwhile", async () => {
    let goOn: () => void = () => {};
    instead = (request, response, push) => {
      if (request?.type !== "handshake") return verifying(request, response, push);
      goOn = () => verifying(request, response, push);
    };
    const pass = activate();
    await expect.poll(() => hook.received.length).toBe(2);
    const roles = ["SCOUT", "BUILDER", "ANALYST"];
    await arena.app.inject({
      method: "PATCH",
      url: `/api/agents/${agent.id}`,
      headers: agent.headers,
      payload: { roles },
    });
    instead = undefined;
    goOn();
    expect((await pass).json()).toMatchObject({ state: "passed", status: "PENDING", outdated: true });
    expect(await status()).toBe("PENDING");
    expect((await activate()).json()).toMatchObject({ state: "passed", status: "ACTIVE", steps_total: 10 });
  });

  it("answers 202 while it goes on, and a second call joins it, on another node too", async () => {
    let goOn: () => void = () => {};
    instead = (request, response, push) => {
      if (request?.type !== "handshake") return verifying(request, response, push);
      goOn = () => verifying(request, response, push);
    };
    const early = await activate(0);
    expect(early.statusCode).toBe(202);
    expect(early.json()).toMatchObject({ state: "running", status: "PENDING" });
    await expect.poll(async () => names((await look()).steps)).toEqual(["liveness"]);
    const other = await createTestArena(database, { allowPrivateEndpoints: true }, arena.clock);
    const joined = [activate(), activate(20, other)];
    goOn();
    for (const each of joined) expect((await each).json()).toMatchObject({ state: "passed", status: "ACTIVE" });
    expect(hook.received).toHaveLength(8);
    await other.stop();
  });

  it("takes over the pass of a node that is gone", async () => {
    const now = new Date(arena.clock.now()).toISOString();
    await database.db.orm.execute(sql`insert into activations (agent_id, id, revision, state, steps, started_at, alive_at)
      values (${agent.id}, gen_random_uuid(), 0, 'running', '[]', ${now}, ${now})`);
    expect((await activate(0)).statusCode).toBe(202);
    expect(hook.received).toHaveLength(0);
    arena.clock.advance(40);
    expect((await activate()).json()).toMatchObject({ state: "passed" });
  });

  it("is called off when the node stops, its caller told how far it came, and goes on from there", async () => {
    const url = await arena.start();
    instead = (request, response, push) => {
      if (request?.type !== "handshake") verifying(request, response, push);
    };
    const waiting = fetch(`${url}/api/agents/${agent.id}/activate`, { method: "POST", headers: agent.headers });
    await expect.poll(() => hook.received.length).toBe(2);
    await arena.stop();
    const answer = await waiting;
    expect(answer.status).toBe(200);
    const told = (await answer.json()) as { state: string; status: string; steps: Step[] };
    expect(told).toMatchObject({ state: "failed", status: "PENDING" });
    expect(told.steps.filter(({ ok }) => ok).map(({ name }) => name)).toEqual(["liveness"]);
    instead = undefined;
    arena = await createTestArena(database, { allowPrivateEndpoints: true, probesPerMinute: 0 });
    expect((await activate()).json()).toMatchObject({ state: "passed", status: "ACTIVE" });
    expect(hook.received).toHaveLength(9);
  });

  it("shows each step as it comes to whoever listens", async () => {
    await arena.start();
    const address = arena.app.server.address() as { port: number };
    const end = new AbortController();
    const response = await fetch(`http://127.0.0.1:${address.port}/api/agents/${agent.id}/activation`, {
      headers: { ...agent.headers, accept: "text/event-stream" },
      signal: end.signal,
    });
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    let pass: ReturnType<typeof activate> | undefined;
    let seen = "";
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      seen += Buffer.from(chunk).toString("utf8");
      // Whoever listens is told first how things stand.
      if (seen.includes("data: ")) pass ??= activate();
      if (seen.includes('"state":"passed"')) break;
    }
    await pass;
    const counts = [...seen.matchAll(/data: (.*)\n/g)].map((match) => JSON.parse(match[1] as string).steps.length);
    expect(counts[0]).toBe(0);
    expect(counts.at(-1)).toBe(8);
    expect([...counts].sort((a, b) => a - b)).toEqual(counts);
    end.abort();
  });

  it("counts as one probe, whatever it sends, and says when there were too many", async () => {
    const strict = await createTestArena(database, { allowPrivateEndpoints: true, probesPerMinute: 2 }, arena.clock);
    expect((await activate(50, strict)).statusCode).toBe(200);
    expect((await activate(50, strict)).statusCode).toBe(200);
    const third = await activate(50, strict);
    expect([third.statusCode, third.headers["retry-after"]]).toEqual([429, "60"]);
    await strict.stop();
  });

  it.each<[string, object, Answer, object]>([
    ["ping", {}, (_request, response) => response.writeHead(404).end(), { reachable: true, status: 404 }],
    ["ping", {}, (_request, response) => response.writeHead(502).end(), { reachable: false, status: 502 }],
    ["handshake", {}, (_request, response) => sendJson(response, {}), { ok: true, error_code: null, errorCode: null }],
    ["handshake", {}, (_request, response) => sendJson(response, []), { ok: false, error_code: "non-json" }],
    [
      "simulation",
      { role: "SCOUT" },
      (request, response) => sendJson(response, { ...roleAnswer(request), core_problem: undefined }),
      { ok: false },
    ],
  ])("[EA-LIVE-4] [EA-SIM-5] probes a URL before registration: %s", async (probe, more, answer, expected) => {
    instead = answer;
    const made = await arena.app.inject({
      method: "POST",
      url: `/api/probes/${probe}`,
      headers: agent.headers,
      payload: { endpoint_url: hook.url, ...more },
    });
    expect([made.statusCode, made.json()]).toEqual([200, expect.objectContaining(expected)]);
  });

  it("[EA-HAND-5] reports an address that the guard refuses as network, with the reason", async () => {
    const guarded = await createTestArena(database, {}, arena.clock);
    const made = await guarded.app.inject({
      method: "POST",
      url: "/api/probes/handshake",
      headers: agent.headers,
      payload: { endpoint_url: "https://169.254.169.254/latest" },
    });
    expect(made.json()).toMatchObject({ ok: false, error_code: "network", errorCode: "network", status: null });
    expect(made.json().detail).toMatch(/169\.254\.169\.254/);
    await guarded.stop();
  });
});
