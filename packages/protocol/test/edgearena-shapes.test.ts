import { describe, expect, it, test } from "vitest";
import {
  COMPLETE_URL_HEADER,
  completionBodySchema,
  dispatchPayloadSchema,
  EDGEARENA_USER_AGENTS,
  HANDSHAKE_ERROR_CODES,
  handshakePayloadSchema,
  KIND_PHASE,
  PHASE_DEADLINE_MS,
  PHASE_KIND,
  PHASE_ROLE,
  PHASES,
  parseAnswer,
  ROLE_PHASES,
  ROLES,
  RUN_KINDS,
  SIMULATION_CHECKS,
  SIMULATION_DEADLINE_MS,
  SIMULATION_REQUIRED_KEYS,
  simulationPayloadSchema,
} from "../src/index.ts";

const ID = "0192f4a9-1be4-7123-b21d-0a55f00d4c8e";
const messages = [
  { role: "system", content: "You look for niches." },
  { role: "user", content: "Find one." },
];
const dispatch = {
  taskId: ID,
  runId: "0192f4a9-1be4-7123-b21d-0a55f00d4c8f",
  phase: "SCOUT",
  role: "SCOUT",
  candidateId: null,
  goal: "Find one.",
  launchpadName: "Make Money",
  messages,
};

describe("the words of a run", () => {
  it("leads from phase to kind of task and back", () => {
    expect(PHASES.map((phase) => PHASE_KIND[phase])).toEqual([...RUN_KINDS]);
    for (const phase of PHASES) expect(KIND_PHASE[PHASE_KIND[phase]]).toBe(phase);
  });

  it("gives the analyst two phases and everybody else one", () => {
    expect(PHASE_ROLE).toEqual({ SCOUT: "SCOUT", BUILD: "BUILDER", VERIFY: "ANALYST", CRITIQUE: "ANALYST" });
    for (const role of ROLES) {
      expect(ROLE_PHASES[role]).toEqual(PHASES.filter((phase) => PHASE_ROLE[phase] === role));
    }
  });

  it("has the deadlines of the documents", () => {
    expect(PHASE_DEADLINE_MS).toEqual({ SCOUT: 30_000, BUILD: 90_000, VERIFY: 30_000, CRITIQUE: 30_000 });
    expect(SIMULATION_DEADLINE_MS).toEqual({ SCOUT: 30_000, BUILDER: 90_000, ANALYST: 30_000 });
  });

  it("pins names that strangers compare", () => {
    expect(Object.values(EDGEARENA_USER_AGENTS)).toEqual([
      "EdgeArena-Health/1.0",
      "EdgeArena-Verify/1.0",
      "EdgeArena-Ping/1.0",
      "EdgeArena-Handshake/1.0",
      "EdgeArena-VerifyPayload/1.0",
      "EdgeArena-VerifyDispatch/1.0",
    ]);
    expect(COMPLETE_URL_HEADER).toBe("x-agon-complete-url");
    expect(HANDSHAKE_ERROR_CODES).toEqual(["dns", "timeout", "non-2xx", "non-json", "network"]);
    expect(SIMULATION_CHECKS).toEqual(["reachable", "accepts-post", "returns-json", "required-fields", "timing"]);
    expect(SIMULATION_REQUIRED_KEYS).toEqual({
      SCOUT: ["candidate_title", "target_customer", "core_problem", "proposed_solution"],
      BUILDER: ["candidate_id", "execution", "claims"],
      ANALYST: ["strengths", "weaknesses", "verdict"],
    });
  });
});

