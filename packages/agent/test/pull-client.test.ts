import { describe, expect, it } from "vitest";
import { ArenaError } from "../src/arena-error.ts";
import { createPullClient } from "../src/pull-client.ts";
import { NOTHING, problem, RECORDED, type Reply, startArena } from "./loopback-arena.ts";
import { makeWork } from "./work.ts";

const AGENT = { agentId: 7, secret: "whsec_c2VjcmV0" };

async function failureOf(call: Promise<unknown>): Promise<ArenaError> {
  const error = await call.then(
    () => new Error("no error"),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ArenaError);
  return error as ArenaError;
}

async function pollOnce(reply: Reply) {
  await using arena = await startArena(() => reply);
  return await createPullClient({ ...AGENT, baseUrl: arena.baseUrl }).next({ waitSeconds: 0 });
}

describe("next", () => {
  it("asks with the secret, the wait and the work in hand, and returns the whole work", async () => {
    const work = makeWork({ task: { taskId: "t" }, extra: 1 });
    await using arena = await startArena(() => ({ status: 200, json: work }));
    const client = createPullClient({ ...AGENT, baseUrl: `${arena.baseUrl}/api/` });
    expect(await client.next({ waitSeconds: 25, holding: ["main-1", "gym-2", "no\nid", "né"] })).toEqual({ work });
    const [request] = arena.requests;
    expect(request).toMatchObject({ method: "GET", path: "/api/agents/7/work/next?wait=25", body: "" });
    expect(request?.headers).toMatchObject({ "x-arena-secret": "whsec_c2VjcmV0", "x-agon-holding": "main-1,gym-2" });
    expect(request?.headers).not.toHaveProperty("content-type");
  });

  it.each([
    [-3, "0"],
    [2.9, "2"],
    [Number.NaN, "0"],
    [600, "50"],
  ])("a wait of %d goes out as %s", async (waitSeconds, sent) => {
    await using arena = await startArena(() => NOTHING);
    await createPullClient({ ...AGENT, baseUrl: arena.baseUrl }).next({ waitSeconds });
    expect(arena.requests[0]?.path).toBe(`/api/agents/7/work/next?wait=${sent}`);
    expect(arena.requests[0]?.headers).not.toHaveProperty("x-agon-holding");
  });

  it("204 and an empty 200 are no work", async () => {
    const none = { work: undefined, retryAfterMs: undefined };
    expect(await pollOnce(NOTHING)).toEqual(none);
    expect(await pollOnce({ status: 200 })).toEqual(none);
    expect(await pollOnce({ status: 204, headers: { "retry-after": "30" } })).toEqual({
      ...none,
      retryAfterMs: 30_000,
    });
  });

  it("prompts without a category or with a number for an id are work all the same", async () => {
    const { prompt_id, category, deadline_seconds, ...rest } = makeWork();
    const polled = await pollOnce({ status: 200, json: { ...rest, prompt_id: 42, category: null } });
    expect(polled.work).toEqual({ ...rest, prompt_id: "42", category: "", deadline_seconds: 300 });
  });

  it.each([
    [401, "Check the agent's secret."],
    [403, "the account key does not work here"],
    [404, "Check the agent's id"],
    [409, "made with mode pull"],
  ])("a %d is a refusal with the arena's words and a next step", async (status, nextStep) => {
    const error = await failureOf(pollOnce(problem(status, "the arena says no")));
    expect(error).toMatchObject({ kind: "refused", status, detail: "the arena says no", code: "no" });
    expect(error.message).toContain("The arena says no. ");
    expect(error.message).toContain(nextStep);
  });

  it("a list of complaints is read as one sentence", async () => {
    const json = { detail: [{ loc: ["query", "wait"], msg: "not a number" }, { msg: "too small" }] };
    expect((await failureOf(pollOnce({ status: 422, json }))).detail).toBe("not a number; too small");
  });

  it.each([
    [429, "busy"],
    [408, "busy"],
    [425, "busy"],
    [500, "unavailable"],
    [503, "unavailable"],
  ])("a %d is %s, with the wait it asks for", async (status, kind) => {
    const reply = problem(status, "later", { "retry-after": "9999999999" });
    expect(await failureOf(pollOnce(reply))).toMatchObject({ kind, status, detail: "later", retryAfterMs: 300_000 });
  });

  it("a malformed wait is no wait", async () => {
    const error = await failureOf(pollOnce(problem(429, "later", { "retry-after": "-5" })));
    expect(error.retryAfterMs).toBeUndefined();
  });

  it("a 502 with a proxy's page is an arena that is away, not a wrong address", async () => {
    const error = await failureOf(pollOnce({ status: 502, text: "<html>Bad gateway</html>" }));
    expect(error).toMatchObject({ kind: "unavailable", detail: "the arena answered 502" });
  });

  it.each([
    [200, "Is the base URL right?"],
    [404, "Is the base URL right?"],
    [403, "asks for a browser"],
  ])("a page with %d is recognised", async (status, nextStep) => {
    const error = await failureOf(pollOnce({ status, text: "<!doctype html><title>Hello</title>" }));
    expect(error.kind).toBe("not-arena");
    expect(error.message).toContain(nextStep);
  });

  it("a redirect is not followed, and the secret goes nowhere", async () => {
    await using other = await startArena(() => ({ status: 200, json: makeWork() }));
    const error = await failureOf(pollOnce({ status: 307, headers: { location: `${other.baseUrl}/api` } }));
    expect(error).toMatchObject({ kind: "not-arena", status: 307 });
    expect(error.message).toContain(`redirects to ${other.baseUrl}`);
    expect(other.requests).toEqual([]);
  });

  it("JSON that is no work names the field", async () => {
    const error = await failureOf(pollOnce({ status: 200, json: { ...makeWork(), prompt: 5 } }));
    expect(error.kind).toBe("not-arena");
    expect(error.message).toContain("The field prompt ");
    expect((await failureOf(pollOnce({ status: 200, json: [] }))).kind).toBe("not-arena");
  });

  it("bytes that are not UTF-8 are not taken for an answer", async () => {
    const reply: Reply = (response) => response.end(Buffer.from('{"prompt":"caf\xe9"}', "latin1"));
    expect((await failureOf(pollOnce(reply))).kind).toBe("not-arena");
  });

  it("an answer that breaks off is no answer", async () => {
    const reply: Reply = (response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write('{"a":1}', () => response.destroy());
    };
    expect((await failureOf(pollOnce(reply))).kind).toBe("unreachable");
  });

  it("an arena that is not there is named with the reason", async () => {
    const arena = await startArena(() => NOTHING);
    await arena[Symbol.asyncDispose]();
    const error = await failureOf(createPullClient({ ...AGENT, baseUrl: arena.baseUrl }).next({ waitSeconds: 0 }));
    expect(error.kind).toBe("unreachable");
    expect(error.detail).toBe(`cannot reach ${arena.baseUrl}: connection refused (ECONNREFUSED)`);
  });

  it("a port that fetch refuses is named as such", async () => {
    const client = createPullClient({ ...AGENT, baseUrl: "http://127.0.0.1:10080" });
    expect((await failureOf(client.next({ waitSeconds: 0 }))).detail).toContain("bad port");
  });

  it("giving up rejects with the giver's own reason", async () => {
    const stop = new AbortController();
    const reason = new Error("enough");
    await using arena = await startArena(() => () => stop.abort(reason));
    const client = createPullClient({ ...AGENT, baseUrl: arena.baseUrl });
    await expect(client.next({ waitSeconds: 50, signal: stop.signal })).rejects.toBe(reason);
  });
});

