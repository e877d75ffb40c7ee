import { describe, expect, it, test } from "vitest";
import * as z from "zod";
import {
  accountPatchSchema,
  accountSchema,
  activityPageSchema,
  agentCreatedSchema,
  agentCreateSchema,
  agentDetailSchema,
  agentListSchema,
  agentPatchSchema,
  eligibilitySchema,
  leaderboardPageSchema,
  pingPayloadSchema,
  promptPayloadSchema,
  pushAnswerSchema,
  registerResponseSchema,
  usersPageSchema,
  versionSchema,
  workSchema,
} from "../src/index.ts";

const prompt = { prompt_id: "42", prompt: "Why is the sky blue?", category: "science", deadline_seconds: 300 };
const work = { ...prompt, kind: "main", work_id: "main-42" };
const at = "2026-01-02T03:04:05.000Z";
const listItem = { id: 7, name: "mine", mode: "pull", active: true, elo: 1500, gym_complete: false };
const page = { total: 1, limit: 50, offset: 0, has_more: false };
const line = {
  rank: null,
  rank_low: null,
  rank_high: null,
  agent: { id: 7, name: "mine" },
  elo: 1500,
  tier: "Specialist",
  rating: null,
  ci_low: null,
  ci_high: null,
  battles: 0,
  wins: 0,
  losses: 0,
  ties: 0,
  both_bad: 0,
};

const session = {
  id: 1,
  kind: "gym",
  category: "arithmetic",
  prompt: "2 + 2?",
  response: null,
  error: null,
  latency_ms: null,
  status: "pending",
  created_at: at,
};

/** A message of every shape, as an arena would send it. */
const messages: [name: string, schema: z.ZodType, message: Record<string, unknown>][] = [
  ["register response", registerResponseSchema, { api_key: "k", user_id: 1, username: "ann", message: "keep it" }],
  [
    "account",
    accountSchema,
    {
      id: 1,
      username: "ann",
      display_name: null,
      email: null,
      bio: null,
      created_at: at,
      agent_count: 1,
      agents: [{ id: 7, name: "mine", active: true, elo: 1500, gym_complete: false }],
    },
  ],
  ["account patch", accountPatchSchema, { username: "ann-2", display_name: "Ann", bio: "" }],
  [
    "agent created",
    agentCreatedSchema,
    {
      id: 7,
      name: "mine",
      mode: "pull",
      active: true,
      ping_error: null,
      webhook_secret: "whsec_x",
      profile_url: "/agents/7",
      run_command: "agon run",
    },
  ],
  ["agent list", agentListSchema, { ...page, items: [listItem] }],
  [
    "agent detail",
    agentDetailSchema,
    {
      ...listItem,
      status: "ACTIVE",
      owner_handle: "ann",
      model_claimed: null,
      cost_claimed: null,
      tools_claimed: [],
      description: null,
      gym: { total: 5, done: 2, errors: 1, gym_complete: false },
    },
  ],
  [
    "activity",
    activityPageSchema,
    { agent_id: 7, agent_name: "mine", total: 1, limit: 25, offset: 0, has_more: false, sessions: [session] },
  ],
  ["users", usersPageSchema, { ...page, items: [{ id: 1, username: "ann", display_name: null, bio: null }] }],
  [
    "version",
    versionSchema,
    {
      version: "1",
      connection_modes: ["push", "pull"],
      prompt_payload: { prompt_id: "string" },
      push: { summary: "s", request: {}, response: {}, signature_header: "X-Arena-Signature" },
      pull: { summary: "s", auth: "a", next_work: "GET", submit_result: "POST" },
      docs_url: "/docs",
    },
  ],
  ["work", workSchema, work],
  ["pushed prompt", promptPayloadSchema, prompt],
  ["ping", pingPayloadSchema, { prompt_id: "0", prompt: "ping", category: "ping", deadline_seconds: 15 }],
  ["push answer", pushAnswerSchema, { response: "Because of scattering." }],
  ["leaderboard", leaderboardPageSchema, { ...page, items: [line] }],
  [
    "eligibility",
    eligibilitySchema,
    { agent_id: 7, eligible: false, gates: [{ gate: "cooldown", detail: "resting", until: at }] },
  ],
];

describe.each(messages)("%s", (_name, schema, message) => {
  it("is read as it is, with fields that nobody knows yet", () => {
    expect(schema.parse(message)).toEqual(message);
    const more = { ...message, later: { deep: [1] } };
    expect(schema.parse(more)).toEqual(more);
  });

  test.each([[null], [[]], ["text"], [42], [undefined]])("is not %j", (other) => {
    expect(schema.safeParse(other).success).toBe(false);
  });

  it("is not polluted by a __proto__ key", () => {
    const hostile = JSON.parse(`{"__proto__":{"isAdmin":true},${JSON.stringify(message).slice(1)}`);
    const parsed = schema.safeParse(hostile);
    expect((parsed.data as { isAdmin?: boolean } | undefined)?.isAdmin).toBeUndefined();
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});

it("every shape has a JSON Schema, and so do the requests that are cleaned on the way in", () => {
  for (const [, schema] of messages) expect(z.toJSONSchema(schema).type).toBe("object");
  for (const schema of [agentCreateSchema, agentPatchSchema]) {
    expect(z.toJSONSchema(schema, { io: "input" }).properties).toHaveProperty("endpointUrl");
  }
  expect(z.toJSONSchema(agentCreateSchema, { io: "input" })).toMatchObject({
    properties: { name: { maxLength: 100 } },
  });
});

describe("work", () => {
  it("may be of a kind that is not served here", () => {
    expect(workSchema.safeParse({ ...work, kind: "sandbox", work_id: "sandbox-1" }).success).toBe(true);
  });

  test.each([
    [{ prompt_id: 42 }],
    [JSON.parse('{"prompt_id":9007199254740993}')],
    [{ work_id: 42 }],
    [{ work_id: "" }],
    [{ deadline_seconds: "300" }],
    [{ deadline_seconds: -1 }],
    [{ category: null }],
    [{ prompt: undefined }],
  ])("is refused with %j", (change) => {
    expect(workSchema.safeParse({ ...work, ...change }).success).toBe(false);
  });
});

describe("a pushed prompt", () => {
  it("is no ping, and a ping is told by its id and category", () => {
    expect(pingPayloadSchema.safeParse(prompt).success).toBe(false);
    expect(pingPayloadSchema.safeParse({ ...prompt, category: "ping" }).success).toBe(false);
  });

  it("is not answered by what is no text", () => {
    for (const response of [42, null, ["a"], { text: "a" }]) {
      expect(pushAnswerSchema.safeParse({ response }).success).toBe(false);
    }
  });
});

describe("a username", () => {
  test.each([[""], ["a"], ["-ann"], ["ann smith"], ["ann/.."], ["ännchen"], ["x".repeat(41)], [7]])(
    "is not %j",
    (username) => {
      expect(accountPatchSchema.safeParse({ username }).success).toBe(false);
    },
  );
});

test.each([
  ["rank", 0],
  ["rank", "1"],
  ["elo", "1500"],
  ["elo", null],
  ["wins", -1],
  ["ties", 0.5],
])("a leaderboard line has no %s of %j", (field, value) => {
  expect(leaderboardPageSchema.safeParse({ ...page, items: [{ ...line, [field]: value }] }).success).toBe(false);
});
