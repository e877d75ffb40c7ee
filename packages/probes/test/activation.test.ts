import { dispatchPayloadSchema, ROLES, type Role, verifyEdgearena } from "@agon/protocol";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type ProbeRequest, type ProbeStep, planActivation, runActivation, STEP_MAX_AGE_MS } from "../src/index.ts";
import { goodAgent, KEY, NOW, type Reply, scriptedPorts, URL_ } from "./scripted-agent.ts";

const ALL: Role[] = ["ANALYST", "SCOUT", "BUILDER"];

function isDispatch({ body }: ProbeRequest): boolean {
  return body !== undefined && JSON.parse(body).taskId !== undefined;
}

async function activate(play: (request: ProbeRequest) => Reply, roles: Role[] = ["SCOUT"], earlier?: ProbeStep[]) {
  const ports = scriptedPorts(play);
  const report = await runActivation(ports, { url: URL_, key: KEY, roles, earlier });
  return { ...report, sent: ports.sent, at: (name: string) => report.steps.find((step) => step.name === name) };
}

const label = ({ name, role }: { name: string; role: Role | null }) => (role === null ? name : `${name} ${role}`);

describe("an activation", () => {
  it("[EA-SIM-1] takes every step in order, each role's simulations and the first role's dispatches", async () => {
    const { ok, steps, sent } = await activate(goodAgent, ALL);
    expect(ok).toBe(true);
    expect(steps.map(label)).toEqual([
      "liveness",
      "handshake",
      "simulation SCOUT",
      "signed-simulation SCOUT",
      "simulation BUILDER",
      "signed-simulation BUILDER",
      "simulation ANALYST",
      "signed-simulation ANALYST",
      "dispatch SCOUT",
      "tampered-dispatch SCOUT",
    ]);
    expect(sent.map(({ headers }) => headers["user-agent"])).toEqual([
      "EdgeArena-Verify/1.0",
      "EdgeArena-Handshake/1.0",
      ...[0, 1, 2].flatMap(() => ["EdgeArena-VerifyPayload/1.0", "EdgeArena-VerifyDispatch/1.0"]),
      "EdgeArena-VerifyDispatch/1.0",
      "EdgeArena-VerifyDispatch/1.0",
    ]);
    for (const step of steps) expect(step.advice).toBeNull();
  });

  test.each<[Role[], string, string]>([
    [["BUILDER", "ANALYST"], "BUILD", "dispatch BUILDER"],
    [["ANALYST"], "CRITIQUE", "dispatch ANALYST"],
    [["SCOUT"], "SCOUT", "dispatch SCOUT"],
  ])("[EA-SIM-1] dispatches as a run would: %j", async (roles, phase, name) => {
    const { steps, sent } = await activate(goodAgent, roles);
    expect(steps.map(label)).toContain(name);
    const [right, forged] = sent.filter(isDispatch) as [ProbeRequest, ProbeRequest];
    const payload = JSON.parse(right.body as string);
    expect(Object.keys(payload)).toEqual([
      "taskId",
      "runId",
      "phase",
      "role",
      "candidateId",
      "goal",
      "launchpadName",
      "messages",
    ]);
    expect(dispatchPayloadSchema.safeParse(payload).success).toBe(true);
    expect(payload).toMatchObject({ phase, role: phase, launchpadName: "Make Money" });
    const twin = JSON.parse(forged.body as string);
    for (const id of ["taskId", "runId"]) expect(twin[id]).not.toBe(payload[id]);
    expect(forged.headers["x-edgearena-task-id"]).toBe(twin.taskId);
    expect(forged.headers["x-edgearena-signature"]).not.toBe(right.headers["x-edgearena-signature"]);
    expect(forged.deadlineMs).toBe(phase === "BUILD" ? 90_000 : 30_000);
  });

  it("[EA-SIM-1] changes one letter of a message after signing, and the JSON stays valid", async () => {
    const { sent } = await activate(goodAgent);
    const [right, forged] = sent.filter(isDispatch) as [ProbeRequest, ProbeRequest];
    const check = (body: string) =>
      verifyEdgearena({
        key: KEY,
        url: URL_,
        timestamp: forged.headers["x-edgearena-timestamp"],
        signature: forged.headers["x-edgearena-signature"],
        body,
        now: NOW / 1000,
      });
    expect(check(forged.body as string).ok).toBe(false);
    const twin = JSON.parse(forged.body as string);
    const original = JSON.parse(right.body as string).messages;
    expect(check(JSON.stringify({ ...twin, messages: original }))).toEqual({ ok: true });
    const texts = [original, twin.messages].map((list) =>
      list.map(({ content }: { content: string }) => content).join(),
    );
    expect(texts[0]?.length).toBe(texts[1]?.length);
    expect([...(texts[0] as string)].filter((letter, at) => letter !== texts[1]?.[at])).toHaveLength(1);
  });

  it("[EA-SIM-8] never tampers with a simulation, which careful agents may not verify", async () => {
    const { sent } = await activate(goodAgent, ALL);
    for (const { headers, body } of sent) {
      const signature = headers["x-edgearena-signature"];
      if (signature === undefined || JSON.parse(body as string).type === undefined) continue;
      const timestamp = headers["x-edgearena-timestamp"];
      expect(
        verifyEdgearena({ key: KEY, url: URL_, timestamp, signature, body: body as string, now: NOW / 1000 }).ok,
      ).toBe(true);
    }
  });

  it("[EA-SIM-8] tells an agent without the key that it lacks it, and sends no twin", async () => {
    const { ok, at } = await activate((request) => goodAgent(request, ""));
    expect(ok).toBe(false);
    expect(at("signed-simulation")?.ok).toBe(true);
    expect(at("dispatch")).toMatchObject({
      errorCode: "key-missing",
      advice: expect.stringContaining("Install this agent's key"),
    });
    expect(at("tampered-dispatch")).toMatchObject({
      ok: false,
      skipped: true,
      detail: "The dispatch has to pass first.",
    });
  });

  test.each<[Reply, boolean, string | null]>([
    [{ status: 400 }, true, null],
    [{ status: 401 }, true, null],
    [{ status: 403, body: "no" }, true, null],
    [{ status: 499 }, true, null],
    [{ status: 200, body: '{"output":{}}' }, false, "tampered-accepted"],
    [{ status: 202 }, false, "tampered-accepted"],
    [{ status: 302 }, false, "tampered-status"],
    [{ status: 500 }, false, "tampered-status"],
    [{ fails: "timeout" }, false, "timeout"],
    [{ fails: "reset" }, false, "network"],
  ])("[EA-SIM-8] passes a forged dispatch on 4xx alone: %j", async (reply, passes, errorCode) => {
    let dispatches = 0;
    const { at } = await activate((request) =>
      isDispatch(request) && ++dispatches === 2 ? reply : goodAgent(request),
    );
    expect(at("tampered-dispatch")).toMatchObject({ ok: passes, errorCode });
  });

  test.each<[Reply, boolean, string | null]>([
    [{ status: 202 }, true, null],
    [{ status: 202, body: " \n" }, true, null],
    [{ status: 202, body: '{"accepted":true}' }, true, null],
    [{ status: 202, body: '{"output":{}}' }, true, null],
    [{ status: 200, body: '{"output":null}' }, true, null],
    [{ status: 202, body: "ok" }, false, "non-json"],
    [{ status: 200 }, false, "non-json"],
    [{ status: 200, body: '{"candidate_title":"x"}' }, false, "no-envelope"],
    [{ status: 401 }, false, "key-missing"],
    [{ status: 409 }, false, "non-2xx"],
    [{ status: 502, body: '{"error":"model"}' }, false, "non-2xx"],
    [{ fails: "timeout" }, false, "timeout"],
  ])("[EA-SIM-1] passes a dispatch on the envelope or a 202: %j", async (reply, passes, errorCode) => {
    const { at } = await activate((request) => (isDispatch(request) ? reply : goodAgent(request)));
    expect(at("dispatch")).toMatchObject({ ok: passes, errorCode });
    expect(at("tampered-dispatch")?.skipped).toBe(!passes);
  });

  it("notes an output that a run would not take, and counts that it would not know", async () => {
    const { at } = await activate((request) =>
      isDispatch(request) ? { status: 200, body: '{"output":{}}' } : goodAgent(request),
    );
    expect(at("dispatch")?.notes).toEqual([
      "A run would not take this output: candidate_title is missing; it has to be a non-empty string.",
      "promptTokens is missing and counts as unknown",
      "completionTokens is missing and counts as unknown",
      "modelId is missing and counts as unknown",
    ]);
  });

  it("sends nothing more to an endpoint that is not there", async () => {
    for (const fails of ["dns", "refused", "tls", "address_refused"] as const) {
      const { steps, sent } = await activate(() => ({ fails }), ALL);
      expect(sent).toHaveLength(1);
      expect(steps.slice(1).every(({ skipped }) => skipped)).toBe(true);
    }
  });

  it("goes on after a failed step where there is something to learn", async () => {
    const { steps } = await activate((request) => (request.method === "GET" ? { status: 405 } : goodAgent(request)));
    expect(steps.filter(({ ok }) => !ok).map(label)).toEqual(["liveness"]);
  });

  it("names where a later answer may go, when told so", async () => {
    const ports = scriptedPorts(goodAgent);
    const completeUrl = (taskId: string) => `https://arena.example/api/agent-tasks/${taskId}/complete`;
    const heard: string[] = [];
    await runActivation(ports, {
      url: URL_,
      key: KEY,
      roles: ["SCOUT"],
      completeUrl,
      onStep: (step, { steps, total }) => heard.push(`${steps.length}/${total} ${step.name}`),
    });
    for (const { headers, body } of ports.sent.filter(isDispatch)) {
      expect(headers["x-agon-complete-url"]).toBe(completeUrl(JSON.parse(body as string).taskId));
    }
    expect(heard[0]).toBe("1/6 liveness");
    expect(heard.at(-1)).toBe("6/6 tampered-dispatch");
  });

  it("ends between two steps when it is called off", async () => {
    const stop = new AbortController();
    const ports = { ...scriptedPorts(goodAgent), signal: stop.signal };
    const run = runActivation(ports, {
      url: URL_,
      key: KEY,
      roles: ["SCOUT"],
      onStep: () => stop.abort(new Error("stopping")),
    });
    await expect(run).rejects.toThrow("stopping");
  });
});

