import { describe, expect, it, test } from "vitest";
import { agentCreateSchema, agentPatchSchema, agentUrlSchema } from "../src/index.ts";

const url = "https://agents.example.com/hook?tenant=7";

/** The fields that a body was refused for. */
function refusedFields(schema: typeof agentCreateSchema | typeof agentPatchSchema, body: unknown): string[] {
  const parsed = schema.safeParse(body);
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join("."));
}

describe("agentCreateSchema", () => {
  it("takes what the Python kit sends for a pull agent", () => {
    expect(agentCreateSchema.parse({ name: "mine", mode: "pull", model_claimed: "", description: "" })).toEqual({
      name: "mine",
      mode: "pull",
      dialect: "tesserax",
      roles: [],
    });
  });

  it("makes a tesserax push agent by default", () => {
    expect(agentCreateSchema.parse({ name: "mine", webhook_url: url })).toEqual({
      name: "mine",
      mode: "push",
      dialect: "tesserax",
      roles: [],
      webhook_url: url,
    });
  });

  it("keeps claims and roles, and drops what is empty, null or unknown", () => {
    const claims = { owner_handle: "ann", model_claimed: "m-1", cost_claimed: "$0.01", tools_claimed: ["search"] };
    const body = { name: " mine ", mode: "pull", ...claims, description: null, roles: ["SCOUT", "SCOUT"], extra: 1 };
    expect(agentCreateSchema.parse(body)).toEqual({
      name: "mine",
      mode: "pull",
      dialect: "tesserax",
      roles: ["SCOUT"],
      ...claims,
    });
    expect(agentCreateSchema.parse({ name: "m", mode: "pull", tools_claimed: [] })).not.toHaveProperty("tools_claimed");
  });

  test.each(["webhook_url", "endpoint_url", "endpointUrl"])("reads the URL from %s", (field) => {
    const body = { name: "mine", dialect: "edgearena-v1", roles: ["SCOUT"], [field]: url };
    expect(agentCreateSchema.parse(body).webhook_url).toBe(url);
  });

  it("takes one URL under two names, but not two URLs", () => {
    const body = { name: "mine", webhook_url: url, endpointUrl: url };
    expect(agentCreateSchema.parse(body).webhook_url).toBe(url);
    expect(refusedFields(agentCreateSchema, { ...body, endpointUrl: "https://other.example/" })).toEqual([
      "endpointUrl",
    ]);
  });

  test.each([
    [{}, "name"],
    [{ name: "  ", mode: "pull" }, "name"],
    [{ name: 7, mode: "pull" }, "name"],
    [{ name: "x".repeat(101), mode: "pull" }, "name"],
    [{ name: "m", mode: "poll" }, "mode"],
    [{ name: "m", mode: "PULL" }, "mode"],
    [{ name: "m" }, "webhook_url"],
    [{ name: "m", webhook_url: "" }, "webhook_url"],
    [{ name: "m", webhook_url: "agents.example.com" }, "webhook_url"],
    [{ name: "m", endpoint_url: "ftp://agents.example.com/" }, "endpoint_url"],
    [{ name: "m", mode: "pull", dialect: "other" }, "dialect"],
    [{ name: "m", mode: "pull", dialect: "edgearena-v1", roles: ["SCOUT"] }, "mode"],
    [{ name: "m", dialect: "edgearena-v1", webhook_url: url }, "roles"],
    [{ name: "m", mode: "pull", roles: ["CRITIC"] }, "roles.0"],
    [{ name: "m", mode: "pull", description: "x".repeat(501) }, "description"],
    [{ name: "m", mode: "pull", tools_claimed: "search" }, "tools_claimed"],
    [{ name: "m", mode: "pull", tools_claimed: [1] }, "tools_claimed.0"],
  ])("refuses %j for its %s", (body, field) => {
    expect(refusedFields(agentCreateSchema, body)).toContain(field);
  });

  test.each([[null], [undefined], [[]], ["mine"], [42]])("refuses %j", (body) => {
    expect(agentCreateSchema.safeParse(body).success).toBe(false);
  });

  it("counts a description in characters, not in UTF-16 units", () => {
    const body = { name: "m", mode: "pull", description: "😀".repeat(500) };
    expect(agentCreateSchema.parse(body).description).toBe(body.description);
    expect(refusedFields(agentCreateSchema, { ...body, description: "😀".repeat(501) })).toEqual(["description"]);
  });

  it("makes text storable and drops blank tools", () => {
    const body = { name: "a\u0000b", mode: "pull", description: "\ud83d", owner_handle: " ", tools_claimed: ["", "x"] };
    expect(agentCreateSchema.parse(body)).toEqual({
      name: "a\uFFFDb",
      mode: "pull",
      dialect: "tesserax",
      roles: [],
      tools_claimed: ["x"],
      description: "\uFFFD",
    });
  });

  it("finds no name inside a __proto__ key", () => {
    const body = JSON.parse('{"__proto__":{"name":"m","isAdmin":true},"mode":"pull"}');
    expect(refusedFields(agentCreateSchema, body)).toEqual(["name"]);
    const parsed = agentCreateSchema.parse(JSON.parse('{"__proto__":{"isAdmin":true},"name":"m","mode":"pull"}'));
    expect((parsed as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  });
});

describe("agentUrlSchema", () => {
  test.each([
    ["http://127.0.0.1:4601/"],
    ["https://bücher.example/hook"],
    [url],
    ["https://agents.example.com\\@10.0.0.1/hook"],
  ])("takes %s, wherever it leads", (text) => expect(agentUrlSchema.safeParse(text).success).toBe(true));

  test.each([
    ["https://user:pw@agents.example.com/hook"],
    ["https://agents.example.com@10.0.0.1/hook"],
    ["/hook"],
    ["https://"],
    ["javascript:alert(1)"],
    ["file:///etc/passwd"],
    [`https://agents.example.com/${"x".repeat(2048)}`],
  ])("refuses %s", (text) => expect(agentUrlSchema.safeParse(text).success).toBe(false));
});

describe("agentPatchSchema", () => {
  it("holds only what was sent", () => {
    expect(agentPatchSchema.parse({})).toEqual({});
    expect(agentPatchSchema.parse({ name: " other ", endpointUrl: url, webhook_url: "", extra: 1 })).toEqual({
      name: "other",
      webhook_url: url,
    });
  });

  it("clears a claim or a limit that is sent empty", () => {
    expect(agentPatchSchema.parse({ model_claimed: "", description: null, max_tasks_per_day: null })).toEqual({
      model_claimed: null,
      description: null,
      max_tasks_per_day: null,
    });
  });

  it("takes roles, pause and limits", () => {
    const body = { roles: ["BUILDER"], paused: true, max_concurrent: 4, max_tasks_per_day: 100 };
    expect(agentPatchSchema.parse(body)).toEqual(body);
  });

  test.each([
    [{ name: "" }, "name"],
    [{ webhook_url: "nowhere" }, "webhook_url"],
    [{ max_concurrent: 0 }, "max_concurrent"],
    [{ max_concurrent: "2" }, "max_concurrent"],
    [{ max_tasks_per_day: 1.5 }, "max_tasks_per_day"],
    [{ paused: "false" }, "paused"],
  ])("refuses %j for its %s", (body, field) => {
    expect(refusedFields(agentPatchSchema, body)).toEqual([field]);
  });
});
