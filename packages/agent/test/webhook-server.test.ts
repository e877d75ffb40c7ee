import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { BODY_MAX_BYTES } from "@agon/protocol";
import { describe, expect, it } from "vitest";
import type { Answer } from "../src/answer.ts";
import { commandAnswer } from "../src/command-answer.ts";
import { serveWebhook } from "../src/webhook-server.ts";
import { isGone } from "./processes.ts";
import { makeBody, PING, SECRET, send, signed, startWebhook } from "./webhook-calls.ts";

/** Answers when it is let; counts how often it was asked, and how many it had at once. */
function createGatedAnswer() {
  const gates = new Map<string, PromiseWithResolvers<string>>();
  const gateOf = (promptId: string) => {
    const gate = gates.get(promptId) ?? Promise.withResolvers<string>();
    gates.set(promptId, gate);
    return gate;
  };
  const asked: string[] = [];
  let atOnce = 0;
  const counts = { most: 0 };
  const answer: Answer = async ({ prompt_id }, { signal }) => {
    asked.push(prompt_id);
    counts.most = Math.max(counts.most, ++atOnce);
    const aborted = once(signal, "abort").then(() => Promise.reject(signal.reason));
    return Promise.race([gateOf(prompt_id).promise, aborted]).finally(() => {
      atOnce -= 1;
    });
  };
  return {
    answer,
    asked,
    counts,
    open: (promptId: string, text = `answer ${promptId}`) => gateOf(promptId).resolve(text),
  };
}

describe("telling requests apart", () => {
  it("GET is answered 200 at once on every path, without the agent", async () => {
    await using agent = await startWebhook({ answer: () => Promise.reject(new Error("asked")) });
    for (const path of ["/", "/hook?tenant=7", "/a/b"]) {
      expect(await send(agent.url + path, undefined)).toMatchObject({ status: 200, json: { ok: true } });
    }
    expect(await send(agent.url, undefined, {}, { method: "HEAD" })).toMatchObject({ status: 200, json: undefined });
    expect(agent.events.map(({ type }) => type)).toEqual(["listening"]);
  });

  it.each(["PUT", "DELETE", "PATCH", "OPTIONS"])("%s is answered 405 with what is served", async (method) => {
    await using agent = await startWebhook();
    const reply = await send(agent.url, undefined, {}, { method });
    expect(reply).toMatchObject({ status: 405, headers: { allow: "GET, HEAD, POST" } });
  });

  it("[TX-PUSH-3] a ping is answered with an object at once, even while the agent is busy, and never runs it", async () => {
    const gated = createGatedAnswer();
    await using agent = await startWebhook({ answer: gated.answer });
    const busy = send(agent.url, makeBody());
    await agent.seen("received");
    expect(await send(agent.url, PING)).toMatchObject({ status: 200, json: { response: "pong" } });
    gated.open("42");
    await busy;
    expect(gated.asked).toEqual(["42"]);
  });

  it.each([
    ["broken JSON", "{", "the body is not JSON"],
    ["nothing", "", "the body is not JSON"],
    ["an array", "[]", "no object"],
    ["null", "null", "no object"],
    ["a prompt without text", makeBody({ prompt: undefined }), "field prompt "],
    ["a text that is a number", makeBody({ prompt: 5 }), "field prompt "],
    ["no id", makeBody({ prompt_id: undefined }), "field prompt_id "],
    ["a deadline in words", makeBody({ deadline_seconds: "30" }), "field deadline_seconds "],
    ["a deadline in the past", makeBody({ deadline_seconds: -1 }), "field deadline_seconds "],
  ])("%s, rightly signed, is answered 400 with the reason", async (_name, body, reason) => {
    await using agent = await startWebhook();
    const reply = await send(agent.url, body);
    expect(reply).toMatchObject({ status: 400, json: { error: expect.stringContaining(reason) } });
    expect(agent.events.at(-1)).toMatchObject({ type: "refused", status: 400 });
  });

  it("a prompt with a number for an id and without category or deadline is work all the same", async () => {
    await using agent = await startWebhook({ answer: async (work) => JSON.stringify(work) });
    const { json } = await send(agent.url, '{"prompt_id":7,"prompt":"p"}');
    expect(JSON.parse((json as { response: string }).response)).toEqual({
      kind: "push",
      work_id: "push-7",
      prompt_id: "7",
      prompt: "p",
      category: "",
      deadline_seconds: 300,
    });
  });
});

