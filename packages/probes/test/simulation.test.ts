import {
  parseOutput,
  ROLES,
  type Role,
  SIMULATION_PHASE,
  simulationPayloadSchema,
  verifyEdgearena,
} from "@agon/protocol";
import { describe, expect, it, test } from "vitest";
import { judgeSimulation, probeSimulation } from "../src/index.ts";
import { goodAgent, KEY, NOW, OUTPUTS, type Reply, scriptedPorts, toExchange, URL_ } from "./scripted-agent.ts";

async function simulate(role: Role, reply?: Reply, key?: string) {
  const ports = scriptedPorts((request) => reply ?? goodAgent(request));
  const step = await probeSimulation(ports, { url: URL_, role, ...(key === undefined ? {} : { key }) });
  const request = ports.sent[0];
  if (request === undefined) throw new Error("nothing was sent");
  return { step, request, body: JSON.parse(request.body ?? "") };
}

describe("what a simulation sends", () => {
  const messages = [
    { role: "system", content: expect.stringContaining("JSON") },
    { role: "user", content: expect.any(String) },
  ];
  const id = expect.stringMatching(/^0192f4a9-1be4-7123-/);

  it("[EA-SIM-2] is the scout's payload", async () => {
    const { body, request } = await simulate("SCOUT");
    expect(Object.keys(body)).toEqual([
      "type",
      "protocol",
      "task_id",
      "role",
      "deadline_ms",
      "goal",
      "launchpad",
      "messages",
    ]);
    expect(body).toEqual({
      type: "scout_task",
      protocol: "edgearena-v1",
      task_id: id,
      role: "SCOUT",
      deadline_ms: 30_000,
      goal: "Find a promising SaaS niche for a solo founder.",
      launchpad: "make-money",
      messages,
    });
    expect(body.messages[1].content).toBe(body.goal);
    expect(request.deadlineMs).toBe(34_000);
  });

  it("[EA-SIM-3] is the builder's payload", async () => {
    const { body, request } = await simulate("BUILDER");
    expect(body).toEqual({
      type: "build_task",
      protocol: "edgearena-v1",
      task_id: id,
      role: "BUILDER",
      deadline_ms: 90_000,
      candidate: {
        id,
        title: "Automated invoicing for service businesses",
        target_customer: "Small service businesses (5–20 employees)",
        core_problem: "Manual invoicing from timesheets costs hours of admin each week",
        solution_summary: "An opinionated tool that turns timesheets into ready-to-send invoices",
        why_now: "Small-business accounting APIs stabilized in the last 18 months",
      },
      messages,
    });
    expect(body.messages[1].content).toContain(body.candidate.id);
    expect(request.deadlineMs).toBe(94_000);
  });

  it("[EA-SIM-4] is the analyst's payload, answered as a critic", async () => {
    const { body, request } = await simulate("ANALYST");
    expect(body).toEqual({
      type: "analyst_task",
      protocol: "edgearena-v1",
      task_id: id,
      role: "ANALYST",
      deadline_ms: 30_000,
      candidate: {
        id,
        title: "Automated invoicing for service businesses",
        solution_summary: "An opinionated tool that turns timesheets into ready-to-send invoices",
      },
      messages,
    });
    expect(request.deadlineMs).toBe(34_000);
    expect(SIMULATION_PHASE.ANALYST).toBe("CRITIQUE");
  });

  test.each(ROLES)("[EA-SIM-1] goes out unsigned, and at activation signed: %s", async (role) => {
    const unsigned = await simulate(role);
    expect(unsigned.request.headers).toEqual({
      "content-type": "application/json",
      "user-agent": "EdgeArena-VerifyPayload/1.0",
    });
    const signed = await simulate(role, undefined, KEY);
    expect(simulationPayloadSchema.safeParse(signed.body).success).toBe(true);
    expect(signed.request.headers).toEqual({
      "content-type": "application/json",
      "user-agent": "EdgeArena-VerifyDispatch/1.0",
      "x-edgearena-signature": expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      "x-edgearena-timestamp": "1700000000",
      "x-edgearena-task-id": signed.body.task_id,
    });
    const proof = verifyEdgearena({
      key: KEY,
      url: "https://agents.example.com/hook",
      timestamp: "1700000000",
      signature: signed.request.headers["x-edgearena-signature"],
      body: signed.request.body ?? "",
      now: NOW / 1000,
    });
    expect(proof).toEqual({ ok: true });
    for (const { step } of [unsigned, signed]) expect(step).toMatchObject({ ok: true, errorCode: null, notes: [] });
  });

  it("keeps no whole signature in its report", async () => {
    const { step, request } = await simulate("SCOUT", undefined, KEY);
    expect(JSON.stringify(step)).not.toContain(request.headers["x-edgearena-signature"]);
    expect(step.sent?.headers["x-edgearena-signature"]).toMatch(/^sha256=[0-9a-f]{8}…$/);
  });
});

