import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { addPrompts, createTestArena, type TestArena } from "../support/test-arena.ts";
import { answerWith, isSigned, type ReceivedPush, sendJson, startWebhook, type Webhook } from "../support/webhook.ts";

interface PushAgent {
  id: number;
  secret: string;
  headers: { authorization: string };
  created: Record<string, unknown>;
}

describeOnBoth("pushing prompts", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  let webhooks: Webhook[];
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    webhooks = [];
    arena = await createTestArena(database, { allowPrivateEndpoints: true, probesPerMinute: 0, probesPerHostHour: 0 });
  });
  afterEach(async () => {
    for (const webhook of webhooks) await webhook.close();
    await arena.stop();
  });

  async function webhook(behaviour: Parameters<typeof startWebhook>[0]): Promise<Webhook> {
    const started = await startWebhook(behaviour);
    webhooks.push(started);
    return started;
  }

  async function register(url: string, name = "pushed"): Promise<PushAgent> {
    const { api_key } = (await arena.app.inject({ method: "POST", url: "/api/register" })).json();
    const headers = { authorization: `Bearer ${api_key}` };
    const made = await arena.app.inject({
      method: "POST",
      url: "/api/agents",
      headers,
      payload: { name, webhook_url: url },
    });
    expect(made.statusCode).toBe(201);
    return { id: made.json().id, secret: made.json().webhook_secret, headers, created: made.json() };
  }

  const get = async (agent: PushAgent, path = "") =>
    (await arena.app.inject({ url: `/api/agents/${agent.id}${path}`, headers: agent.headers })).json();
  const post = async (agent: PushAgent, path: string) =>
    arena.app.inject({ method: "POST", url: `/api/agents/${agent.id}${path}`, headers: agent.headers });
  const answers = async (agent: PushAgent) => (await get(agent, "/answers")).items;
  /** Passes until nothing is left to do at this moment of the clock, and what was sent has come back. */
  async function dispatch() {
    while (await arena.passes.dispatch());
    await settled();
  }
  const settled = () =>
    expect
      .poll(
        async () => {
          const { rows } = (await database.db.orm.execute(
            `select count(*)::int as running from tasks where state = 'running'`,
          )) as unknown as { rows: { running: number }[] };
          // The database knows an outcome a moment before the node does, which until then counts the agent as busy.
          const { body } = await arena.app.inject("/metrics");
          return [rows[0]?.running, /^agon_calls_under_way (\d+)$/m.exec(body)?.[1]];
        },
        { timeout: 10_000 },
      )
      .toEqual([0, "0"]);

  describe("registration", () => {
    it("[TX-PUSH-3] pings with a signed POST that is no prompt, and is active when the endpoint answers", async () => {
      const hook = await webhook(answerWith("x"));
      const agent = await register(hook.url);
      expect(agent.created).toMatchObject({ mode: "push", active: true, ping_error: null });
      expect(hook.received.map((push) => push.method)).toEqual(["POST"]);
      const ping = hook.received[0] as ReceivedPush;
      expect(ping.json).toEqual({ prompt_id: "0", prompt: "ping", category: "ping", deadline_seconds: 15 });
      expect(isSigned(ping, agent.secret, arena.clock.now())).toBe(true);
      expect(ping.headers["content-length"]).toBe(String(ping.body.length));
      expect((await get(agent, "/activity")).total).toBe(0);
      expect((await get(agent, "/deliveries")).items).toMatchObject([
        { purpose: "ping", status: 200, verdict: "good", cause: null, detail: "The endpoint answered." },
      ]);
    });

    it("says what to do when the endpoint cannot know the secret yet, and a retest after that activates", async () => {
      let secret = "";
      const hook = await webhook((push, response) => {
        if (isSigned(push, secret, arena.clock.now())) sendJson(response, {});
        else sendJson(response, { error: "who are you" }, 401);
      });
      const agent = await register(hook.url);
      expect(agent.created.active).toBe(false);
      expect(agent.created.ping_error).toBe(
        "The endpoint answered 401. Install the webhook_secret of this response at the endpoint, then retest.",
      );
      expect((await get(agent)).status).toBe("unreachable");
      expect((await get(agent, "/eligibility")).gates).toEqual([
        { gate: "unreachable", detail: `The last ping failed. ${agent.created.ping_error}`, until: null },
      ]);
      secret = agent.secret;
      expect((await post(agent, "/retest")).json()).toMatchObject({ active: true, ping_error: null, status: "active" });
    });

    it("pings again when the URL changes, and refuses an address that it may not call, by name", async () => {
      const first = await webhook(answerWith("x"));
      const second = await webhook((_push, response) => sendJson(response, [], 200));
      const agent = await register(first.url);
      const patch = (payload: object) =>
        arena.app.inject({ method: "PATCH", url: `/api/agents/${agent.id}`, headers: agent.headers, payload });
      expect((await patch({ webhook_url: second.url })).json().ping_error).toContain("not an object");
      expect(second.received).toHaveLength(1);
      const refused = await patch({ webhook_url: "http://169.254.169.254/latest" });
      expect(refused.statusCode).toBe(422);
      expect(refused.json().errors[0].field).toBe("webhook_url");
      expect((await get(agent)).webhook_url).toBe(second.url);
    });

    it("is not told of a URL that it had before, when the ping of that one ends late", async () => {
      const pings: (() => void)[] = [];
      const first = await webhook((_push, response) => void pings.push(() => sendJson(response, {})));
      const registering = register(first.url);
      await expect.poll(() => pings.length).toBe(1);
      pings[0]?.();
      const agent = await registering;
      const retest = post(agent, "/retest");
      await expect.poll(() => pings.length).toBe(2);
      const payload = { webhook_url: (await webhook(answerWith("x"))).url };
      const patch = { method: "PATCH", url: `/api/agents/${agent.id}`, headers: agent.headers, payload } as const;
      const why = "a ping or probe of your account is under way; wait for its end";
      const pingError = `The endpoint was not pinged: ${why}. Retest later.`;
      expect((await arena.app.inject(patch)).json().ping_error).toBe(pingError);
      pings[1]?.();
      expect((await retest).json().ping_error).toBe(pingError);
    });

    it("is kept when the account has had its share of pings, to be retested later", async () => {
      await arena.stop();
      arena = await createTestArena(database, { allowPrivateEndpoints: true, probesPerMinute: 2 });
      const hook = await webhook(answerWith("x"));
      const agent = await register(hook.url);
      expect((await post(agent, "/retest")).statusCode).toBe(200);
      const limited = await post(agent, "/retest");
      expect([limited.statusCode, Number(limited.headers["retry-after"])]).toEqual([429, 60]);
      expect(hook.received).toHaveLength(2);
    });
  });

  it("[TX-PUSH-1] sends the four prompt fields and the signature, the gym first, and takes the answer", async () => {
    await addPrompts(database, 3, 2);
    const hook = await webhook(answerWith((prompt) => `to ${prompt}`));
    const agent = await register(hook.url);
    for (let turn = 0; turn < 4; turn += 1) {
      await dispatch();
      arena.clock.advance(30);
    }
    expect(hook.prompts().map((push) => push.json.category)).toEqual(["gym", "gym", "main", "main"]);
    for (const push of hook.prompts()) {
      expect(Object.keys(push.json)).toEqual(["prompt_id", "prompt", "category", "deadline_seconds"]);
      expect(push.json.deadline_seconds).toBe(300);
      expect(push.headers["x-arena-signature"]).toMatch(/^[0-9a-f]{64}$/);
      expect(push.headers["content-type"]).toBe("application/json");
    }
    expect(isSigned(hook.prompts()[3] as ReceivedPush, agent.secret, arena.clock.now())).toBe(true);
    expect((await answers(agent)).map((each: { response: string }) => each.response)).toEqual(
      hook
        .prompts()
        .map((push) => `to ${push.json.prompt}`)
        .reverse(),
    );
  });

  it("sends at most one prompt every 30 s and one at a time", async () => {
    await addPrompts(database, 10);
    const open: (() => void)[] = [];
    const hook = await webhook((push, response) => {
      if (push.json.prompt_id === "0") return sendJson(response, {});
      open.push(() => sendJson(response, { response: "at last" }));
    });
    await register(hook.url);
    while (await arena.passes.dispatch());
    await expect.poll(() => open.length).toBe(1);
    arena.clock.advance(120);
    while (await arena.passes.dispatch());
    expect(hook.prompts()).toHaveLength(1);
    open[0]?.();
    await settled();
    while (await arena.passes.dispatch());
    await expect.poll(() => open.length).toBe(2);
    open[1]?.();
    await settled();
    arena.clock.advance(29);
    await dispatch();
    expect(hook.prompts()).toHaveLength(2);
    arena.clock.advance(1);
    while (await arena.passes.dispatch());
    await expect.poll(() => open.length).toBe(3);
    open[2]?.();
    await settled();
  });

  const failures: [name: string, behave: (response: import("node:http").ServerResponse) => void, cause: string][] = [
    ["a 500", (response) => sendJson(response, { response: "x" }, 500), "error"],
    [
      "a 502 that names its reason",
      (response) => sendJson(response, { error: "the model is not loaded" }, 502),
      "error",
    ],
    ["a redirect", (response) => void response.writeHead(302, { location: "/elsewhere" }).end(), "error"],
    ["HTML", (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<html>"), "invalid"],
    ["no response field", (response) => sendJson(response, { answer: "x" }), "invalid"],
    ["a response that is no string", (response) => sendJson(response, { response: 7 }), "invalid"],
    ["a blank response", (response) => sendJson(response, { response: " " }), "invalid"],
    [
      "half a body",
      (response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write('{"response":');
        response.destroy();
      },
      "unreachable",
    ],
    ["a closed connection", (response) => void response.destroy(), "unreachable"],
    ["5 MB", (response) => sendJson(response, { response: "x".repeat(5_000_000) }), "invalid"],
  ];

  it.each(failures)(
    "[TX-PUSH-2] records %s as a failed attempt, sends it never again, and goes on",
    async (_name, behave, cause) => {
      await addPrompts(database, 3);
      let failing = true;
      const hook = await webhook((push, response) => {
        if (push.json.prompt_id !== "0" && failing) behave(response);
        else answerWith("fine")(push, response);
      });
      const agent = await register(hook.url);
      await dispatch();
      failing = false;
      expect(await answers(agent)).toMatchObject([{ status: "error" }]);
      await expect.poll(async () => (await get(agent, "/deliveries")).total).toBe(2);
      const [delivery] = (await get(agent, "/deliveries")).items;
      expect(delivery).toMatchObject({ purpose: "task", verdict: "failed", cause, fault: "agent" });
      expect(delivery.detail).toMatch(/\.$/);
      expect(delivery.advice).toMatch(/\.|\?$/);
      const whole = await get(agent, `/deliveries/${delivery.id}`);
      expect(whole.request.headers["x-arena-signature"]).toBe("(masked)");
      expect(whole.request.body).toContain("main prompt");
      expect((whole.response.body ?? "").length).toBeLessThan(9_000);
      arena.clock.advance(31);
      await dispatch();
      arena.clock.advance(31);
      await dispatch();
      const sent = hook.prompts().map((push) => push.json.prompt_id);
      expect(sent).toHaveLength(3);
      expect(new Set(sent).size).toBe(3);
      expect((await answers(agent)).map((each: { status: string }) => each.status)).toEqual([
        "answered",
        "answered",
        "error",
      ]);
    },
  );

  it("leaves an agent its turn that another node calls, ready for when that call ends", async () => {
    await addPrompts(database, 1);
    const hook = await webhook(answerWith("x"));
    const agent = await register(hook.url);
    await database.db.orm.execute(`insert into tasks (agent_id, kind, prompt_id, state, deadline_seconds, inserted_at, started_at)
      values (${agent.id}, 'gym', 1, 'running', 300, now(), now())`);
    expect(await arena.passes.dispatch()).toBe(false);
    await database.db.orm.execute(`update tasks set state = 'completed', finished_at = now()`);
    await dispatch();
    expect(hook.prompts()).toHaveLength(1);
  });

  it("looks no more at agents that were deactivated, or whose account was deleted", async () => {
    const hook = await webhook(answerWith("x"));
    const agents = [await register(hook.url), await register(hook.url)] as const;
    const turns = async () =>
      ((await database.db.orm.execute("select agent_id from push_turns")) as unknown as { rows: unknown[] }).rows;
    expect(await turns()).toHaveLength(2);
    await post(agents[0], "/deactivate");
    expect(await turns()).toEqual([{ agent_id: agents[1].id }]);
    await arena.app.inject({ method: "DELETE", url: "/api/account", headers: agents[1].headers });
    expect(await turns()).toEqual([]);
  });

  it("[TX-PUSH-2] ends a hung or trickling exchange at the prompt's deadline as a timeout", async () => {
    await addPrompts(database, [{ prompt: "slow", category: "x", deadline_seconds: 10 }]);
    await database.db.orm.execute("update prompts set deadline_seconds = 1");
    const hook = await webhook((push, response) => {
      if (push.json.prompt_id === "0") return sendJson(response, {});
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 50);
      response.once("close", () => clearInterval(timer));
    });
    const agent = await register(hook.url);
    await dispatch();
    const { rows } = (await database.db.orm.execute("select state, cause from tasks")) as unknown as { rows: object[] };
    expect(rows).toEqual([{ state: "timeout", cause: "timeout" }]);
    expect((await get(agent, "/eligibility")).gates[0].gate).toBe("slowed");
  });

  it("slows an endpoint that is down, and leaves a task that the sweep finds to the arena's own account", async () => {
    await addPrompts(database, 5);
    const hook = await webhook(answerWith("x"));
    const agent = await register(hook.url);
    await hook.close();
    webhooks = [];
    await dispatch();
    expect((await get(agent, "/eligibility")).gates).toMatchObject([
      { gate: "slowed", until: new Date(arena.clock.now() + 30_000).toISOString() },
    ]);
    const at = new Date(arena.clock.now() - 400_000).toISOString();
    await database.db.orm.execute(
      `insert into tasks (uuid, agent_id, kind, prompt_id, state, deadline_seconds, inserted_at, started_at, deadline_at)
       values ('${crypto.randomUUID()}', ${agent.id}, 'main', 5, 'running', 300, '${at}', '${at}', '${new Date(arena.clock.now() - 100_000).toISOString()}')`,
    );
    await arena.passes.sweep();
    const { rows } = (await database.db.orm.execute(
      `select t.state, t.cause, a.fault_streak from tasks t join agents a on a.id = t.agent_id order by t.id desc limit 1`,
    )) as unknown as { rows: object[] };
    expect(rows).toEqual([{ state: "timeout", cause: "arena", fault_streak: 1 }]);
  });

  it("sends a test task at once, whatever the gap, and lets it count nowhere", async () => {
    await addPrompts(database, 3, 1);
    const hook = await webhook(answerWith("x"));
    const agent = await register(hook.url);
    await dispatch();
    await dispatch();
    const before = await get(agent);
    const test = await post(agent, "/test-task");
    expect(test.statusCode).toBe(202);
    await dispatch();
    expect(await get(agent, `/tasks/${test.json().task_id}`)).toMatchObject({
      kind: "gym",
      test: true,
      state: "completed",
      response: "x",
    });
    expect((await get(agent)).gym).toEqual(before.gym);
    await expect.poll(async () => (await get(agent, "/deliveries")).items[0].purpose).toBe("test");
  });
});