describe("the size of a body", () => {
  const pad = (bytes: number) => {
    const rest = bytes - Buffer.byteLength(makeBody({ prompt: "" }));
    return makeBody({ prompt: "x".repeat(rest) });
  };

  it("may be 1 MiB and not a byte more", async () => {
    await using agent = await startWebhook();
    expect(await send(agent.url, pad(BODY_MAX_BYTES))).toMatchObject({ status: 200 });
    const reply = await send(agent.url, pad(BODY_MAX_BYTES + 1));
    expect(reply).toMatchObject({ status: 413, headers: { connection: "close" }, json: { error: expect.any(String) } });
    expect((await send(agent.url, pad(3 * BODY_MAX_BYTES))).status).toBe(413);
  });

  it("is bounded for a sender that never ends, too", async () => {
    await using agent = await startWebhook();
    const socket = connect(Number(new URL(agent.url).port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write("POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n");
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const push = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on("drain", push);
    push();
    socket.resume();
    await new Promise((resolve) => socket.once("close", resolve)); // by an error or by an end
    expect(agent.events.at(-1)).toMatchObject({ type: "refused", status: 413 });
  });

  it("counts in bytes, both ways", async () => {
    const text = "😀".repeat(1_000);
    await using agent = await startWebhook({ answer: async ({ prompt }) => prompt });
    const reply = await send(agent.url, makeBody({ prompt: text }));
    expect(reply.json).toEqual({ response: text });
    expect(reply.headers).toMatchObject({
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(JSON.stringify({ response: text }))),
    });
  });
});

describe("a prompt", () => {
  it("is answered with the agent's text, and every step is told", async () => {
    await using agent = await startWebhook();
    expect(await send(agent.url, makeBody())).toMatchObject({ status: 200, json: { response: "Io, Europa" } });
    await agent.seen("replied");
    const work = expect.objectContaining({ prompt_id: "42", work_id: "push-42" });
    expect(agent.events).toEqual([
      { type: "listening", url: agent.url },
      { type: "received", work, deadlineMs: 30_000 },
      { type: "answered", work, latencyMs: expect.any(Number), response: "Io, Europa" },
      { type: "replied", work, result: "response" },
    ]);
  });

  it.each<[string, Answer, string]>([
    ["throws", () => Promise.reject(new Error("model overloaded")), "model overloaded"],
    ["answers with blanks", async () => " \n", "the agent's answer is empty"],
    ["is no command", commandAnswer({ command: ["no-such-command-anywhere"] }), "command not found: "],
    ["exits 3", commandAnswer({ command: ["sh", "-c", "echo no model >&2; exit 3"] }), "exit code 3: no model"],
  ])("of an agent that %s is answered 502 with the reason", async (_name, answer, error) => {
    await using agent = await startWebhook({ answer });
    const reply = await send(agent.url, makeBody());
    expect(reply).toMatchObject({ status: 502, json: { error: expect.stringContaining(error) } });
    await agent.seen("replied");
    expect(agent.events.at(-1)).toMatchObject({ type: "replied", result: "error" });
  });

  it("reaches a command on stdin and in its environment, and its output is the answer", async () => {
    const answer = commandAnswer({ command: ["sh", "-c", 'cat; echo "$TESSERAX_PROMPT_ID $TESSERAX_CATEGORY"'] });
    await using agent = await startWebhook({ answer });
    const { json } = await send(agent.url, makeBody({ extra: [1] }));
    const [line = "", rest] = (json as { response: string }).response.split("\n");
    expect(JSON.parse(line)).toMatchObject({ prompt_id: "42", prompt: "Name two moons.", extra: [1] });
    expect(rest).toBe("42 astronomy");
  });

  it("past its deadline is ended, with all that it started, and answered 502", async () => {
    const answer = commandAnswer({ command: ["sh", "-c", "echo $$ >&2; sleep 60"], killGraceMs: 100 });
    await using agent = await startWebhook({ answer });
    const reply = await send(agent.url, makeBody({ deadline_seconds: 0.2 }));
    expect(reply).toMatchObject({ status: 502, json: { error: "timeout after 0.2s" } });
    const line = agent.events.find((event) => event.type === "log")?.line;
    expect(await isGone(Number(line))).toBe(true);
    expect(agent.events).toContainEqual(expect.objectContaining({ type: "failed", isTimeout: true }));
  });

  it("whose caller is gone is given up", async () => {
    const answer = commandAnswer({ command: ["sh", "-c", "echo $$ >&2; sleep 60"], killGraceMs: 100 });
    await using agent = await startWebhook({ answer });
    const leave = new AbortController();
    const call = send(agent.url, makeBody(), undefined, { signal: leave.signal });
    await agent.seen("log");
    leave.abort();
    await expect(call).rejects.toThrow();
    await agent.seen("unreplied");
    const line = agent.events.find((event) => event.type === "log")?.line;
    expect(await isGone(Number(line))).toBe(true);
    expect(agent.events.at(-1)).toMatchObject({ type: "unreplied", reason: "the arena closed the connection" });
  });

  it("a listener that throws costs nothing", async () => {
    const onEvent = () => {
      throw new Error("broken listener");
    };
    const stop = new AbortController();
    const server = await serveWebhook({
      secret: SECRET,
      answer: async () => "Io",
      port: 0,
      onEvent,
      signal: stop.signal,
    });
    expect(await send(server.url, makeBody())).toMatchObject({ status: 200 });
    stop.abort();
    expect(await server.done).toEqual({ answered: 1, failed: 0 });
  });
});

describe("the same prompt again", () => {
  it("while it is in hand waits for the one run, and goes on when the first caller leaves", async () => {
    const gated = createGatedAnswer();
    await using agent = await startWebhook({ answer: gated.answer });
    const leave = new AbortController();
    const first = send(agent.url, makeBody(), undefined, { signal: leave.signal });
    await agent.seen("received");
    const second = send(agent.url, makeBody());
    await agent.seen("repeated");
    leave.abort();
    await expect(first).rejects.toThrow();
    gated.open("42");
    expect(await second).toMatchObject({ status: 200, json: { response: "answer 42" } });
    expect(gated.asked).toEqual(["42"]);
  });

  it("twenty times at once runs once", async () => {
    const gated = createGatedAnswer();
    let repeats = 0;
    await using agent = await startWebhook({
      answer: gated.answer,
      onEvent: (event) => {
        if (event.type === "repeated" && ++repeats === 19) gated.open("42");
      },
    });
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(agent.url, makeBody())));
    expect(new Set(replies.map(({ status, json }) => JSON.stringify({ status, json })))).toEqual(
      new Set([JSON.stringify({ status: 200, json: { response: "answer 42" } })]),
    );
    expect(gated.asked).toEqual(["42"]);
  });

  it("later gets the answer that was kept", async () => {
    let runs = 0;
    await using agent = await startWebhook({ answer: async () => `answer ${++runs}` });
    await send(agent.url, makeBody());
    expect(await send(agent.url, makeBody())).toMatchObject({ json: { response: "answer 1" } });
    expect(agent.events).toContainEqual(expect.objectContaining({ type: "repeated", answer: "stored" }));
  });

  it("after a failure is tried anew, as an arena offers its gym again", async () => {
    let runs = 0;
    const answer: Answer = async () => {
      if (++runs === 1) throw new Error("no");
      return "fine";
    };
    await using agent = await startWebhook({ answer });
    expect(await send(agent.url, makeBody())).toMatchObject({ status: 502 });
    expect(await send(agent.url, makeBody())).toMatchObject({ status: 200, json: { response: "fine" } });
  });

  it("after a caller left in the middle is begun anew, and does not get the end of the first", async () => {
    const gated = createGatedAnswer();
    await using agent = await startWebhook({ answer: gated.answer });
    const leave = new AbortController();
    const first = send(agent.url, makeBody(), undefined, { signal: leave.signal });
    await agent.seen("received");
    leave.abort();
    await expect(first).rejects.toThrow();
    await agent.seen("unreplied");
    gated.open("42");
    expect(await send(agent.url, makeBody())).toMatchObject({ status: 200, json: { response: "answer 42" } });
  });
});

