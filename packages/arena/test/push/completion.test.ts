import { signEdgearena } from "@agon/protocol";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { roleOutput } from "../support/role-outputs.ts";
import {
  putInto,
  type QueuedTask,
  queueTask,
  readAgent,
  readTask,
  registerSigned,
  type SignedAgent,
} from "../support/signed-agents.ts";
import { createTestArena, registerAgent, type TestArena } from "../support/test-arena.ts";

const HOST = "localhost:4600";

describeOnBoth("completing a task later", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  let agent: SignedAgent;
  let task: QueuedTask;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database, { allowPrivateEndpoints: true });
    agent = await registerSigned(arena, "http://127.0.0.1:9/agent");
    await putInto(database, arena, agent.id, "ACTIVE");
    task = await running();
  });
  afterEach(() => arena.stop());

  /** A task that was sent and has not been answered. */
  async function running(agentId = agent.id): Promise<QueuedTask> {
    const queued = await queueTask(database, arena, agentId);
    const now = new Date(arena.clock.now()).toISOString();
    await database.db.orm.execute(sql`update tasks set state = 'running', started_at = ${now},
      deadline_at = ${now}::timestamptz + interval '30 seconds' where id = ${queued.id}`);
    return queued;
  }

  interface Call {
    path?: string;
    body?: unknown;
    raw?: Buffer | string;
    key?: string;
    url?: string;
    timestamp?: string | undefined;
    signature?: string | undefined;
    headers?: Record<string, string>;
    node?: TestArena;
  }
  const bodyOf = (uuid: string) => ({
    taskId: uuid,
    output: roleOutput("SCOUT"),
    promptTokens: 5,
    completionTokens: 6,
    modelId: "later-1",
  });

  /** A call as an agent makes it that is right, but for what is given. */
  async function complete(call: Call = {}) {
    const path = call.path ?? `/api/agent-tasks/${task.uuid}/complete`;
    const raw = call.raw ?? JSON.stringify(call.body ?? bodyOf(task.uuid));
    const timestamp = "timestamp" in call ? call.timestamp : String(Math.floor(arena.clock.now() / 1000));
    const url = call.url ?? `http://${HOST}${path}`;
    const signature =
      "signature" in call
        ? call.signature
        : signEdgearena({
            key: call.key ?? agent.key,
            url,
            timestamp: /^\d{1,16}$/.test(timestamp ?? "") ? (timestamp as string) : "1",
            body: raw,
          });
    const answer = await (call.node ?? arena).app.inject({
      method: "POST",
      url: path,
      payload: raw,
      headers: {
        host: HOST,
        "content-type": "application/json",
        ...(timestamp === undefined ? {} : { "x-edgearena-timestamp": timestamp }),
        ...(signature === undefined ? {} : { "x-edgearena-signature": signature }),
        ...call.headers,
      },
    });
    const json = answer.json();
    if (answer.statusCode !== 200) {
      expect(json.detail).toBe(json.message);
      expect(answer.headers["content-type"]).toMatch(/^application\/problem\+json/);
    }
    return { status: answer.statusCode, text: answer.statusCode === 200 ? answer.body : json.message };
  }

  const ok = { status: 200, text: '{"accepted":true}' };
  const bad = (text: string) => ({ status: 400, text });
  const denied = (text: string) => ({ status: 401, text });
  const MISMATCH = bad("taskId in body must match path parameter");
  const TOO_LARGE = bad("output exceeds 262144 byte limit");
  const INVALID = denied("Invalid task completion signature");
  const NO_TIME = denied("Invalid or missing X-EdgeArena-Timestamp header");

  it("[EA-COMP-1] [EA-COMP-2] is accepted with a signature over this request's own host, path and bytes", async () => {
    expect(await complete()).toEqual(ok);
    expect(await readTask(database, task.id)).toMatchObject({
      state: "completed",
      cause: null,
      prompt_tokens: 5,
      model_id: "later-1",
    });
    expect(JSON.parse((await readTask(database, task.id)).response as string)).toEqual(roleOutput("SCOUT"));
  });

  it("[EA-COMP-2] needs no modelId", async () => {
    const { modelId: _, ...body } = bodyOf(task.uuid);
    expect(await complete({ body })).toEqual(ok);
  });

  it.each(["application/vnd.arena+json", "text/plain", "application/json; charset=utf-8"])(
    "[EA-COMP-1] verifies the same whatever the content type: %s",
    async (type) => expect(await complete({ headers: { "content-type": type } })).toEqual(ok),
  );

  it("[EA-COMP-1] hashes the bytes, not what they parse to", async () => {
    const raw = JSON.stringify(bodyOf(task.uuid)).replace(
      '"promptTokens":5',
      '"10":0,"9":0,"x":1.0,"y":1E2,"z":"\\u00e9\\/","promptTokens":5',
    );
    expect(await complete({ raw })).toEqual(ok);
  });

  it("[EA-COMP-3] refuses a body for another task, and whatever is no object", async () => {
    expect(await complete({ body: bodyOf(crypto.randomUUID()) })).toEqual(MISMATCH);
    for (const raw of ["", "[]", "null", '"x"', "{", "{}", '{"taskId":7}', Buffer.from([0x7b, 0xff, 0x7d])]) {
      expect(await complete({ raw })).toEqual(MISMATCH);
    }
    expect(await complete({ headers: { "content-encoding": "gzip" } })).toEqual(MISMATCH);
  });

  it("[EA-COMP-4] takes an output of 262,144 bytes and not one byte more, counted as bytes", async () => {
    const output = { ...roleOutput("SCOUT"), more: "" };
    const room = 262_144 - Buffer.byteLength(JSON.stringify(output));
    const fill = (bytes: number) => "é".repeat(Math.floor(bytes / 2)) + "x".repeat(bytes % 2);
    const body = (bytes: number) => ({ ...bodyOf(task.uuid), output: { ...output, more: fill(bytes) } });
    expect(await complete({ body: body(room + 1) })).toEqual(TOO_LARGE);
    expect(await complete({ body: body(room) })).toEqual(ok);
  });

  it("[EA-COMP-4] refuses a body of megabytes with the same text", async () => {
    expect(await complete({ body: { ...bodyOf(task.uuid), more: "x".repeat(3_000_000) } })).toEqual(TOO_LARGE);
  });

  it("[EA-COMP-5] does not know other tasks, and says no more of texts that are no id", async () => {
    for (const id of [crypto.randomUUID(), "7", "not-a-uuid", "%00"]) {
      const path = `/api/agent-tasks/${id}/complete`;
      const shown = decodeURIComponent(id);
      expect(await complete({ path, body: bodyOf(shown) })).toEqual(bad(`Task ${shown} not found`));
    }
  });

  it("[EA-COMP-6] refuses a task that has ended, one that waits, and one that is late", async () => {
    const text = bad(`Task ${task.uuid} is not in RUNNING state`);
    arena.clock.advance(31);
    expect(await complete()).toEqual(text);
    expect((await readTask(database, task.id)).state).toBe("running");
    arena.clock.advance(10);
    await arena.passes.sweep();
    expect(await complete()).toEqual(text);
    const queued = await queueTask(database, arena, agent.id);
    const path = `/api/agent-tasks/${queued.uuid}/complete`;
    expect(await complete({ path, body: bodyOf(queued.uuid) })).toEqual(
      bad(`Task ${queued.uuid} is not in RUNNING state`),
    );
  });

  it("[EA-COMP-7] refuses tasks that did not go to an agent by push", async () => {
    const pull = await registerAgent(arena);
    const pulled = await running(pull.id);
    const path = `/api/agent-tasks/${pulled.uuid}/complete`;
    const text = bad(`Task ${pulled.uuid} was not dispatched to an external agent`);
    expect(await complete({ path, body: bodyOf(pulled.uuid) })).toEqual(text);
    await database.db.orm.execute(sql`update agents set transport = 'house' where id = ${pull.id}`);
    expect(await complete({ path, body: bodyOf(pulled.uuid), signature: undefined })).toEqual(text);
  });

  it("[EA-COMP-8] refuses the task of an agent that is gone", async () => {
    await arena.app.inject({ method: "POST", url: `/api/agents/${agent.id}/deactivate`, headers: agent.headers });
    expect(await complete()).toEqual(bad("Agent not found for this task"));
  });

  it.each([undefined, "", "soon", "1.5", "-5", "٣", "0x10", " 17"])(
    "[EA-COMP-9] refuses the timestamp %s",
    async (timestamp) => {
      expect(await complete({ timestamp })).toEqual(NO_TIME);
    },
  );

  it("[EA-COMP-10] refuses a timestamp outside the window, and says how far", async () => {
    const now = Math.floor(arena.clock.now() / 1000);
    const outside = (skew: number) => denied(`Signature timestamp outside ±300s replay window (skew=${skew}s)`);
    expect(await complete({ timestamp: String(now - 301) })).toEqual(outside(301));
    expect(await complete({ timestamp: String(now + 301) })).toEqual(outside(301));
    const text = (await complete({ timestamp: String(now * 1000) })).text;
    expect(text).toMatch(/^Signature timestamp outside ±300s replay window \(skew=\d+s\)$/);
    expect(await complete({ timestamp: String(now - 300) })).toEqual(ok);
  });

  it("[EA-COMP-11] refuses every signature that does not hold", async () => {
    const good = signEdgearena({
      key: agent.key,
      url: `http://${HOST}/api/agent-tasks/${task.uuid}/complete`,
      timestamp: Math.floor(arena.clock.now() / 1000),
      body: JSON.stringify(bodyOf(task.uuid)),
    });
    for (const signature of [
      undefined,
      "",
      "abc",
      good.slice(7),
      good.slice(0, -1),
      `${good}0`,
      `sha256=${"é".repeat(64)}`,
    ]) {
      expect(await complete({ signature })).toEqual(INVALID);
    }
    expect(await complete({ key: "sa_another" })).toEqual(INVALID);
    expect(await complete({ url: `http://elsewhere.example/api/agent-tasks/${task.uuid}/complete` })).toEqual(INVALID);
    expect(await complete({ url: `http://${HOST}/api/agent-tasks/other/complete` })).toEqual(INVALID);
    expect((await readTask(database, task.id)).state).toBe("running");
    expect(await complete({ signature: `sha256=${good.slice(7).toUpperCase()}` })).toEqual(ok);
  });

  it("[EA-COMP-12] knows a repeat by task and signature, in either case of hex, on every node", async () => {
    const other = await createTestArena(database, {}, arena.clock);
    expect(await complete()).toEqual(ok);
    const replay = denied("Task completion already submitted (replay rejected)");
    expect(await complete()).toEqual(replay);
    expect(await complete({ node: other })).toEqual(replay);
    const url = `http://${HOST}/api/agent-tasks/${task.uuid}/complete`;
    const timestamp = String(Math.floor(arena.clock.now() / 1000));
    const signature = signEdgearena({ key: agent.key, url, timestamp, body: JSON.stringify(bodyOf(task.uuid)) });
    expect(await complete({ signature: `sha256=${signature.slice(7).toUpperCase()}`, node: other })).toEqual(replay);
    // Signed anew it is no replay, but too late all the same.
    arena.clock.advance(1);
    expect(await complete()).toEqual(bad(`Task ${task.uuid} is not in RUNNING state`));
    await other.stop();
  });

  it("[EA-COMP-12] keeps every verified pair, also of a completion that changed nothing", async () => {
    arena.clock.advance(31);
    expect((await complete()).text).toMatch(/not in RUNNING/);
    expect((await complete()).text).toMatch(/replay rejected/);
  });

  it("[EA-COMP-12] lets one of many at once through, over two nodes", async () => {
    const other = await createTestArena(database, {}, arena.clock);
    const calls = Array.from({ length: 10 }, (_, index) => complete({ node: index % 2 === 0 ? arena : other }));
    const texts = (await Promise.all(calls)).map((each) => each.status).sort();
    expect(texts).toEqual([200, ...Array(9).fill(401)]);
    await other.stop();
  });

  it("[EA-COMP-13] the first of two answers wins, and the second changes nothing", async () => {
    expect(await complete()).toEqual(ok);
    const first = await readTask(database, task.id);
    arena.clock.advance(1);
    const output = { ...roleOutput("SCOUT"), candidate_title: "Another" };
    expect((await complete({ body: { ...bodyOf(task.uuid), output } })).status).toBe(400);
    expect(await readTask(database, task.id)).toEqual(first);
  });

  it.each<[string, unknown]>([
    ["out of shape", {}],
    ["missing", undefined],
    ["no object", "text"],
  ])(
    "[EA-COMP-15] accepts an output that is %s and fails the task, without cooldown or health failure",
    async (_name, output) => {
      expect(await complete({ body: { ...bodyOf(task.uuid), output } })).toEqual(ok);
      expect(await readTask(database, task.id)).toMatchObject({ state: "failed", cause: "invalid" });
      expect(await readAgent(database, arena, agent.id)).toMatchObject({ failures: 0, cooldown: null });
      const { items } = (
        await arena.app.inject({ url: `/api/agents/${agent.id}/deliveries`, headers: agent.headers })
      ).json();
      expect(items[0]).toMatchObject({ purpose: "result", verdict: "failed", cause: "invalid" });
    },
  );

  it("[EA-COMP-15] names the first fault in the specified order", async () => {
    const pull = await registerAgent(arena);
    const pulled = await running(pull.id);
    const unknown = crypto.randomUUID();
    const large = { ...roleOutput("SCOUT"), more: "x".repeat(300_000) };
    const to = (uuid: string) => `/api/agent-tasks/${uuid}/complete`;
    const wrong = { signature: "sha256=no", timestamp: "soon" };
    const steps: [Call, RegExp][] = [
      [{ path: to(unknown), body: { ...bodyOf("other"), output: large }, ...wrong }, /must match/],
      [{ path: to(unknown), body: { ...bodyOf(unknown), output: large }, ...wrong }, /byte limit/],
      [{ path: to(unknown), body: bodyOf(unknown), ...wrong }, /X-EdgeArena-Timestamp/],
      [{ path: to(unknown), body: bodyOf(unknown), ...wrong, timestamp: "17" }, /replay window/],
      [{ path: to(unknown), body: bodyOf(unknown), signature: "sha256=no" }, /not found$/],
      [{ path: to(pulled.uuid), body: bodyOf(pulled.uuid), signature: "sha256=no" }, /external agent/],
      [{ signature: "sha256=no" }, /Invalid task completion/],
    ];
    for (const [call, text] of steps) expect((await complete(call)).text).toMatch(text);
    arena.clock.advance(31);
    expect((await complete({ signature: undefined })).text).toMatch(/Invalid task completion/);
    expect((await complete()).text).toMatch(/RUNNING/);
    expect((await complete()).text).toMatch(/replay/);
  });

  it("[EA-COMP-16] takes the public URL's host and path for the signed ones where it is set, and no forwarded header", async () => {
    const proxied = await createTestArena(database, { publicUrl: "https://arena.example.org/agon/" }, arena.clock);
    const path = `/api/agent-tasks/${task.uuid}/complete`;
    const forwarded = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
    expect(await complete({ node: proxied, url: `https://evil.example${path}`, headers: forwarded })).toEqual(INVALID);
    expect(await complete({ node: proxied, url: `https://arena.example.org${path}` })).toEqual(INVALID);
    expect(await complete({ node: proxied, url: `https://arena.example.org/agon${path}`, headers: forwarded })).toEqual(
      ok,
    );
    await proxied.stop();
  });

  it("[EA-COMP-11] answers nothing but the specified texts to hostile headers and bodies", async () => {
    const texts =
      /^(taskId in body must match path parameter|output exceeds 262144 byte limit|Task .* not found|Invalid or missing X-EdgeArena-Timestamp header|Signature timestamp outside ±300s replay window \(skew=\d+s\)|Invalid task completion signature)$/s;
    const header = fc.stringMatching(/^[\x21-\x7e]{0,80}$/);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json().map(String),
          fc.uint8Array({ maxLength: 60 }).map(Buffer.from),
          fc.constant(JSON.stringify(bodyOf(task.uuid))),
        ),
        fc.oneof(header, fc.constant(String(Math.floor(arena.clock.now() / 1000)))),
        header,
        async (raw, timestamp, signature) => {
          const { status, text } = await complete({ raw, timestamp, signature });
          expect([400, 401]).toContain(status);
          expect(text).toMatch(texts);
        },
      ),
      { numRuns: 300 },
    );
    expect((await readTask(database, task.id)).state).toBe("running");
  });
});
