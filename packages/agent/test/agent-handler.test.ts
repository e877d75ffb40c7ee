import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ROLES, verifyEdgearena } from "@agon/protocol";
import { describe, expect, it, test, vi } from "vitest";
import { type AgentDefinition, AgentError, completeTask, defineAgent, type ModelRequest, serve } from "../src/index.ts";
import {
  BUILD_OUTPUT,
  byFetch,
  byHttp,
  CRITIQUE_OUTPUT,
  ID,
  KEY,
  MESSAGES,
  makeDispatch,
  makeSimulation,
  NOW,
  PUBLIC_URL,
  SCOUT_OUTPUT,
  sign,
  VERIFY_OUTPUT,
} from "./agent-calls.ts";
import { makeBody, PING, SECRET, signed as signedPrompt, signedTwice } from "./webhook-calls.ts";

const ALL: AgentDefinition = {
  name: "all-rounder",
  prompt: () => "Io, Europa",
  scout: () => SCOUT_OUTPUT,
  build: () => BUILD_OUTPUT,
  verify: () => VERIFY_OUTPUT,
  critique: () => CRITIQUE_OUTPUT,
};

describe.each([
  ["a fetch handler", byFetch],
  ["a Node server", byHttp],
] as const)("an agent behind %s", (_, reach) => {
  const open = (definition: AgentDefinition = ALL, options: Parameters<typeof reach>[1] = {}) =>
    reach(defineAgent(definition), options);
  const dispatch = async (agent: Awaited<ReturnType<typeof open>>, fields: Record<string, unknown> = {}) => {
    const body = JSON.stringify(makeDispatch(fields));
    return agent.send("POST", body, sign(body));
  };

  it("[EA-LIVE-8] answers GET at once, with no dependence on the model", async () => {
    const model = vi.fn(() => new Promise<never>(() => {}));
    await using agent = await open({ ...ALL, model });
    const reply = await agent.send("GET");
    expect(reply).toMatchObject({ status: 200, json: { ok: true, name: "all-rounder", protocol: "edgearena-v1" } });
    expect((await agent.send("HEAD")).status).toBe(200);
    expect(model).not.toHaveBeenCalled();
  });

  it("[EA-HAND-6] answers a handshake with an object that names the protocol", async () => {
    await using agent = await open();
    const body = JSON.stringify({ type: "handshake", protocol: "edgearena-v1", request_id: ID });
    expect(await agent.send("POST", body)).toMatchObject({ status: 200, json: { ok: true, protocol: "edgearena-v1" } });
    const other = JSON.stringify({ type: "handshake", protocol: "edgearena-v9", request_id: ID });
    expect((await agent.send("POST", other)).status).toBe(400);
  });

  it("[EA-KIT-1] tells four requests on one URL apart, in any order of their fields", async () => {
    await using agent = await open({ ...ALL }, { secret: SECRET });
    expect((await agent.send("GET")).json.name).toBe("all-rounder");
    const reversed = Object.fromEntries(Object.entries(makeSimulation("SCOUT")).reverse());
    expect((await agent.send("POST", JSON.stringify(reversed))).json).toEqual(SCOUT_OUTPUT);
    expect((await dispatch(agent)).json).toHaveProperty("output", SCOUT_OUTPUT);
    const prompt = makeBody();
    expect((await agent.send("POST", prompt, signedPrompt(prompt))).json).toEqual({ response: "Io, Europa" });
  });

  test.each([
    ["{}"],
    ['{"type":"critic_task"}'],
    ['{"type":"dispatch","taskId":"1","runId":"2","messages":[]}'],
    ['{"taskId":"1","runId":"2"}'],
    ["[]"],
    ["null"],
    ['"handshake"'],
    ["{"],
    [""],
    [new Uint8Array([0x7b, 0xff, 0x7d])],
    ['{"__proto__":{"type":"handshake","protocol":"edgearena-v1"}}'],
  ])("[EA-KIT-1] answers the body %j with 400", async (body) => {
    await using agent = await open();
    expect((await agent.send("POST", body)).status).toBe(400);
    expect((await agent.send("POST", body, sign(body))).status).toBe(400);
  });

  test.each(["PUT", "PATCH", "DELETE", "OPTIONS"])(
    "[EA-KIT-1] answers %s with 405 and what it takes",
    async (method) => {
      await using agent = await open();
      const reply = await agent.send(method);
      expect(reply).toMatchObject({ status: 405, headers: { allow: "GET, HEAD, POST" } });
    },
  );

  it("reads a megabyte and no more, and nothing compressed", async () => {
    await using agent = await open();
    const fit = (size: number) => JSON.stringify(makeDispatch({ goal: "x".repeat(size) }));
    const room = 1_048_576 - Buffer.byteLength(fit(0));
    const largest = fit(room);
    expect((await agent.send("POST", largest, sign(largest))).status).toBe(200);
    const larger = fit(room + 1);
    expect((await agent.send("POST", larger, sign(larger))).status).toBe(413);
    const body = JSON.stringify(makeDispatch());
    expect((await agent.send("POST", body, { ...sign(body), "content-encoding": "gzip" })).status).toBe(415);
  });

  test.each(ROLES)("[EA-SIM-9] answers %s's simulation with the bare output, unsigned and signed", async (role) => {
    await using agent = await open();
    const outputs = {
      SCOUT: SCOUT_OUTPUT,
      BUILDER: { ...BUILD_OUTPUT, candidate_id: ID, claims: [] },
      ANALYST: { ...CRITIQUE_OUTPUT, candidate_id: ID },
    };
    const unsigned = JSON.stringify(makeSimulation(role));
    expect(await agent.send("POST", unsigned)).toMatchObject({ status: 200, json: outputs[role] });
    const signed = JSON.stringify(makeSimulation(role));
    expect(await agent.send("POST", signed, sign(signed))).toMatchObject({ status: 200, json: outputs[role] });
  });

  it("[EA-SIM-9] verifies the signature of a simulation that has one", async () => {
    const scout = vi.fn(() => SCOUT_OUTPUT);
    await using agent = await open({ scout });
    const body = JSON.stringify(makeSimulation("SCOUT"));
    const headers = sign(body, { key: "sa_other" });
    expect((await agent.send("POST", body, headers)).status).toBe(401);
    const { "x-edgearena-signature": __, ...half } = sign(body);
    expect((await agent.send("POST", body, half)).status).toBe(401);
    expect(scout).not.toHaveBeenCalled();
  });

  it("names the field that a simulation or a dispatch lacks", async () => {
    await using agent = await open();
    const simulation = makeSimulation("BUILDER", { candidate: { id: ID } });
    expect(await agent.send("POST", JSON.stringify(simulation))).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining("candidate.title") },
    });
    expect(await dispatch(agent, { phase: "REVIEW" })).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining("the field phase") },
    });
    expect(await dispatch(agent, { phase: "BUILD", candidateId: null })).toMatchObject({ status: 400 });
  });

  it("answers a dispatch with the envelope, and puts the dispatched candidate in", async () => {
    await using agent = await open({ ...ALL, critique: () => ({ ...CRITIQUE_OUTPUT, candidate_id: "cand-1" }) });
    expect(await dispatch(agent)).toMatchObject({
      status: 200,
      json: { output: SCOUT_OUTPUT, promptTokens: 0, completionTokens: 0, modelId: "all-rounder" },
    });
    for (const phase of ["BUILD", "VERIFY", "CRITIQUE"]) {
      expect(await dispatch(agent, { phase })).toMatchObject({ status: 200, json: { output: { candidate_id: ID } } });
    }
  });

  describe("a dispatch that it does not trust", () => {
    const cases: [string, (body: string) => Record<string, string>][] = [
      ["has no signature", () => ({})],
      ["has a timestamp alone", () => ({ "x-edgearena-timestamp": String(NOW) })],
      ["is 301 s old", (body) => sign(body, { timestamp: NOW - 301 })],
      ["is 301 s early", (body) => sign(body, { timestamp: NOW + 301 })],
      ["is signed with another key", (body) => sign(body, { key: "sa_other" })],
      ["is signed for another host", (body) => sign(body, { url: "https://evil.example/mine" })],
      ["is signed for another path", (body) => sign(body, { url: "https://agents.example.com/other" })],
      ["is signed over other bytes", (body) => sign(`${body} `)],
      ["has a short signature", (body) => ({ ...sign(body), "x-edgearena-signature": "sha256=abc" })],
      ["has no prefix", (body) => ({ ...sign(body), "x-edgearena-signature": "a".repeat(64) })],
      ["has its time in milliseconds", (body) => ({ ...sign(body), "x-edgearena-timestamp": `${NOW}000` })],
    ];
    test.each(cases)("[EA-DISP-8] is refused with 401 before any work when it %s", async (_name, headersOf) => {
      const scout = vi.fn(() => SCOUT_OUTPUT);
      await using agent = await open({ scout });
      const body = JSON.stringify(makeDispatch());
      expect(await agent.send("POST", body, headersOf(body))).toMatchObject({
        status: 401,
        json: { error: expect.any(String), code: expect.any(String) },
      });
      expect(scout).not.toHaveBeenCalled();
    });

    test.each([undefined, "", " \n", () => undefined])("[EA-DISP-8] is everyone when its key is %j", async (key) => {
      await using agent = await open(ALL, { key });
      const body = JSON.stringify(makeDispatch());
      const forged = {
        ...sign(body),
        "x-edgearena-signature": sign(body, { key: "undefined" })["x-edgearena-signature"],
      };
      for (const headers of [sign(body), forged]) {
        expect(await agent.send("POST", body, headers)).toMatchObject({ status: 401, json: { code: "no-key" } });
      }
    });

    it("[EA-DISP-8] is not one that is 300 s off, in either direction, or signed in upper case", async () => {
      await using agent = await open();
      for (const timestamp of [NOW - 300, NOW + 300]) {
        const body = JSON.stringify(makeDispatch());
        expect((await agent.send("POST", body, sign(body, { timestamp }))).status).toBe(200);
      }
      const body = JSON.stringify(makeDispatch());
      const headers = sign(body);
      const upper = `sha256=${headers["x-edgearena-signature"].slice(7).toUpperCase()}`;
      expect((await agent.send("POST", body, { ...headers, "x-edgearena-signature": upper })).status).toBe(200);
    });
  });

  it("[EA-DISP-2] verifies the bytes as they came, whatever they say and whatever media type they claim", async () => {
    await using agent = await open();
    const spelled = JSON.stringify(makeDispatch())
      .replace('"goal"', '"10":0,"9":1E2,"x":1.0,"z":"\\u00e9\\/","goal"')
      .replace("{", "\ufeff{");
    for (const type of ["application/vnd.arena+json", "application/json; charset=utf-8", "text/plain"]) {
      const body = spelled.replace(/"taskId":"[^"]+"/, `"taskId":"${type}"`);
      const reply = await agent.send("POST", body, { ...sign(body), "content-type": type });
      expect(reply.status).toBe(200);
    }
  });

  it("never believes a forwarded header about what was signed", async () => {
    await using agent = await open();
    const body = JSON.stringify(makeDispatch());
    const headers = { ...sign(body, { url: "https://evil.example/mine" }), "x-forwarded-host": "evil.example" };
    expect((await agent.send("POST", body, headers)).status).toBe(401);
    const forwarded = { ...sign(body), "x-forwarded-host": "evil.example", "x-forwarded-prefix": "/other" };
    expect((await agent.send("POST", body, forwarded)).status).toBe(200);
  });

  it("[EA-DISP-9] [EA-DISP-10] hands messages to the model verbatim, and reports what the model reported", async () => {
    const asked: ModelRequest[] = [];
    const model = async (request: ModelRequest) => {
      asked.push(request);
      return { text: "{}", promptTokens: 11, completionTokens: 7, modelId: `model-${asked.length}` };
    };
    await using agent = await open({
      model,
      async scout(task, context) {
        await context.model(task.messages, { json: true });
        await context.model([...task.messages, { role: "assistant", content: "{}" }]);
        return SCOUT_OUTPUT;
      },
    });
    expect((await dispatch(agent)).json).toMatchObject({ promptTokens: 22, completionTokens: 14, modelId: "model-2" });
    expect(asked[0]?.messages).toEqual(MESSAGES);
    expect(asked[0]?.json).toBe(true);
  });

  it("gives a repeated task the answer that it had, and asks the model once", async () => {
    const scout = vi.fn(() => SCOUT_OUTPUT);
    await using agent = await open({ scout });
    const body = JSON.stringify(makeDispatch());
    const first = await agent.send("POST", body, sign(body));
    const second = await agent.send("POST", body, sign(body, { timestamp: NOW + 1 }));
    expect(second.json).toEqual(first.json);
    expect(scout).toHaveBeenCalledTimes(1);
    expect(agent.events.map(({ type }) => type)).toContain("repeated");
  });

  it("answers 409 while the first of its kind is in work", async () => {
    const work = Promise.withResolvers<typeof SCOUT_OUTPUT>();
    await using agent = await open({ scout: () => work.promise });
    const body = JSON.stringify(makeDispatch());
    const first = agent.send("POST", body, sign(body));
    await vi.waitFor(() => expect(agent.events.map(({ type }) => type)).toContain("received"));
    expect(await agent.send("POST", body, sign(body))).toMatchObject({ status: 409, json: { code: "duplicate_task" } });
    work.resolve(SCOUT_OUTPUT);
    expect((await first).status).toBe(200);
    expect((await agent.send("POST", body, sign(body))).status).toBe(200);
  });

  it("is honest about work that it does not do", async () => {
    await using agent = await open({ scout: ALL.scout as never }, { secret: SECRET });
    expect(await dispatch(agent, { phase: "VERIFY" })).toMatchObject({
      status: 422,
      json: { code: "no_handler", error: "this agent does no VERIFY; it has SCOUT" },
    });
    const prompt = makeBody();
    expect((await agent.send("POST", prompt, signedPrompt(prompt))).status).toBe(422);
  });

  it("lets no output out that is not in shape, and says which field", async () => {
    const { why_now: __, ...rest } = SCOUT_OUTPUT;
    await using agent = await open({ scout: () => ({ ...rest, padding: "é".repeat(5_000) }) as never });
    const { status, json } = await dispatch(agent);
    expect(status).toBe(502);
    expect(json).toMatchObject({
      code: "invalid_output",
      validationError: "why_now is missing; it has to be a non-empty string",
      rawOutput: expect.stringContaining("Plumbers"),
    });
    expect(Buffer.byteLength(json.rawOutput)).toBeLessThanOrEqual(4_096);
  });

  it("lets 262,144 bytes of output out and not one more", async () => {
    const room = 262_144 - Buffer.byteLength(JSON.stringify({ ...SCOUT_OUTPUT, padding: "" }));
    for (const [more, status] of [
      [0, 200],
      [1, 502],
    ] as const) {
      await using agent = await open({ scout: () => ({ ...SCOUT_OUTPUT, padding: "x".repeat(room + more) }) });
      expect((await dispatch(agent)).status).toBe(status);
    }
  });

  it("answers 502 for its model's faults, and 500 without a word for its own", async () => {
    const failing = (error: Error) => ({ scout: () => Promise.reject(error) });
    await using model = await open(
      failing(new AgentError("model_failed", "the model is overloaded", { rawOutput: "<" })),
    );
    expect(await dispatch(model)).toMatchObject({
      status: 502,
      json: { error: "the model is overloaded", code: "model_failed", rawOutput: "<" },
    });
    await using own = await open(failing(new Error("cannot read /home/me/key sk-123")));
    const reply = await dispatch(own);
    expect(reply).toMatchObject({ status: 500, json: { code: "agent_error" } });
    expect(JSON.stringify(reply.json)).not.toContain("sk-123");
    expect(own.events).toContainEqual(
      expect.objectContaining({ type: "failed", error: expect.stringContaining("sk-123") }),
    );
  });

  it("keeps a model's error apart from the agent's own, and needs a model to ask one", async () => {
    await using broken = await open({
      model: () => Promise.reject(new Error("connect ECONNREFUSED")),
      scout: async (task, context) => JSON.parse((await context.model(task.messages)).text),
    });
    expect(await dispatch(broken)).toMatchObject({ status: 502, json: { code: "model_failed" } });
    await using none = await open({
      scout: async (task, context) => JSON.parse((await context.model(task.messages)).text),
    });
    expect(await dispatch(none)).toMatchObject({ status: 502, json: { error: expect.stringContaining("no model") } });
  });

  it("ends work at its deadline, also of a handler that does not heed its signal", async () => {
    let reason: unknown;
    await using agent = await open({
      scout: (_task, { signal }) =>
        new Promise(() => {
          signal.addEventListener("abort", () => {
            reason = signal.reason;
          });
        }),
    });
    const body = JSON.stringify(makeSimulation("SCOUT", { deadline_ms: 520 }));
    expect(await agent.send("POST", body)).toMatchObject({ status: 504, json: { code: "deadline" } });
    expect(reason).toMatchObject({ code: "deadline" });
  });

  it("gives work up when its caller is gone, and begins it anew when asked again", async () => {
    const signals: AbortSignal[] = [];
    let isPatient = true;
    await using agent = await open({
      scout: (_task, { signal }) => {
        signals.push(signal);
        if (!isPatient) return SCOUT_OUTPUT;
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    });
    const body = JSON.stringify(makeDispatch());
    const leave = new AbortController();
    const first = agent.send("POST", body, sign(body), { signal: leave.signal }).catch((error: Error) => error);
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    leave.abort();
    await first;
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
    await vi.waitFor(() => expect(agent.events.map(({ type }) => type)).toContain("failed"));
    isPatient = false;
    expect((await agent.send("POST", body, sign(body))).status).toBe(200);
  });

  it("works on few simulations of strangers at a time", async () => {
    const work = Promise.withResolvers<typeof SCOUT_OUTPUT>();
    await using agent = await open({ scout: () => work.promise });
    const simulate = () => agent.send("POST", JSON.stringify(makeSimulation("SCOUT")));
    const first = [1, 2, 3, 4].map(simulate);
    await vi.waitFor(() => expect(agent.events.filter(({ type }) => type === "received")).toHaveLength(4));
    expect((await simulate()).status).toBe(503);
    work.resolve(SCOUT_OUTPUT);
    for (const reply of await Promise.all(first)) expect(reply.status).toBe(200);
    expect((await simulate()).status).toBe(200);
  });

  it("serves the webhooks of tesserax beside, verified as its own server does", async () => {
    const prompt = vi.fn((work: { prompt: string }) => `You asked: ${work.prompt}`);
    await using agent = await open({ prompt }, { secret: SECRET });
    expect(await agent.send("POST", PING, signedPrompt(PING))).toMatchObject({
      status: 200,
      json: { response: "pong" },
    });
    const body = makeBody();
    expect(await agent.send("POST", body)).toMatchObject({ status: 401, json: { code: "missing-signature" } });
    expect((await agent.send("POST", body, signedPrompt(body, "whsec_b3RoZXI="))).status).toBe(401);
    const stale = signedTwice(body, "main-42", NOW - 301);
    expect((await agent.send("POST", body, stale)).status).toBe(401);
    expect(prompt).not.toHaveBeenCalled();
    const right = await agent.send("POST", body, signedTwice(body, "main-42"));
    expect(right.json).toEqual({ response: "You asked: Name two moons." });
    await agent.send("POST", body, signedTwice(body, "main-42"));
    expect(prompt).toHaveBeenCalledTimes(1);
  });

  it("answers later where it is told to, signed over the address that it answers", async () => {
    const calls: { url: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
    await using arena = await listen(async (request, body) => {
      calls.push({ url: request.url ?? "", headers: request.headers, body });
      return calls.length === 1 ? [503, { detail: "starting" }] : [200, { accepted: true }];
    });
    await using agent = await open(ALL, { answerLater: true });
    const payload = makeDispatch();
    const body = JSON.stringify(payload);
    const url = `${arena.url}/api/agent-tasks/${payload.taskId}/complete`;
    const headers = { ...sign(body), "x-agon-complete-url": url };
    expect(await agent.send("POST", body, headers)).toMatchObject({ status: 202, json: { accepted: true } });
    await vi.waitFor(() => expect(calls).toHaveLength(2));
    for (const call of calls) {
      const verdict = verifyEdgearena({
        key: KEY,
        url,
        timestamp: call.headers["x-edgearena-timestamp"] as string,
        signature: call.headers["x-edgearena-signature"] as string,
        body: call.body,
        now: NOW,
      });
      expect(verdict).toEqual({ ok: true });
    }
    expect(JSON.parse(calls[1]?.body ?? "")).toEqual({
      taskId: payload.taskId,
      output: SCOUT_OUTPUT,
      promptTokens: 0,
      completionTokens: 0,
      modelId: "all-rounder",
    });
    // An arena that does not say where to is answered at once.
    expect((await dispatch(agent)).status).toBe(200);
  });
});