describe("several prompts", () => {
  it("are worked on up to the number given; the rest wait for their turn", async () => {
    const gated = createGatedAnswer();
    let received = 0;
    await using agent = await startWebhook({
      answer: gated.answer,
      concurrency: 2,
      onEvent: (event) => {
        if (event.type === "received" && ++received === 5) for (const id of "12345") gated.open(id);
      },
    });
    const replies = await Promise.all([..."12345"].map((id) => send(agent.url, makeBody({ prompt_id: id }))));
    expect(replies.map(({ json }) => json)).toEqual([..."12345"].map((id) => ({ response: `answer ${id}` })));
    expect(gated.counts.most).toBe(2);
  });

  it("whose turn does not come before their deadline time out", async () => {
    const gated = createGatedAnswer();
    await using agent = await startWebhook({ answer: gated.answer });
    const first = send(agent.url, makeBody({ prompt_id: "1" }));
    await agent.seen("received");
    const second = await send(agent.url, makeBody({ prompt_id: "2", deadline_seconds: 0.05 }));
    expect(second).toMatchObject({ status: 502, json: { error: "timeout after 0.05s" } });
    gated.open("1");
    expect(await first).toMatchObject({ status: 200 });
    expect(gated.asked).toEqual(["1"]);
  });

  it("beyond a hundred that wait are turned down at once", async () => {
    const gated = createGatedAnswer();
    let received = 0;
    const full = Promise.withResolvers<void>();
    await using agent = await startWebhook({
      answer: gated.answer,
      onEvent: (event) => {
        if (event.type === "received" && ++received === 101) full.resolve();
      },
    });
    const ids = Array.from({ length: 101 }, (_, n) => String(n + 1));
    const calls = ids.map((id) => send(agent.url, makeBody({ prompt_id: id })));
    await full.promise;
    const error = expect.stringContaining("100 prompts waiting");
    expect(await send(agent.url, makeBody({ prompt_id: "200" }))).toMatchObject({ status: 502, json: { error } });
    for (const id of ids) gated.open(id);
    expect((await Promise.all(calls)).every(({ status }) => status === 200)).toBe(true);
    expect(gated.counts.most).toBe(1);
  });

  it.each([0, -1, 1.5, Number.NaN])("%d at a time are refused", async (concurrency) => {
    await expect(startWebhook({ concurrency })).rejects.toThrow("whole number from 1 up");
  });
});

