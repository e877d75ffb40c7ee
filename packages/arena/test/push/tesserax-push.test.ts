import { verifyStandardWebhook, verifyTesserax } from "@agon/protocol";
import { describe, expect, test } from "vitest";
import type { ExchangeResult, FailureCode } from "../../src/push/outbound-result.ts";
import { buildTesseraxRequest, judgeTesseraxAnswer, judgeTesseraxPing } from "../../src/push/tesserax-push.ts";
import { openOutbound, post } from "./support/outbound-fixture.ts";
import { answer, startRawEndpoint } from "./support/raw-endpoint.ts";

const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const payload = { prompt_id: "42", prompt: "Wie heißt 🦊?", category: "reasoning", deadline_seconds: 300 };
const build = (changes: object = {}) =>
  buildTesseraxRequest({ payload: { ...payload, ...changes }, secret: SECRET, id: "msg_1", timestamp: 1_700_000_000 });

describe("buildTesseraxRequest", () => {
  test("writes the four fields and signs these bytes both ways", () => {
    const { body, headers } = build();
    expect(body.toString()).toBe(
      '{"prompt_id":"42","prompt":"Wie heißt 🦊?","category":"reasoning","deadline_seconds":300}',
    );
    // Both digests were made with openssl.
    expect(headers).toEqual({
      "content-type": "application/json",
      accept: "application/json",
      "user-agent": expect.stringMatching(/^Agon\//),
      "x-arena-signature": "50ac92b2b473e59544a44965f47401cd9285187329c90df86955fc4d335cfc69",
      "webhook-id": "msg_1",
      "webhook-timestamp": "1700000000",
      "webhook-signature": "v1,HfQwoAJd1Wrg3RoojVg23W6diR3ugRYEoqYNoGCdQCU=",
    });
  });

  test("leaves out whatever else a task knows", () => {
    const { body } = build({ kind: "main", work_id: "main-42" });
    expect(Object.keys(JSON.parse(body.toString()))).toEqual(["prompt_id", "prompt", "category", "deadline_seconds"]);
  });

  test("throws for a secret that holds no key", () => {
    for (const secret of ["", "whsec_", "plain"]) {
      expect(() => buildTesseraxRequest({ payload, secret, id: "1", timestamp: 1 }), secret).toThrow(TypeError);
    }
  });

  test("is verified by a receiver from what arrives on the wire", async () => {
    const endpoint = await startRawEndpoint((socket) => socket.end(answer('{"response":"fox"}')));
    const result = await openOutbound().exchange(post(endpoint.url, build({ prompt: "😀".repeat(1_000) })));
    expect(judgeTesseraxAnswer(result)).toEqual({ outcome: "completed", response: "fox" });

    const [request] = endpoint.requests;
    const body = request!.body;
    const header = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(request!.head)?.[1];
    expect(verifyTesserax({ secret: SECRET, signature: header("x-arena-signature"), body })).toEqual({ ok: true });
    expect(
      verifyStandardWebhook({
        secret: SECRET,
        id: header("webhook-id"),
        timestamp: header("webhook-timestamp"),
        signature: header("webhook-signature"),
        body,
        now: 1_700_000_000,
      }),
    ).toEqual({ ok: true });
  });
});

const facts = { startedAt: 0, timings: { total: 1 }, reusedSocket: false };
const answered = (status: number, body: string | Buffer, headers: Record<string, string> = {}): ExchangeResult => ({
  ok: true,
  status,
  headers: { "content-type": "application/json", ...headers },
  body: Buffer.from(body as string),
  ...facts,
});

describe("judgeTesseraxAnswer", () => {
  test.each([200, 201, 202, 299])("takes the response of a %i as it was sent", (status) => {
    const verdict = judgeTesseraxAnswer(answered(status, '{"response":" 4\\n","usage":{}}'));
    expect(verdict).toEqual({ outcome: "completed", response: " 4\n" });
  });

  test.each<[string, ExchangeResult, string, RegExp, RegExp]>([
    ["a 204", answered(204, ""), "invalid", /empty/, /Answer the POST itself/],
    ["an empty 200", answered(200, ""), "invalid", /empty/, /Answer the POST itself/],
    ["an empty 202", answered(202, ""), "invalid", /empty/, /no later call/],
    [
      "a login page",
      answered(200, "<html><title>Sign in</title>", { "content-type": "text/html" }),
      "invalid",
      /HTML page titled “Sign in”/,
      /without a login/,
    ],
    ["no JSON", answered(200, "four"), "invalid", /not JSON/, /JSON library/],
    ["half a JSON text", answered(200, '{"response":"4'), "invalid", /not JSON/, /JSON library/],
    ["latin-1", answered(200, Buffer.from('{"response":"\xE9"}', "latin1")), "invalid", /not UTF-8/, /as UTF-8/],
    [
      "another charset",
      answered(200, "{}", { "content-type": "application/json; charset=iso-8859-1" }),
      "invalid",
      /iso-8859-1, not UTF-8/,
      /without another charset/,
    ],
    ["an array", answered(200, '[{"response":"4"}]'), "invalid", /not an object/, /JSON object/],
    ["null", answered(200, "null"), "invalid", /not an object/, /JSON object/],
    ["a string", answered(200, '"4"'), "invalid", /not an object/, /JSON object/],
    ["an object without response", answered(200, '{"answer":"4"}'), "invalid", /has no response/, /"response"/],
    [
      "an inherited response",
      answered(200, '{"__proto__":{"response":"4"}}'),
      "invalid",
      /has no response/,
      /"response"/,
    ],
    ["a number as response", answered(200, '{"response":4}'), "invalid", /type number/, /as a string/],
    ["null as response", answered(200, '{"response":null}'), "invalid", /is null/, /as a string/],
    ["a list as response", answered(200, '{"response":["4"]}'), "invalid", /an array/, /as a string/],
    ["a blank response", answered(200, '{"response":" \\n\\t"}'), "invalid", /blank/, /not blank/],
    ["an empty response", answered(200, '{"response":"","error":"x"}'), "invalid", /blank/, /not blank/],
    ["an error in its place", answered(200, '{"error":"model is away"}'), "error", /model is away/, /log/],
    [
      "a redirect",
      answered(302, "", { location: "/login" }),
      "error",
      /302, a redirect to \/login, and redirects are not followed/,
      /Register the final URL/,
    ],
    ["a redirect to nowhere", answered(304, ""), "error", /304, a redirect, and/, /final URL/],
    ["a 401", answered(401, "{}"), "error", /401/, /Install the agent's present webhook_secret/],
    ["a 403", answered(403, "{}"), "error", /403/, /webhook_secret/],
    ["a 404", answered(404, "{}"), "error", /404/, /path/],
    ["a 405", answered(405, "{}"), "error", /405/, /POST/],
    ["a 413", answered(413, "{}"), "error", /413/, /1 MiB/],
    ["a 418", answered(418, "{}"), "error", /418/, /2xx/],
    ["a 429", answered(429, "{}", { "retry-after": "9999999999" }), "error", /429/, /rate limit/],
    ["a 500 with a response", answered(500, '{"response":"4"}'), "error", /500/, /failed by itself/],
    ["a 502", answered(502, "<html>"), "error", /502/, /tunnel/],
    ["a 504", answered(504, "<html>"), "error", /504/, /timeout/],
  ])("fails for %s", (_what, result, cause, detail, advice) => {
    const verdict = judgeTesseraxAnswer(result);
    expect(verdict).toMatchObject({ outcome: "failed", cause });
    expect(verdict).toHaveProperty("detail", expect.stringMatching(detail));
    expect(verdict).toHaveProperty("advice", expect.stringMatching(advice));
  });

  test("carries cause and sentence of an exchange without an answer, and says what to do for each kind", () => {
    const codes: Record<FailureCode, "unreachable" | "timeout" | "invalid" | "arena"> = {
      dns: "unreachable",
      refused: "unreachable",
      tls: "unreachable",
      reset: "unreachable",
      network: "unreachable",
      truncated: "unreachable",
      protocol: "unreachable",
      too_large: "invalid",
      encoded: "invalid",
      timeout: "timeout",
      address_refused: "unreachable",
      aborted: "arena",
    };
    for (const [code, cause] of Object.entries(codes)) {
      const result: ExchangeResult = { ok: false, code: code as FailureCode, cause, detail: "It broke.", ...facts };
      const verdict = { outcome: "failed", cause, detail: "It broke.", advice: expect.stringMatching(/^[A-Z].+\.$/) };
      expect(judgeTesseraxAnswer(result)).toEqual(verdict);
      expect(judgeTesseraxPing(result)).toEqual(verdict);
    }
  });

  test("does not take a partial answer that would parse", () => {
    const result: ExchangeResult = {
      ok: false,
      cause: "unreachable",
      code: "truncated",
      detail: "It broke.",
      status: 200,
      bodyExcerpt: '{"response":"4"}',
      ...facts,
    };
    expect(judgeTesseraxAnswer(result).outcome).toBe("failed");
  });
});

describe("judgeTesseraxPing", () => {
  test.each(["{}", '{"ok":true}', '{"response":""}', '{"error":"no such prompt"}'])("is content with %s", (body) => {
    expect(judgeTesseraxPing(answered(200, body))).toEqual({ outcome: "reached" });
  });

  test.each([401, 403])("asks for the secret to be installed after a %i", (status) => {
    expect(judgeTesseraxPing(answered(status, '{"error":"bad signature"}'))).toEqual({
      outcome: "failed",
      cause: "error",
      detail: `The endpoint answered ${status}.`,
      advice: "Install the webhook_secret of this response at the endpoint, then retest.",
    });
  });

  test.each([
    ["[]", "invalid"],
    ["", "invalid"],
    ["ok", "invalid"],
    ["<html></html>", "invalid"],
  ])("fails for the body %j", (body, cause) => {
    expect(judgeTesseraxPing(answered(200, body))).toMatchObject({ outcome: "failed", cause });
  });

  test.each([301, 404, 500, 501])("fails for a %i", (status) => {
    expect(judgeTesseraxPing(answered(status, "{}"))).toMatchObject({ outcome: "failed", cause: "error" });
  });
});
