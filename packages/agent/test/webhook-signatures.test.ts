import { gzipSync } from "node:zlib";
import { signTesserax } from "@agon/protocol";
import { describe, expect, it } from "vitest";
import { serveWebhook } from "../src/webhook-server.ts";
import { makeBody, NOW, PING, SECRET, send, signed, signedTwice, startWebhook } from "./webhook-calls.ts";

const BODY = makeBody();
const ANSWERED = { status: 200, json: { response: "Io, Europa" } };

describe("the signature of a push", () => {
  it.each([
    ["none", {}, "missing-signature"],
    ["a short one", { "x-arena-signature": "abc" }, "malformed-signature"],
    ["an empty one", { "x-arena-signature": "" }, "malformed-signature"],
    ["65 digits", { "x-arena-signature": "a".repeat(65) }, "malformed-signature"],
    ["64 letters of two bytes each", { "x-arena-signature": "é".repeat(64) }, "malformed-signature"],
    ["one with the other dialect's prefix", { "x-arena-signature": `sha256=${"a".repeat(64)}` }, "malformed-signature"],
    ["another body's", signed(makeBody({ prompt_id: "43" })), "mismatch"],
    ["another key's", signed(BODY, "whsec_c29tZXRoaW5n"), "mismatch"],
    ["one by the word undefined", signed(BODY, "undefined"), "mismatch"],
  ])("%s is answered 401 with the reason, and nothing runs", async (_name, headers, code) => {
    await using agent = await startWebhook();
    const reply = await send(agent.url, BODY, headers);
    expect(reply).toMatchObject({ status: 401, json: { error: expect.any(String), code } });
    expect(agent.events.map(({ type }) => type)).toEqual(["listening", "refused"]);
  });

  it("sent twice is no signature", async () => {
    await using agent = await startWebhook();
    const twice = { "x-arena-signature": [signTesserax({ secret: SECRET, body: BODY }), "0".repeat(64)] };
    expect(await send(agent.url, BODY, twice as unknown as Record<string, string>)).toMatchObject({ status: 401 });
  });

  it("may be in upper case", async () => {
    await using agent = await startWebhook();
    const headers = { "x-arena-signature": signTesserax({ secret: SECRET, body: BODY }).toUpperCase() };
    expect(await send(agent.url, BODY, headers)).toMatchObject(ANSWERED);
  });

  it("counts for the bytes as they came, not for the same JSON written anew", async () => {
    await using agent = await startWebhook({ answer: async (work) => JSON.stringify(work) });
    const body =
      '{"10":0,"9":0,"x":1.0,"y":1E2,"prompt_id":"1","prompt":"\\u00e9\\/","category":"c","deadline_seconds":3E1}';
    const { status, json } = await send(agent.url, body);
    expect(status).toBe(200);
    const { response } = json as { response: string };
    expect(JSON.parse(response)).toMatchObject({ prompt: "é/", x: 1, deadline_seconds: 30 });
  });

  it.each(["application/vnd.arena+json", "application/json; charset=utf-8", "text/plain", undefined])(
    "is judged alike with the content type %s",
    async (type) => {
      await using agent = await startWebhook();
      const more = type === undefined ? undefined : { "content-type": type };
      expect(await send(agent.url, BODY, { ...signed(BODY), ...more })).toMatchObject(ANSWERED);
      expect(await send(agent.url, BODY, { ...signed("{}"), ...more })).toMatchObject({ status: 401 });
    },
  );

  it("of the vector that both protocols share is right", async () => {
    await using agent = await startWebhook({ secret: "test-secret-0001" });
    const headers = { "x-arena-signature": "d345246fb2449d9f5670df7caf798191a8d0981f75c70e8c413954c6d90fe21e" };
    const reply = await send(agent.url, '{"task":"café 😀","n":1}', headers);
    expect(reply).toMatchObject({ status: 400, json: { error: expect.stringContaining("field prompt") } });
  });

  it.each([
    ["bytes that are no UTF-8", Buffer.from('{"a":"\xff"}', "latin1"), "not UTF-8"],
    ["a byte order mark", Buffer.from('\ufeff{"a":1}'), "field prompt"],
  ])("is right over %s, which are then refused for what they are", async (_name, body, reason) => {
    await using agent = await startWebhook();
    const reply = await send(agent.url, body);
    expect(reply).toMatchObject({ status: 400, json: { error: expect.stringContaining(reason) } });
  });

  it("over a compressed body, or its plain form, is not what the answer is about", async () => {
    await using agent = await startWebhook();
    const packed = gzipSync(BODY);
    for (const over of [BODY, packed]) {
      const reply = await send(agent.url, packed, { ...signed(over), "content-encoding": "gzip" });
      expect(reply).toMatchObject({ status: 415, json: { error: expect.stringContaining("gzip-encoded") } });
    }
    const plain = { ...signed(BODY), "content-encoding": "identity" };
    expect(await send(agent.url, BODY, plain)).toMatchObject(ANSWERED);
  });
});

