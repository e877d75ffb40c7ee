import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readModelJson } from "../../src/runs/house/model-json.ts";
import { emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { roleOutput } from "../support/role-outputs.ts";
import { createTestArena, type TestArena } from "../support/test-arena.ts";
import { distinctFind, rows } from "./players.ts";
import { playHouse, startRun } from "./run-world.ts";

describe("the object in a model's answer", () => {
  const inner = { answer: "```python\nx=1\n```" };
  it.each([
    ["alone", JSON.stringify(inner), inner],
    ["in a fence", `\`\`\`json\n${JSON.stringify(inner)}\n\`\`\``, inner],
    ["in a fence behind prose", `Sure:\n\`\`\`json\n${JSON.stringify(inner)}\n\`\`\`\nDone.`, inner],
    ["before a stray tag", '{"answer":"a"}\n</output>', { answer: "a" }],
    ["as the last of two", '{"answer":"a"}{"answer":"b"}', { answer: "b" }],
    ["behind a brace that is none", 'Use {x} like so: {"answer":"}{"}', { answer: "}{" }],
    ["with quotes that bend inside", '{"answer":"She said “hello”"}', { answer: "She said “hello”" }],
    ["cut off", '{"answer":"a', undefined],
    ["in an array", '[{"answer":"a"}]', { answer: "a" }],
    ["absent", "I cannot do that.", undefined],
    ["null", "null", undefined],
  ])("%s", (_title, text, wanted) => {
    expect(readModelJson(text)).toEqual(wanted);
  });
});

describe("the house with a model", () => {
  let database: TestDatabase;
  let arena: TestArena;
  let server: Server;
  let asked: { model: string; messages: { role: string; content: string }[] }[];
  let key: string | undefined;
  /** What the endpoint says to the n-th question; undefined is a 500. */
  let say: (question: (typeof asked)[number], count: number) => string | undefined;

  beforeAll(async () => {
    database = await openTestDatabase("pglite");
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const question = JSON.parse(Buffer.concat(chunks).toString());
      asked.push(question);
      key = request.headers.authorization;
      const content = say(question, asked.length);
      response.writeHead(content === undefined ? 500 : 200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          model: "stub-large-7",
          choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
          usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
        }),
      );
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  beforeEach(async () => {
    await emptyTables(database);
    asked = [];
    const { port } = server.address() as AddressInfo;
    const houseBaseUrl = `http://127.0.0.1:${port}/v1`;
    arena = await createTestArena(database, { houseBaseUrl, houseModel: "stub", houseApiKey: "hk_1" });
  });
  afterEach(() => arena.stop());
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await database.close();
  });

  const phaseOf = (content: string) =>
    /candidate_title/.test(content)
      ? "SCOUT"
      : /first_milestone/.test(content)
        ? "BUILD"
        : /red_flags: array/.test(content)
          ? "VERIFY"
          : "CRITIQUE";
  /** A right answer but for the id, which it makes up. */
  function answer({ messages }: (typeof asked)[number]): string {
    const phase = phaseOf(messages[0]?.content ?? "");
    const seed = asked.length;
    return JSON.stringify({ ...roleOutput(phase, "made-up-id"), ...(phase === "SCOUT" ? distinctFind(seed) : {}) });
  }

  it("asks it with the messages as they are, puts the dispatched id right, and keeps its own count of tokens", async () => {
    say = (question) => `Here you are:\n\`\`\`json\n${answer(question)}\n\`\`\``;
    const run = await playHouse(arena, await startRun(arena, { scouts: 1 }));
    expect(run.status).toBe("COMPLETED");
    expect(asked.map((each) => each.messages.map(({ role }) => role).join())).toEqual(Array(4).fill("system,user"));
    expect(key).toBe("Bearer hk_1");
    const slots = run.phases.flatMap((each) => each.slots);
    expect(slots.map((slot) => [slot.agent?.name, slot.model_id, slot.prompt_tokens, slot.completion_tokens])).toEqual(
      Array(4).fill(["House model", "stub-large-7", 100, 10]),
    );
    const sent = await rows<{ payload: string }>(database.db, "select payload from task_payloads order by task_id");
    expect(asked.map((each) => each.messages)).toEqual(sent.map((each) => JSON.parse(each.payload).messages));
  });

  it("asks once more with the complaint, and charges both answers", async () => {
    say = (question, count) => (count === 1 ? '{"candidate_title":"x"}' : answer(question));
    const run = await playHouse(arena, await startRun(arena, { scouts: 1 }));
    expect(run.status).toBe("COMPLETED");
    expect(asked[1]?.messages.at(-1)?.content).toContain("That answer was refused: target_customer");
    expect(run.phases[0]?.slots[0]).toMatchObject({
      state: "done",
      tries: 0,
      prompt_tokens: 200,
      completion_tokens: 20,
    });
  });

  it.each([
    ["the endpoint fails", undefined, "error"],
    ["it never gets the shape right", "{}", "invalid"],
  ])("goes on with templates when %s", async (_title, said, cause) => {
    say = () => said;
    const run = await playHouse(arena, await startRun(arena, { scouts: 1 }));
    expect(run.status).toBe("COMPLETED");
    expect(run.phases[0]?.slots[0]).toMatchObject({ state: "done", tries: 1, agent: { name: "House templates" } });
    const failed = await rows<{ cause: string; error: string }>(
      database.db,
      "select cause, error from tasks where cause is not null",
    );
    expect(failed.map((each) => each.cause)).toEqual(Array(4).fill(cause));
    expect(failed.map((each) => each.error).join()).not.toContain("hk_1");
  });

  it("is no entry of the leaderboard, and stops when it is switched off", async () => {
    say = answer;
    await playHouse(arena, await startRun(arena, { scouts: 1 }));
    expect((await arena.app.inject({ url: "/api/leaderboard" })).json().items).toEqual([]);
    await arena.stop();
    arena = await createTestArena(database, { houseAgents: false, passSeconds: 60 }, arena.clock);
    await arena.start();
    const id = await startRun(arena, { scouts: 1 });
    await arena.passes.runs();
    expect(await rows(database.db, `select state from slots where run_id = '${id}'`)).toEqual([{ state: "waiting" }]);
  });
});