describe("stopping", () => {
  it("finishes what is in hand, takes nothing new, and says how it went", async () => {
    const gated = createGatedAnswer();
    await using agent = await startWebhook({ answer: gated.answer });
    const call = send(agent.url, makeBody());
    await agent.seen("received");
    agent.stop.abort();
    await agent.seen("stopping");
    await expect(send(agent.url, PING)).rejects.toThrow("ECONNREFUSED");
    gated.open("42");
    expect(await call).toMatchObject({ status: 200, headers: { connection: "close" } });
    expect(await agent.done).toEqual({ answered: 1, failed: 0 });
    expect(agent.events).toContainEqual({ type: "stopping", holding: ["push-42"] });
    expect(agent.events.at(-1)).toEqual({ type: "stopped", answered: 1, failed: 0 });
  });

  it("at once gives up what is in hand, and tells the arena", async () => {
    const answer = commandAnswer({ command: ["sh", "-c", "echo $$ >&2; sleep 60"], killGraceMs: 100 });
    await using agent = await startWebhook({ answer });
    const call = send(agent.url, makeBody());
    await agent.seen("log");
    agent.abort.abort();
    expect(await call).toMatchObject({ status: 502, json: { error: "the agent was stopped" } });
    expect(await agent.done).toEqual({ answered: 0, failed: 1 });
  });

  it("does not wait for connections without a whole request", async () => {
    await using agent = await startWebhook();
    const { port } = new URL(agent.url);
    const silent = connect(Number(port), "127.0.0.1");
    const half = connect(Number(port), "127.0.0.1");
    for (const socket of [silent, half]) socket.on("error", () => {});
    half.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n{`);
    await Promise.all([once(silent, "connect"), once(half, "connect")]);
    await send(agent.url, PING);
    agent.stop.abort();
    expect(await agent.done).toEqual({ answered: 0, failed: 0 });
  });

  it("that was asked for before the start ends it at once", async () => {
    await using agent = await startWebhook({ signal: AbortSignal.abort() });
    expect(await agent.done).toEqual({ answered: 0, failed: 0 });
  });
});

describe("the address", () => {
  it("that is taken is an error at the start", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    await expect(startWebhook({ port: (other.address() as AddressInfo).port })).rejects.toThrow("EADDRINUSE");
    other.close();
  });

  it("may be one of IPv6", async () => {
    await using agent = await startWebhook({ host: "::1" });
    expect(agent.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect(await send(agent.url, PING, signed(PING))).toMatchObject({ status: 200 });
  });
});
