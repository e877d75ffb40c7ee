import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { forwardToModel, openAiModel } from "../src/index.ts";
import {
  BUILD_OUTPUT,
  byFetch,
  ID,
  MESSAGES,
  makeDispatch,
  makeSimulation,
  SCOUT_OUTPUT,
  sign,
} from "./agent-calls.ts";
import { makeBody, SECRET, signed } from "./webhook-calls.ts";

type Answer = string | { status: number; error: string };
type Asked = { messages: { role: string; content: string }[]; response_format?: unknown; model: string };

/** A model endpoint that gives its answers one after the other, and the last one for ever. */
async function startModel(...answers: Answer[]) {
  const asked: Asked[] = [];
  const keys: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    asked.push(JSON.parse(Buffer.concat(chunks).toString()));
    keys.push(request.headers.authorization);
    const answer = answers[Math.min(asked.length, answers.length) - 1] as Answer;
    response.setHeader("content-type", "application/json");
    if (typeof answer !== "string") {
      response.writeHead(answer.status).end(JSON.stringify({ error: { message: answer.error } }));
      return;
    }
    response.end(
      JSON.stringify({
        id: "c",
        object: "chat.completion",
        model: `served-${asked.length}`,
        choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: answer } }],
        usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
      }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const options = {
    model: "m-7b",
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    retries: 0,
  };
  const agent = forwardToModel({ ...options, apiKey: "sk-test" });
  const reached = await byFetch(agent, { secret: SECRET });
  const dispatch = (fields: Record<string, unknown> = {}) => {
    const body = JSON.stringify(makeDispatch(fields));
    return reached.send("POST", body, sign(body));
  };
  return {
    asked,
    keys,
    reached,
    dispatch,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const GOOD = JSON.stringify(SCOUT_OUTPUT);
const { why_now: _, ...LACKING } = SCOUT_OUTPUT;

describe("an agent that forwards to a model", () => {
  it("[EA-DISP-9] [EA-DISP-10] hands messages over as they came and reports what the model reported", async () => {
    await using model = await startModel(`Sure!\n\`\`\`json\n${GOOD}\n\`\`\``);
    expect(await model.dispatch()).toMatchObject({
      status: 200,
      json: { output: SCOUT_OUTPUT, promptTokens: 100, completionTokens: 20, modelId: "served-1" },
    });
    expect(model.asked).toEqual([{ model: "m-7b", messages: MESSAGES, response_format: { type: "json_object" } }]);
    expect(model.keys).toEqual(["Bearer sk-test"]);
  });

  it("puts the dispatched candidate in, whatever the model made up", async () => {
    await using model = await startModel(JSON.stringify({ ...BUILD_OUTPUT, candidate_id: "cand-1" }));
    expect((await model.dispatch({ phase: "BUILD" })).json.output.candidate_id).toBe(ID);
    expect((await model.reached.send("POST", JSON.stringify(makeSimulation("BUILDER")))).json.candidate_id).toBe(ID);
  });

  it("tells the model once what is wrong, and charges both answers", async () => {
    await using model = await startModel(JSON.stringify(LACKING), GOOD);
    expect(await model.dispatch()).toMatchObject({
      status: 200,
      json: { output: SCOUT_OUTPUT, promptTokens: 200, completionTokens: 40, modelId: "served-2" },
    });
    expect(model.asked[1]?.messages.slice(0, 2)).toEqual(MESSAGES);
    expect(model.asked[1]?.messages[2]).toEqual({ role: "assistant", content: JSON.stringify(LACKING) });
    expect(model.asked[1]?.messages[3]?.content).toContain("why_now is missing; it has to be a non-empty string");
  });

  it("does not ask a third time, and says what the model wrote", async () => {
    await using model = await startModel("I would rather not.");
    expect(await model.dispatch()).toMatchObject({
      status: 502,
      json: { code: "invalid_output", validationError: expect.any(String), rawOutput: "I would rather not." },
    });
    expect(model.asked).toHaveLength(2);
  });

  it("asks no second time when there is no time for it", async () => {
    await using model = await startModel("{}", GOOD);
    const body = JSON.stringify(makeSimulation("SCOUT", { deadline_ms: 3_000 }));
    expect((await model.reached.send("POST", body)).status).toBe(502);
    expect(model.asked).toHaveLength(1);
  });

  it("does without JSON mode where there is none, and does not ask for it again", async () => {
    await using model = await startModel({ status: 400, error: "response_format is not supported" }, GOOD);
    expect((await model.dispatch()).status).toBe(200);
    expect((await model.dispatch()).status).toBe(200);
    expect(model.asked.map(({ response_format }) => response_format !== undefined)).toEqual([true, false, false]);
  });

  it("tells a model's fault from its own", async () => {
    await using model = await startModel({ status: 401, error: "bad key" });
    expect(await model.dispatch()).toMatchObject({
      status: 502,
      json: { code: "model_failed", error: expect.stringContaining("401") },
    });
    await using gone = await byFetch(forwardToModel({ model: "m", baseUrl: "http://127.0.0.1:9/v1", retries: 0 }));
    const body = JSON.stringify(makeDispatch());
    expect(await gone.send("POST", body, sign(body))).toMatchObject({
      status: 502,
      json: { code: "model_failed", error: expect.stringContaining("cannot be reached") },
    });
  });

  it("answers prompts verbatim, without what the model thought", async () => {
    await using model = await startModel("<think>hm</think>Io and Europa");
    const body = makeBody();
    expect((await model.reached.send("POST", body, signed(body))).json).toEqual({ response: "Io and Europa" });
    expect(model.asked[0]).toEqual({ model: "m-7b", messages: [{ role: "user", content: "Name two moons." }] });
  });
});

it("gives a model's answer up that does not come", async () => {
  const server = createServer(() => {}).listen(0, "127.0.0.1");
  await once(server, "listening");
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  await using agent = await byFetch(forwardToModel({ model: "m", baseUrl, retries: 0 }));
  const body = JSON.stringify(makeSimulation("SCOUT", { deadline_ms: 700 }));
  expect(await agent.send("POST", body)).toMatchObject({ status: 504, json: { code: "deadline" } });
  server.closeAllConnections();
  server.close();
});

describe("a model's endpoint that gives no plain answer at first", () => {
  const completion = JSON.stringify({
    ...{ id: "c", object: "chat.completion", model: "served" },
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: GOOD } }],
  });

  /** Answers by script, with what was asked of it. */
  async function startEndpoint(...replies: ((response: ServerResponse) => void)[]) {
    const asked: { path: string; body: string }[] = [];
    const sockets = new Set<unknown>();
    const server = createServer(async (request, response) => {
      sockets.add(request.socket);
      asked.push({ path: request.url ?? "", body: await text(request) });
      replies[Math.min(asked.length, replies.length) - 1]?.(response);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const ask = (retries: number) =>
      openAiModel({ model: "m", baseUrl, retries })({
        messages: [{ role: "user", content: "?" }],
        json: true,
        signal: AbortSignal.timeout(10_000),
      });
    return {
      asked,
      sockets,
      ask,
      baseUrl,
      async [Symbol.asyncDispose]() {
        server.closeAllConnections();
        server.close();
        await once(server, "close");
      },
    };
  }
  const good = (response: ServerResponse) => {
    response.setHeader("content-type", "application/json").end(completion);
  };
  const busy = (response: ServerResponse) => {
    response.writeHead(503, { "content-type": "application/json", "retry-after-ms": "1" });
    response.end('{"error":{"message":"busy"}}');
  };

  it("is asked again as often as was allowed, the first time included", async () => {
    await using endpoint = await startEndpoint(busy, busy, good);
    expect(await endpoint.ask(2)).toMatchObject({ text: GOOD, modelId: "served" });
    expect(endpoint.asked).toHaveLength(3);
    expect(new Set(endpoint.asked.map(({ body }) => body)).size).toBe(1);
    await using always = await startEndpoint(busy);
    await expect(always.ask(1)).rejects.toThrow("the model answered 503 busy");
    expect(always.asked).toHaveLength(2);
  });

  it("is asked again when it hung up", async () => {
    await using endpoint = await startEndpoint((response) => response.destroy(), good);
    expect(await endpoint.ask(1)).toMatchObject({ text: GOOD });
    expect(endpoint.asked).toHaveLength(2);
  });

  it("is followed where it moved, and read when it compresses unasked", async () => {
    const moved = (response: ServerResponse) => response.writeHead(307, { location: "/v2/chat/completions" }).end();
    await using endpoint = await startEndpoint(moved, moved, good);
    expect(await endpoint.ask(0)).toMatchObject({ text: GOOD });
    expect(endpoint.asked.at(-1)).toEqual({ path: "/v2/chat/completions", body: endpoint.asked[0]?.body });
    const zipped = (response: ServerResponse) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(gzipSync(completion));
    };
    await using compressing = await startEndpoint(zipped);
    expect(await compressing.ask(0)).toMatchObject({ text: GOOD });
  });

  it("is said to have given no text when it answered with a page", async () => {
    const page = (response: ServerResponse) => {
      response.setHeader("content-type", "text/html").end("<h1>Welcome</h1>");
    };
    await using endpoint = await startEndpoint(page);
    await expect(endpoint.ask(0)).rejects.toThrow("the model gave no text");
    expect(endpoint.asked).toHaveLength(1);
  });

  it("is asked over kept connections, question after question", async () => {
    await using endpoint = await startEndpoint(good);
    const model = openAiModel({ model: "m", baseUrl: endpoint.baseUrl });
    for (let n = 0; n < 8; n += 1) {
      await model({ messages: [{ role: "user", content: "?" }], signal: AbortSignal.timeout(10_000) });
    }
    expect(endpoint.asked).toHaveLength(8);
    // The next question may come while the last answer's connection is being given back.
    expect(endpoint.sockets.size).toBeLessThanOrEqual(2);
  });
});