describe("completing a task", () => {
  const completion = { key: KEY, taskId: ID, output: SCOUT_OUTPUT, promptTokens: 3, completionTokens: 4 };

  it("[EA-COMP-14] signs and sends a completion", async () => {
    const seen: { method: string | undefined; type: string | undefined; body: unknown; ok: boolean }[] = [];
    await using arena = await listen(async (request, body) => {
      const url = `http://${request.headers.host}${request.url}`;
      const { ok } = verifyEdgearena({
        key: KEY,
        url,
        timestamp: request.headers["x-edgearena-timestamp"] as string,
        signature: request.headers["x-edgearena-signature"] as string,
        body,
        now: NOW,
      });
      seen.push({ method: request.method, type: request.headers["content-type"], body: JSON.parse(body), ok });
      return [200, { accepted: true }];
    });
    const url = `${arena.url}/api/agent-tasks/${ID}/complete`;
    await completeTask({ ...completion, url, unixSeconds: () => NOW + 0.9 });
    expect(seen).toEqual([
      {
        method: "POST",
        type: "application/json",
        ok: true,
        body: { taskId: ID, output: SCOUT_OUTPUT, promptTokens: 3, completionTokens: 4 },
      },
    ]);
  });

  it("[EA-COMP-14] tells the arena's own sentence when it is refused, and does not try again", async () => {
    let calls = 0;
    const detail = `Task ${ID} is not in RUNNING state`;
    await using arena = await listen(async () => {
      calls += 1;
      return [400, { detail, message: detail }];
    });
    await expect(completeTask({ ...completion, url: `${arena.url}/x`, retryMs: 60_000 })).rejects.toMatchObject({
      kind: "refused",
      status: 400,
      detail,
    });
    expect(calls).toBe(1);
  });
});