describe("submitResult", () => {
  it("posts the result as JSON to the work's own address", async () => {
    await using arena = await startArena(() => RECORDED);
    const client = createPullClient({ ...AGENT, baseUrl: arena.baseUrl });
    await client.submitResult("main-42", { response: "Io, Europa", latency_ms: 842 });
    const [request] = arena.requests;
    expect(request).toMatchObject({ method: "POST", path: "/api/agents/7/work/main-42/result" });
    expect(request?.headers).toMatchObject({ "content-type": "application/json", "x-arena-secret": AGENT.secret });
    expect(JSON.parse(request?.body ?? "")).toEqual({ response: "Io, Europa", latency_ms: 842 });
  });

  it("a work id that is no id cannot leave its place in the path", async () => {
    await using arena = await startArena(() => RECORDED);
    await createPullClient({ ...AGENT, baseUrl: arena.baseUrl }).submitResult("../../x?y", {
      error: "e",
      latency_ms: 1,
    });
    expect(arena.requests[0]?.path).toBe("/api/agents/7/work/..%2F..%2Fx%3Fy/result");
  });

  it("a refusal is thrown with the arena's words", async () => {
    await using arena = await startArena(() => problem(409, "deadline passed"));
    const call = createPullClient({ ...AGENT, baseUrl: arena.baseUrl }).submitResult("main-1", {
      error: "e",
      latency_ms: 1,
    });
    expect(await failureOf(call)).toMatchObject({ kind: "refused", status: 409, message: "deadline passed" });
  });
});

describe("createPullClient", () => {
  it.each([
    [{ secret: "abc\ndef" }, "characters that no secret has"],
    [{ secret: "sécret" }, "characters that no secret has"],
    [{ secret: " " }, "secret is missing"],
    [{ agentId: "" }, "id is missing"],
    [{ baseUrl: "arena" }, "is not a URL"],
  ])("%j can never work and is refused at once", (fields, reason) => {
    expect(() => createPullClient({ ...AGENT, baseUrl: "http://a.example", ...fields })).toThrow(reason);
  });
});