describe("how a simulation is judged", () => {
  const NAMES = ["reachable", "accepts-post", "returns-json", "required-fields", "timing"];
  const scout = JSON.stringify(OUTPUTS.SCOUT);
  test.each<[Reply, (boolean | null)[], string | null]>([
    [{ status: 200, body: scout }, [true, true, true, true, true], null],
    [{ status: 201, body: scout, ms: 30_000 }, [true, true, true, true, true], null],
    [{ status: 200, body: scout, ms: 30_001 }, [true, true, true, true, false], "timing"],
    [{ status: 200, body: scout, ms: 33_999 }, [true, true, true, true, false], "timing"],
    [{ status: 200, body: "{}" }, [true, true, true, false, true], "required-fields"],
    [{ status: 200, body: "[]" }, [true, true, false, null, true], "non-json"],
    [{ status: 200, body: "nope", ms: 31_000 }, [true, true, false, null, false], "non-json"],
    [{ status: 500, body: scout }, [true, false, null, null, true], "non-2xx"],
    [{ status: 405 }, [true, false, null, null, true], "non-2xx"],
    [{ fails: "truncated", status: 200 }, [true, true, false, null, true], "network"],
    [{ fails: "timeout" }, [false, null, null, null, null], "timeout"],
    [{ fails: "dns" }, [false, null, null, null, null], "dns"],
    [{ fails: "refused" }, [false, null, null, null, null], "network"],
  ])("[EA-SIM-5] [EA-SIM-6] reports five checks for %j", async (reply, expected, errorCode) => {
    const { step } = await simulate("SCOUT", reply);
    expect(step.checks.map(({ name }) => name)).toEqual(NAMES);
    expect(step.checks.map(({ ok }) => ok)).toEqual(expected);
    expect(step).toMatchObject({ ok: errorCode === null, errorCode });
    if (errorCode !== null) expect(step.advice).toMatch(/^[A-Z].*\.$/);
  });

  test.each<[Role, string[]]>([
    ["SCOUT", ["candidate_title", "target_customer", "core_problem", "proposed_solution"]],
    ["BUILDER", ["candidate_id", "execution", "claims"]],
    ["ANALYST", ["strengths", "weaknesses", "verdict"]],
  ])("[EA-SIM-7] looks for the required keys alone, whatever they hold: %s", async (role, keys) => {
    const least = Object.fromEntries(keys.map((key) => [key, null]));
    expect((await simulate(role, { status: 200, body: JSON.stringify(least) })).step.ok).toBe(true);
    for (const key of keys) {
      const { [key]: _, ...rest } = least;
      const { step } = await simulate(role, { status: 200, body: JSON.stringify(rest) });
      expect(step).toMatchObject({ ok: false, errorCode: "required-fields", detail: `The answer lacks ${key}.` });
    }
    const inherited = `{"__proto__":${JSON.stringify(least)}}`;
    expect((await simulate(role, { status: 200, body: inherited })).step.ok).toBe(false);
  });

  it("says beforehand what a dispatch would be refused for", async () => {
    const { why_now: _, ...rest } = OUTPUTS.SCOUT as { why_now: string };
    expect(parseOutput("SCOUT", rest).ok).toBe(false);
    const { step } = await simulate("SCOUT", { status: 200, body: JSON.stringify(rest) });
    expect(step).toMatchObject({
      ok: true,
      notes: ["A dispatch would fail with this output: why_now is missing; it has to be a non-empty string."],
    });
    const builder = await simulate("BUILDER", { status: 200, body: JSON.stringify(OUTPUTS.BUILDER) });
    expect(builder.step.notes[0]).toContain("candidate_id has to be the id that was dispatched");
  });

  it("tells who wraps a simulation's answer into the envelope", async () => {
    const { step } = await simulate("SCOUT", { status: 200, body: `{"output":${scout}}` });
    expect(step.advice).toContain("only dispatches get the envelope");
  });

  it("says that the key is missing when only the signed one gets 401", async () => {
    expect((await simulate("SCOUT", { status: 401 }, KEY)).step).toMatchObject({
      errorCode: "key-missing",
      advice: expect.stringContaining("Install this agent's key"),
    });
    expect((await simulate("SCOUT", { status: 401 })).step).toMatchObject({ errorCode: "non-2xx" });
  });

  it("quotes what an agent says itself about its failure", async () => {
    const body = '{"error":"the model is overloaded","code":"model_failed","validationError":"why_now is missing"}';
    expect((await simulate("SCOUT", { status: 502, body })).step).toMatchObject({
      detail: "It answered 502: the model is overloaded (why_now is missing)",
      advice: "Put right what the agent says about it; its log says more.",
    });
    const long = await simulate("SCOUT", { status: 500, body: `{"error":"${"x ".repeat(9_000)}"}` });
    expect(long.step.detail.length).toBeLessThan(400);
  });

  it("is the judge's alone to say, without a network", () => {
    const payload = { deadline_ms: 30_000, role: "SCOUT", type: "scout_task" } as never;
    expect(judgeSimulation(payload, toExchange({ status: 200, body: scout }), 34_000).ok).toBe(true);
  });
});