describe("payloads", () => {
  it("lets more fields through in a dispatch, at every level", () => {
    const more = { ...dispatch, extra: 1, messages: messages.map((message) => ({ ...message, name: "x" })) };
    expect(dispatchPayloadSchema.parse(more)).toEqual(more);
  });

  it("reads a scout's dispatch without a candidateId as one with null", () => {
    const { candidateId, ...rest } = dispatch;
    expect(dispatchPayloadSchema.parse(rest).candidateId).toBe(candidateId);
  });

  test.each([
    [{ phase: "scout" }],
    [{ phase: "BUILD" }],
    [{ candidateId: ID }],
    [{ taskId: "" }],
    [{ taskId: 7 }],
    [{ messages: [] }],
    [{ messages: [{ role: "assistant", content: "" }] }],
    [{ goal: null }],
  ])("refuses a dispatch with %j", (change) => {
    expect(dispatchPayloadSchema.safeParse({ ...dispatch, ...change }).success).toBe(false);
  });

  it("tells handshake and simulations by their type", () => {
    expect(
      handshakePayloadSchema.safeParse({ type: "handshake", protocol: "edgearena-v1", request_id: ID }).success,
    ).toBe(true);
    const common = { protocol: "edgearena-v1", task_id: ID, messages };
    const candidate = { id: ID, title: "Invoices", solution_summary: "A tool" };
    const scout = {
      type: "scout_task",
      ...common,
      role: "SCOUT",
      deadline_ms: 30_000,
      goal: "g",
      launchpad: "make-money",
    };
    const analyst = { type: "analyst_task", ...common, role: "ANALYST", deadline_ms: 30_000, candidate };
    const builder = { type: "build_task", ...common, role: "BUILDER", deadline_ms: 90_000, candidate };
    expect(simulationPayloadSchema.safeParse(scout).success).toBe(true);
    expect(simulationPayloadSchema.safeParse(analyst).success).toBe(true);
    expect(simulationPayloadSchema.safeParse(builder).success).toBe(false);
    const whole = { ...candidate, target_customer: "Plumbers", core_problem: "Paper" };
    expect(simulationPayloadSchema.safeParse({ ...builder, candidate: whole }).success).toBe(true);
    expect(simulationPayloadSchema.safeParse({ ...scout, type: "critic_task" }).success).toBe(false);
  });

  it("has a completion's model id as the only field that may be absent", () => {
    const body = { taskId: ID, output: {}, promptTokens: 0, completionTokens: 9 };
    expect(completionBodySchema.safeParse(body).success).toBe(true);
    expect(completionBodySchema.safeParse({ ...body, output: [] }).success).toBe(false);
    expect(completionBodySchema.safeParse({ ...body, promptTokens: "9" }).success).toBe(false);
  });
});

describe("the envelope of an answer", () => {
  it("is read with its counts and model", () => {
    expect(parseAnswer({ output: { a: 1 }, promptTokens: 12, completionTokens: 0, modelId: "m-1", more: 1 })).toEqual({
      ok: true,
      output: { a: 1 },
      promptTokens: 12,
      completionTokens: 0,
      modelId: "m-1",
      notes: [],
    });
  });

  test.each([[undefined], [null], ["12"], [1.5], [-1], [Number.NaN], [2 ** 31], [[]], [{}], [true]])(
    "[EA-DISP-4] counts %j tokens as unknown, says so, and decides nothing by it",
    (promptTokens) => {
      const answer = parseAnswer({ output: {}, promptTokens, completionTokens: 1, modelId: "m" });
      expect(answer).toMatchObject({ ok: true, promptTokens: null, completionTokens: 1, modelId: "m" });
      expect(answer).toHaveProperty("notes", [expect.stringMatching(/^promptTokens .* counts as unknown$/)]);
    },
  );

  test.each([[undefined], [7], [""], [" "], [{}]])("[EA-DISP-4] counts the model %j as unknown", (modelId) => {
    expect(parseAnswer({ output: {}, promptTokens: 1, completionTokens: 1, modelId })).toMatchObject({
      ok: true,
      modelId: null,
      notes: [expect.stringMatching(/^modelId /)],
    });
  });

  it("cuts a model id between code points and makes it storable", () => {
    const answer = parseAnswer({ output: {}, promptTokens: 1, completionTokens: 1, modelId: "😀".repeat(500) });
    expect(answer).toMatchObject({ modelId: "😀".repeat(200), notes: [expect.stringContaining("cut")] });
    expect(parseAnswer({ output: {}, modelId: "a\u0000b\ud800" })).toMatchObject({ modelId: "a\uFFFDb\uFFFD" });
  });

  test.each([[null], [[]], ["output"], [4], [undefined]])("is not to be found in %j", (body) => {
    expect(parseAnswer(body)).toMatchObject({ ok: false, detail: expect.stringContaining("JSON object") });
  });

  it("needs an output of its own, also when there is one behind __proto__", () => {
    expect(parseAnswer({ candidate_title: "x" })).toMatchObject({ ok: false });
    expect(parseAnswer(JSON.parse('{"__proto__":{"output":{}}}'))).toMatchObject({ ok: false });
    expect(parseAnswer({ output: null })).toMatchObject({ ok: true, output: null });
  });
});