describe("the secret", () => {
  it.each(["", "  ", "abc\ndef", "sécret"])("%j is refused at the start", async (secret) => {
    await expect(serveWebhook({ secret, answer: async () => "", port: 0 })).rejects.toThrow(TypeError);
  });

  it.each([undefined, "", " "])("that is %j when asked for opens nothing", async (secret) => {
    await using agent = await startWebhook({ secret: () => secret });
    const empty = { "x-arena-signature": "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad" };
    expect(await send(agent.url, "", empty)).toMatchObject({ status: 401, json: { code: "no-key" } });
    expect(await send(agent.url, BODY, signed(BODY, "undefined"))).toMatchObject({ status: 401 });
  });

  it("may be replaced while the server runs", async () => {
    let secret = "whsec_b2xk";
    await using agent = await startWebhook({ secret: () => secret });
    expect(await send(agent.url, PING, signed(PING, "whsec_b2xk"))).toMatchObject({ status: 200 });
    secret = "whsec_bmV3";
    expect(await send(agent.url, PING, signed(PING, "whsec_b2xk"))).toMatchObject({ status: 401 });
    expect(await send(agent.url, PING, signed(PING, "whsec_bmV3"))).toMatchObject({ status: 200 });
  });

  it("that asking for it throws is the server's fault, and it goes on", async () => {
    let isBroken = true;
    await using agent = await startWebhook({
      secret: () => {
        if (isBroken) throw new Error("store away");
        return SECRET;
      },
    });
    expect(await send(agent.url, BODY)).toMatchObject({ status: 500 });
    isBroken = false;
    expect(await send(agent.url, BODY)).toMatchObject(ANSWERED);
  });
});

describe("a second signature with a time in it", () => {
  it.each([
    [-301, 401],
    [-300, 200],
    [300, 200],
    [301, 401],
  ])("made %d s from now is answered %d", async (seconds, status) => {
    await using agent = await startWebhook();
    expect(await send(agent.url, BODY, signedTwice(BODY, "main-7", NOW + seconds))).toMatchObject({ status });
  });

  it("in milliseconds is refused with the unit named", async () => {
    await using agent = await startWebhook();
    const reply = await send(agent.url, BODY, signedTwice(BODY, "main-7", NOW * 1_000));
    expect(reply).toMatchObject({
      status: 401,
      json: { code: "stale", error: expect.stringContaining("milliseconds") },
    });
  });

  it.each([
    ["a time written anew", { "webhook-timestamp": String(NOW + 1) }, "mismatch"],
    ["an id written anew", { "webhook-id": "main-8" }, "mismatch"],
    ["no signature behind it", { "webhook-signature": undefined }, "missing-signature"],
    ["no time", { "webhook-timestamp": undefined }, "missing-timestamp"],
    ["no id", { "webhook-id": undefined }, "missing-signature"],
  ])("with %s is refused, although the first one is right", async (_name, change, code) => {
    await using agent = await startWebhook();
    const headers = { ...signedTwice(BODY, "main-7"), ...change };
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    const reply = await send(agent.url, BODY, sent as Record<string, string>);
    expect(reply).toMatchObject({ status: 401, json: { code } });
  });

  it("alone is not enough", async () => {
    await using agent = await startWebhook();
    const { "x-arena-signature": _, ...headers } = signedTwice(BODY, "main-7");
    expect(await send(agent.url, BODY, headers)).toMatchObject({ status: 401, json: { code: "missing-signature" } });
  });

  it("is left aside where the secret cannot have made one", async () => {
    await using agent = await startWebhook({ secret: "plain-text-secret" });
    const headers = { ...signed(BODY, "plain-text-secret"), "webhook-id": "of-a-relay", "webhook-timestamp": "1" };
    expect(await send(agent.url, BODY, headers)).toMatchObject(ANSWERED);
  });

  it("names the arena's task, by which the work is known to its owner", async () => {
    await using agent = await startWebhook();
    await send(agent.url, BODY, signedTwice(BODY, "gym-7"));
    expect(agent.events).toContainEqual(
      expect.objectContaining({ type: "received", work: expect.objectContaining({ work_id: "gym-7", kind: "gym" }) }),
    );
  });
});

describe("a captured push", () => {
  it("sent again runs nothing, whatever its unsigned headers say", async () => {
    let runs = 0;
    await using agent = await startWebhook({ answer: async () => `answer ${++runs}` });
    const headers = signedTwice(BODY, "main-7");
    const first = await send(agent.url, BODY, headers);
    const again = await send(agent.url, BODY, headers);
    const bare = await send(agent.url, BODY, signed(BODY));
    const renamed = await send(agent.url, BODY, { ...headers, "webhook-id": "main-8" });
    expect([first, again, bare].map(({ json }) => json)).toEqual([1, 1, 1].map(() => ({ response: "answer 1" })));
    expect(renamed.status).toBe(401);
    expect(runs).toBe(1);
  });

  it("is another thing than the same prompt under a new signed id, which is a new task", async () => {
    let runs = 0;
    await using agent = await startWebhook({ answer: async () => `answer ${++runs}` });
    await send(agent.url, BODY, signedTwice(BODY, "gym-7"));
    expect(await send(agent.url, BODY, signedTwice(BODY, "gym-8"))).toMatchObject({ json: { response: "answer 2" } });
    expect(await send(agent.url, BODY, signedTwice(BODY, "gym-7"))).toMatchObject({ json: { response: "answer 1" } });
  });
});
