import type { ServerResponse } from "node:http";
import { verifyEdgearena } from "@agon/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { roleAnswer, roleOutput } from "../support/role-outputs.ts";
import { putInto, queueTask, readAgent, readTask, registerSigned, type SignedAgent } from "../support/signed-agents.ts";
import { createTestArena, type TestArena } from "../support/test-arena.ts";
import { type ReceivedPush, sendJson, startWebhook, type Webhook } from "../support/webhook.ts";

type Dispatch = Record<string, unknown> & { taskId: string; phase: string; candidateId: string | null };
type Answer = (dispatch: Dispatch, response: ServerResponse, push: ReceivedPush) => void;

describeOnBoth("dispatching to edgearena-v1 agents", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  let hooks: Webhook[];

  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    hooks = [];
    arena = await createTestArena(database, { allowPrivateEndpoints: true });
  });
  afterEach(async () => {
    for (const hook of hooks) await hook.close();
    await arena.stop();
  });

  /** An active agent that answers dispatches as told. */
  async function active(answer: Answer): Promise<SignedAgent & { hook: Webhook }> {
    const hook = await startWebhook((push, response) => answer(push.json as unknown as Dispatch, response, push));
    hooks.push(hook);
    const agent = await registerSigned(arena, hook.url);
    await putInto(database, arena, agent.id, "ACTIVE");
    return { ...agent, hook };
  }
  const good: Answer = (dispatch, response) => sendJson(response, roleAnswer(dispatch));
  const state = (agent: SignedAgent) => readAgent(database, arena, agent.id);
  /** Passes until nothing is left to send, and the task has ended. */
  async function dispatch(taskId: number, end: string | RegExp = /completed|failed|timeout/) {
    while (await arena.passes.dispatch());
    await expect.poll(async () => (await readTask(database, taskId)).state, { timeout: 10_000 }).toMatch(end);
    return readTask(database, taskId);
  }

  it("[EA-DISP-1] [EA-DISP-2] [EA-COMP-16] POSTs each task once to the registered URL, signed over its bytes", async () => {
    const agent = await active(good);
    const task = await queueTask(database, arena, agent.id);
    await dispatch(task.id, "completed");
    expect(agent.hook.received).toHaveLength(1);
    const [push] = agent.hook.received as [ReceivedPush];
    expect(push.method).toBe("POST");
    expect(push.headers["content-type"]).toBe("application/json");
    expect(push.headers["x-edgearena-task-id"]).toBe(task.uuid);
    expect(push.headers["x-edgearena-signature"]).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(push.headers["x-edgearena-timestamp"]).toMatch(/^\d{10}$/);
    expect(push.headers["content-length"]).toBe(String(push.body.length));
    expect(push.headers["x-agon-complete-url"]).toBe(`http://127.0.0.1:0/api/agent-tasks/${task.uuid}/complete`);
    const signed = {
      key: agent.key,
      url: agent.hook.url,
      timestamp: push.headers["x-edgearena-timestamp"] as string,
      signature: push.headers["x-edgearena-signature"] as string,
      body: push.body,
      now: arena.clock.now() / 1000,
    };
    expect(verifyEdgearena(signed)).toEqual({ ok: true });
    expect(verifyEdgearena({ ...signed, key: "sa_another" }).ok).toBe(false);
  });

  it.each(["SCOUT", "BUILD", "VERIFY", "CRITIQUE"] as const)(
    "[EA-DISP-3] [EA-DISP-4] sends a %s task with its fields and keeps the output and what was reported with it",
    async (phase) => {
      const agent = await active(good);
      const task = await queueTask(database, arena, agent.id, phase);
      const ended = await dispatch(task.id, "completed");
      const [push] = agent.hook.received as [ReceivedPush];
      expect(Object.keys(push.json)).toEqual([
        "taskId",
        "runId",
        "phase",
        "role",
        "candidateId",
        "goal",
        "launchpadName",
        "messages",
      ]);
      expect(push.json).toMatchObject({
        taskId: task.uuid,
        phase,
        role: phase,
        candidateId: task.candidateId,
        launchpadName: "Make Money",
      });
      expect(task.candidateId === null).toBe(phase === "SCOUT");
      expect(JSON.parse(ended.response as string)).toEqual(roleOutput(phase, task.candidateId));
      expect(ended).toMatchObject({ prompt_tokens: 11, model_id: "stub-1", note: null, cause: null });
      expect(await state(agent)).toEqual({ status: "ACTIVE", failures: 0, successes: 0, cooldown: null });
    },
  );

  it("[EA-DISP-4] takes an answer whose counts and model id cannot be read, with a note", async () => {
    const agent = await active((_dispatch, response) =>
      sendJson(response, { output: roleOutput("SCOUT"), promptTokens: "12", completionTokens: -1 }),
    );
    const ended = await dispatch((await queueTask(database, arena, agent.id)).id, "completed");
    expect(ended).toMatchObject({ prompt_tokens: null, model_id: null });
    expect(ended.note).toMatch(/promptTokens .*completionTokens .*modelId/);
  });

  it("stores an output with NUL and lone surrogates as text that every database takes", async () => {
    const output = { ...roleOutput("SCOUT"), why_now: "a\u0000b\ud800c", note: "\\u0000" };
    const agent = await active((_dispatch, response) => sendJson(response, { output }));
    const ended = await dispatch((await queueTask(database, arena, agent.id)).id, "completed");
    expect(JSON.parse(ended.response as string)).toEqual({ ...output, why_now: "a\ufffdb\ufffdc" });
  });

  describe("blame", () => {
    it.each([401, 500, 404])(
      "[EA-DISP-5] a %d fails the task, cools the agent down for 60 s, is one health failure, and is never sent again",
      async (status) => {
        const agent = await active((_dispatch, response) => sendJson(response, { error: "no" }, status));
        const task = await queueTask(database, arena, agent.id);
        expect(await dispatch(task.id)).toMatchObject({ state: "failed", cause: "error" });
        expect(await state(agent)).toEqual({ status: "ACTIVE", failures: 1, successes: 0, cooldown: 60 });
        arena.clock.advance(61);
        await arena.passes.dispatch();
        expect(agent.hook.received).toHaveLength(1);
      },
    );

    it("[EA-DISP-7] a body that is no JSON fails the task and touches neither cooldown nor health", async () => {
      const agent = await active((_dispatch, response) => response.end("<html>soon</html>"));
      const ended = await dispatch((await queueTask(database, arena, agent.id)).id);
      expect(ended).toMatchObject({ state: "failed", cause: "invalid" });
      expect(await state(agent)).toEqual({ status: "ACTIVE", failures: 0, successes: 0, cooldown: null });
    });

    it.each<[string, (dispatch: Dispatch) => unknown, RegExp]>([
      ["without an output", () => ({ response: "x" }), /no output/],
      ["that is the bare output", (dispatch) => roleOutput(dispatch.phase, dispatch.candidateId), /no output/],
      ["with a field missing", () => ({ output: { ...roleOutput("BUILD", "x"), execution: {} } }), /execution/],
      ["about another candidate", () => ({ output: roleOutput("BUILD", crypto.randomUUID()) }), /candidate_id/],
      ["of another phase", () => ({ output: roleOutput("SCOUT") }), /BUILD/],
      ["that is null", () => null, /not an object/],
      ["that is an array", () => [], /not an object/],
      [
        "over 262,144 bytes",
        (dispatch) => ({ output: { ...roleOutput("BUILD", dispatch.candidateId), more: "é".repeat(150_000) } }),
        /262144/,
      ],
    ])("[EA-DISP-7] an answer %s fails the task alone, and says why", async (_name, answer, said) => {
      const agent = await active((dispatch, response) => response.end(JSON.stringify(answer(dispatch))));
      const ended = await dispatch((await queueTask(database, arena, agent.id, "BUILD")).id);
      expect(ended).toMatchObject({ state: "failed", cause: "invalid" });
      expect(ended.error).toMatch(said);
      expect(await state(agent)).toEqual({ status: "ACTIVE", failures: 0, successes: 0, cooldown: null });
    });

    it("[EA-DISP-7] an output nested deeper than anything that writes JSON can follow fails the task alone", async () => {
      const agent = await active((dispatch, response) => {
        const output = JSON.stringify({ ...roleOutput("BUILD", dispatch.candidateId), more: 0 });
        response.end(`{"output":${output.replace('"more":0', `"more":${"[".repeat(99_000)}${"]".repeat(99_000)}`)}}`);
      });
      const ended = await dispatch((await queueTask(database, arena, agent.id, "BUILD")).id);
      expect(ended).toMatchObject({ state: "failed", cause: "invalid" });
      expect(ended.error).toMatch(/levels deep/);
    });

    it("[EA-DISP-11] a reset fails the task, cools the agent down, is one health failure, and gets no second POST", async () => {
      const agent = await active((_dispatch, response) => response.destroy());
      const ended = await dispatch((await queueTask(database, arena, agent.id)).id);
      expect(ended).toMatchObject({ state: "failed", cause: "unreachable" });
      expect(await state(agent)).toEqual({ status: "ACTIVE", failures: 1, successes: 0, cooldown: 60 });
      expect(agent.hook.received).toHaveLength(1);
    });

    it("[EA-DISP-11] so does a port where nobody listens", async () => {
      const agent = await active(good);
      await agent.hook.close();
      hooks = [];
      const ended = await dispatch((await queueTask(database, arena, agent.id)).id);
      expect(ended).toMatchObject({ state: "failed", cause: "unreachable" });
      expect((await state(agent)).cooldown).toBe(60);
    });

    it("[EA-DISP-6] nothing within the deadline is a timeout, with cooldown and one health failure", async () => {
      const agent = await active(() => {});
      const task = await queueTask(database, arena, agent.id);
      await database.db.orm.execute(`update tasks set deadline_seconds = 1`);
      expect(await dispatch(task.id)).toMatchObject({ state: "timeout", cause: "timeout" });
      expect(await state(agent)).toEqual({ status: "ACTIVE", failures: 1, successes: 0, cooldown: 60 });
    });

    it("of a test task touches nothing of the agent", async () => {
      const agent = await active((_dispatch, response) => sendJson(response, {}, 500));
      const task = await queueTask(database, arena, agent.id, "SCOUT", "test");
      expect(await dispatch(task.id)).toMatchObject({ state: "failed", cause: "error" });
      expect(await state(agent)).toEqual({ status: "ACTIVE", failures: 0, successes: 0, cooldown: null });
    });

    it("of a task begun before the present status does not count", async () => {
      let finish: () => void = () => {};
      const agent = await active((_dispatch, response) => {
        finish = () => sendJson(response, {}, 500);
      });
      const task = await queueTask(database, arena, agent.id);
      await arena.passes.dispatch();
      await expect.poll(() => agent.hook.received.length).toBe(1);
      arena.clock.advance(1);
      await putInto(database, arena, agent.id, "PROBATION");
      finish();
      expect(await dispatch(task.id)).toMatchObject({ state: "failed" });
      expect(await state(agent)).toMatchObject({ status: "PROBATION", failures: 0 });
    });
  });

  it("[EA-DISP-13] claims nothing during a cooldown, and goes on after it", async () => {
    let failing = true;
    const agent = await active((dispatch, response) =>
      failing ? sendJson(response, {}, 503) : good(dispatch, response, {} as ReceivedPush),
    );
    await dispatch((await queueTask(database, arena, agent.id)).id, "failed");
    failing = false;
    arena.clock.advance(50);
    const next = await queueTask(database, arena, agent.id);
    await arena.passes.dispatch();
    expect((await readTask(database, next.id)).state).toBe("queued");
    arena.clock.advance(11);
    expect(await dispatch(next.id)).toMatchObject({ state: "completed" });
    expect(await state(agent)).toMatchObject({ failures: 0 });
  });

  it.each(["PENDING", "SUSPENDED", "PAUSED"])("sends nothing to an agent that is %s", async (status) => {
    const agent = await active(good);
    await putInto(database, arena, agent.id, status);
    const task = await queueTask(database, arena, agent.id);
    await arena.passes.dispatch();
    expect((await readTask(database, task.id)).state).toBe("queued");
    arena.clock.advance(16);
    await arena.passes.sweep();
    expect(await readTask(database, task.id)).toMatchObject({ state: "cancelled", cause: null });
  });

  it("keeps within max_concurrent, and to one task on probation", async () => {
    const waiting: (() => void)[] = [];
    const agent = await active((dispatch, response) => {
      waiting.push(() => sendJson(response, roleAnswer(dispatch)));
    });
    await database.db.orm.execute(`update agents set max_concurrent = 2`);
    await putInto(database, arena, agent.id, "PROBATION");
    const tasks: { id: number }[] = [];
    for (let each = 0; each < 3; each += 1) tasks.push(await queueTask(database, arena, agent.id));
    const states = async () => Promise.all(tasks.map(async (task) => (await readTask(database, task.id)).state));
    await Promise.all([arena.passes.dispatch(), arena.passes.dispatch()]);
    expect(await states()).toEqual(["running", "queued", "queued"]);
    await putInto(database, arena, agent.id, "ACTIVE");
    await Promise.all([arena.passes.dispatch(), arena.passes.dispatch()]);
    expect(await states()).toEqual(["running", "running", "queued"]);
    await expect.poll(() => waiting.length).toBe(2);
    for (const answer of waiting.splice(0)) answer();
    await expect.poll(states).toEqual(["completed", "completed", "queued"]);
    await arena.passes.dispatch();
    await expect.poll(() => waiting.length).toBe(1);
    waiting[0]?.();
    await expect.poll(states).toEqual(["completed", "completed", "completed"]);
  });

  it("reaches an agent that is free behind thousands of tasks that wait for one that is not", async () => {
    const busy = await active(() => {});
    await queueTask(database, arena, busy.id);
    await arena.passes.dispatch();
    await database.db.orm.execute(`insert into tasks (uuid, agent_id, kind, state, deadline_seconds, inserted_at)
      select gen_random_uuid(), ${busy.id}, 'scout', 'queued', 30, now() from generate_series(1, 3000)`);
    const free = await active(good);
    const task = await queueTask(database, arena, free.id);
    await arena.passes.dispatch();
    await expect.poll(async () => (await readTask(database, task.id)).state).toBe("completed");
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ["nothing", (response) => response.writeHead(202).end()],
    ["a JSON object without output", (response) => sendJson(response, { status: "accepted" }, 202)],
  ])("takes a 202 with %s as a promise, and blames the agent for breaking it", async (_name, answer) => {
    const agent = await active((_dispatch, response) => answer(response));
    const task = await queueTask(database, arena, agent.id);
    await arena.passes.dispatch();
    const acknowledged = async () =>
      (await database.db.run({ name: "acks", text: "select id from tasks where acknowledged_at is not null" }, []))
        .length;
    await expect.poll(acknowledged).toBe(1);
    expect((await readTask(database, task.id)).state).toBe("running");
    arena.clock.advance(32);
    await arena.passes.sweep();
    expect(await readTask(database, task.id)).toMatchObject({ state: "timeout", cause: "timeout" });
    expect(await state(agent)).toMatchObject({ failures: 1, cooldown: 60 });
  });

  it("takes the output that a 202 carries as the answer", async () => {
    const agent = await active((dispatch, response) => sendJson(response, roleAnswer(dispatch), 202));
    expect(await dispatch((await queueTask(database, arena, agent.id)).id)).toMatchObject({ state: "completed" });
  });

  it.each([200, 201, 204])("does not take an empty %d as a promise", async (status) => {
    const agent = await active((_dispatch, response) => response.writeHead(status).end());
    const ended = await dispatch((await queueTask(database, arena, agent.id)).id);
    expect(ended).toMatchObject({ state: "failed", cause: "invalid" });
  });

  it("blames nobody for a task that only the sweep finds", async () => {
    const agent = await active(() => {});
    const task = await queueTask(database, arena, agent.id);
    // As a node that is gone has left it.
    await database.db.orm.execute(
      `update tasks set state = 'running', started_at = inserted_at, deadline_at = inserted_at`,
    );
    arena.clock.advance(7);
    await arena.passes.sweep();
    expect(await readTask(database, task.id)).toMatchObject({ state: "timeout", cause: "arena" });
    expect(await state(agent)).toMatchObject({ failures: 0, cooldown: null });
  });

  it("keeps a delivery of each dispatch for its owner, the signature masked", async () => {
    const agent = await active((_dispatch, response) => sendJson(response, { output: {} }));
    await dispatch((await queueTask(database, arena, agent.id)).id);
    const list = async () =>
      (await arena.app.inject({ url: `/api/agents/${agent.id}/deliveries`, headers: agent.headers })).json();
    await expect.poll(async () => (await list()).total).toBe(1);
    const [item] = (await list()).items;
    expect(item).toMatchObject({ purpose: "task", verdict: "failed", cause: "invalid", fault: "agent" });
    const url = `/api/agents/${agent.id}/deliveries/${item.id}`;
    const whole = (await arena.app.inject({ url, headers: agent.headers })).json();
    expect(whole.request.headers["x-edgearena-signature"]).toBe("(masked)");
    expect(whole.detail).toMatch(/candidate_title/);
    expect(whole.advice).toMatch(/candidate_title/);
  });
});