describe("a served agent", () => {
  it("rebuilds what was signed from the Host header when it has no public URL", async () => {
    const stop = new AbortController();
    const agent = await serve(defineAgent(ALL), { key: KEY, port: 0, unixSeconds: () => NOW, signal: stop.signal });
    const body = JSON.stringify(makeDispatch());
    const reply = await fetch(`${agent.url}/deep/path?x=1`, {
      method: "POST",
      body,
      headers: sign(body, { url: `${agent.url}/deep/path` }),
    });
    expect(reply.status).toBe(200);
    await reply.body?.cancel();
    stop.abort();
    expect(await agent.done).toEqual({ answered: 1, failed: 0 });
  });

  it("finishes what it holds when it stops, and takes nothing new", async () => {
    const work = Promise.withResolvers<typeof SCOUT_OUTPUT>();
    const began = Promise.withResolvers<void>();
    const stop = new AbortController();
    const agent = await serve(
      defineAgent({
        scout() {
          began.resolve();
          return work.promise;
        },
      }),
      { key: KEY, publicUrl: PUBLIC_URL, port: 0, unixSeconds: () => NOW, signal: stop.signal },
    );
    const body = JSON.stringify(makeDispatch());
    const reply = fetch(agent.url, { method: "POST", body, headers: sign(body) });
    await began.promise;
    stop.abort();
    work.resolve(SCOUT_OUTPUT);
    expect((await reply).status).toBe(200);
    expect(await agent.done).toEqual({ answered: 1, failed: 0 });
    await expect(fetch(agent.url)).rejects.toThrow();
  });

  it("tells whoever waits when it is stopped at once", async () => {
    const began = Promise.withResolvers<void>();
    const abort = new AbortController();
    const agent = await serve(
      defineAgent({
        scout(_task, { signal }) {
          began.resolve();
          return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        },
      }),
      { key: KEY, publicUrl: PUBLIC_URL, port: 0, unixSeconds: () => NOW, abortSignal: abort.signal },
    );
    const body = JSON.stringify(makeDispatch());
    const reply = fetch(agent.url, { method: "POST", body, headers: sign(body) });
    await began.promise;
    abort.abort();
    expect(await (await reply).json()).toMatchObject({ code: "stopped" });
    expect(await agent.done).toEqual({ answered: 0, failed: 1 });
  });
});

it("needs a handler, and a public URL that is one", async () => {
  expect(() => defineAgent({ name: "idle" })).toThrow(TypeError);
  await expect(byFetch(defineAgent(ALL), { publicUrl: "agents.example.com" })).rejects.toThrow(TypeError);
});

async function listen(
  answer: (request: import("node:http").IncomingMessage, body: string) => Promise<[number, unknown]>,
): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const [status, body] = await answer(request, Buffer.concat(chunks).toString("utf8"));
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