describe("an activation after a fix", () => {
  it("repeats what failed, and what was skipped for it", async () => {
    const first = await activate((request) => goodAgent(request, ""));
    const second = await activate(goodAgent, ["SCOUT"], first.steps);
    expect(second.ok).toBe(true);
    expect(second.sent).toHaveLength(2);
    expect(second.kept.map(label)).toEqual(["liveness", "handshake", "simulation SCOUT", "signed-simulation SCOUT"]);
  });

  it("[EA-SIM-1] always repeats the dispatch with its twin", async () => {
    let dispatches = 0;
    const careless = (request: ProbeRequest): Reply =>
      isDispatch(request) && ++dispatches === 2 ? { status: 200, body: '{"output":{}}' } : goodAgent(request);
    const first = await activate(careless);
    expect(first.steps.filter(({ ok }) => !ok).map(label)).toEqual(["tampered-dispatch SCOUT"]);
    const second = await activate(goodAgent, ["SCOUT"], first.steps);
    expect(second.sent.filter(isDispatch)).toHaveLength(2);
    expect(second.sent).toHaveLength(2);
  });

  it("repeats what is old, and what lies in the future", () => {
    const step = (at: number) => ({ name: "liveness", role: null, ok: true, at }) as unknown as ProbeStep;
    const isKept = (at: number) =>
      planActivation({ roles: ["SCOUT"], earlier: [step(at)], nowMs: NOW })[0]?.kept !== undefined;
    expect(isKept(NOW)).toBe(true);
    expect(isKept(NOW - STEP_MAX_AGE_MS)).toBe(true);
    expect(isKept(NOW - STEP_MAX_AGE_MS - 1)).toBe(false);
    expect(isKept(NOW + 1)).toBe(false);
  });

  it("has no plan without a role", () => {
    expect(() => planActivation({ roles: [], nowMs: NOW })).toThrow(TypeError);
  });

  it("keeps only what passed, plans each step once and the pair together, for any earlier report", () => {
    const names = ["liveness", "handshake", "simulation", "signed-simulation", "dispatch", "tampered-dispatch"];
    const step = fc.record({
      name: fc.constantFrom(...names),
      role: fc.constantFrom(null, ...ROLES),
      ok: fc.boolean(),
      at: fc.integer({ min: NOW - 2 * STEP_MAX_AGE_MS, max: NOW + 10 }),
    });
    fc.assert(
      fc.property(fc.subarray([...ROLES], { minLength: 1 }), fc.array(step), (roles, earlier) => {
        const plan = planActivation({ roles, earlier: earlier as unknown as ProbeStep[], nowMs: NOW });
        expect(plan).toHaveLength(4 + 2 * roles.length);
        expect(new Set(plan.map(label)).size).toBe(plan.length);
        for (const { kept } of plan) expect(kept?.ok ?? true).toBe(true);
        const pair = plan.slice(-2).map(({ kept }) => kept !== undefined);
        expect(pair[0]).toBe(pair[1]);
      }),
    );
  });
});
