import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { prompts } from "../../src/db/schema.ts";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import {
  ADMIN_KEY,
  addPrompts,
  createTestArena,
  poll,
  registerAgent,
  type TestArena,
  work,
} from "../support/test-arena.ts";

describeOnBoth("the operator's prompts", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database);
  });
  afterEach(() => arena.stop());

  async function call(method: "GET" | "POST" | "PATCH", path: string, payload?: string | object) {
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    const answer = await arena.app.inject({
      method,
      url: `/api/admin/${path}`,
      headers,
      ...(payload === undefined ? {} : { payload }),
    });
    return { status: answer.statusCode, body: answer.json() };
  }
  const stored = async () => (await database.db.orm.select().from(prompts).orderBy(prompts.id)).length;

  const FILE = [
    '{"external_id": "a", "prompt": "1 + 1?", "category": "sums", "check": {"kind": "number", "value": 2}}',
    '{"external_id": "b", "prompt": "2 + 2?", "category": "sums"}',
    "",
    '{"external_id": "b", "prompt": "2 + 2, again?", "category": "sums"}',
    '{"prompt": "Sing.", "category": "art"}',
    '{"prompt": "Sing.", "category": "art"}',
  ].join("\n");

  it("are looked through before they are added: new, known, twice, by category; and nothing is stored", async () => {
    await addPrompts(database, [
      { external_id: "a", prompt: "1 + 1?", category: "sums" },
      { prompt: "Dance.", category: "art" },
    ]);
    const { body } = await call("POST", "prompts?preview=true", `${FILE}\n{"prompt": "Dance.", "category": "art"}`);
    expect(body).toEqual({
      received: 6,
      added: 4,
      skipped: 2,
      broken: 0,
      faults: [],
      repeated: 2,
      categories: [
        { category: "art", prompts: 3, checked: 0 },
        { category: "sums", prompts: 1, checked: 0 },
      ],
    });
    expect(await stored()).toBe(2);
    const { body: done } = await call("POST", "prompts", FILE);
    expect(done).toMatchObject({
      received: 5,
      added: 3,
      skipped: 2,
      ids: [expect.any(Number), expect.any(Number), expect.any(Number)],
    });
    expect(await stored()).toBe(5);
  });

  it("are refused as a whole for one broken line, and the preview names each with its reason", async () => {
    const broken = [
      "{",
      '{"prompt": " ", "category": "x"}',
      '{"prompt": "ok", "category": "x"}',
      '{"prompt": "no category"}',
    ];
    const check = '{"prompt": "p", "category": "x", "check": {"kind": "regex", "pattern": "("}}';
    const { body } = await call("POST", "prompts?preview=true", [...broken, check].join("\n"));
    expect(body).toMatchObject({ received: 5, added: 1, broken: 4 });
    expect(body.faults).toEqual([
      { place: "line 1", detail: expect.stringMatching(/^is not JSON/) },
      { place: "line 2", detail: "prompt must not be blank" },
      { place: "line 4", detail: "category must be a text" },
      { place: "line 5", detail: expect.stringMatching(/^check\.pattern/) },
    ]);
    expect((await call("POST", "prompts", broken.join("\n"))).status).toBe(400);
    const array = await call("POST", "prompts?preview=true", '[{"prompt": "a", "category": "x"}, 7, {"prompt": 1}]');
    expect(array.body.faults.map((fault: { place: string }) => fault.place)).toEqual(["item 2", "item 3"]);
    expect((await call("POST", "prompts?preview=true", "[{]")).body.faults).toMatchObject([{ place: "the array" }]);
    const latin = Buffer.from('{"prompt": "Stra\u00dfe?", "category": "x"}', "latin1");
    expect((await call("POST", "prompts?preview=true", latin)).body).toMatchObject({
      status: 400,
      detail: expect.stringContaining("UTF-8"),
    });
    const many = Array.from({ length: 150 }, () => "not JSON").join("\n");
    const { body: first } = await call("POST", "prompts?preview=true", many);
    expect([first.broken, first.faults.length]).toEqual([150, 100]);
    expect(await stored()).toBe(0);
  });

  it("that were added by mistake are retired together, and come back together", async () => {
    const { ids } = (await call("POST", "prompts", FILE)).body;
    const agent = await registerAgent(arena);
    expect((await call("POST", "prompts/retire", { ids, retired: true })).body).toEqual({ changed: ids.length });
    expect((await poll(arena, agent)).statusCode).toBe(204);
    expect((await call("GET", "prompts?state=retired")).body.total).toBe(ids.length);
    await call("POST", "prompts/retire", { ids, retired: false });
    expect((await poll(arena, agent)).statusCode).toBe(200);
  });

  it("are found by text, external id, id, state and category, and counted by category", async () => {
    await call("POST", "prompts", FILE);
    await addPrompts(database, 0, 1);
    const total = async (query: string) => (await call("GET", `prompts?${query}`)).body.total;
    expect(await total("search=SING")).toBe(2);
    expect(await total("search=%25")).toBe(0);
    expect(await total("search=b")).toBe(1);
    expect(await total("search=2")).toBe(1);
    expect(await total("category=sums&state=fresh")).toBe(2);
    expect(await total("state=gym")).toBe(1);
    expect((await call("GET", "prompt-pools")).body.items).toEqual([
      { kind: "main", category: "art", fresh: 2, open: 0, closed: 0, retired: 0, checked: 0 },
      { kind: "main", category: "sums", fresh: 2, open: 0, closed: 0, retired: 0, checked: 1 },
      { kind: "gym", category: "gym", fresh: 1, open: 0, closed: 0, retired: 0, checked: 0 },
    ]);
  });

  it("are changed while nobody has them; then their text stays, and their check can still be mended", async () => {
    await addPrompts(database, [{ prompt: "1 + 1?", category: "sums" }]);
    const change = (payload: object) => call("PATCH", "prompts/1", payload);
    expect((await change({ prompt: "2 + 2?", reference: "4", deadline_seconds: 60 })).body).toMatchObject({
      prompt: "2 + 2?",
      reference: "4",
      deadline_seconds: 60,
      state: "fresh",
    });
    expect((await change({ prompt: " " })).body).toMatchObject({ status: 400, errors: [{ field: "prompt" }] });
    expect((await change({ deadline_seconds: "soon" })).body).toMatchObject({
      errors: [{ field: "deadline_seconds" }],
    });
    expect((await change({ deadline_seconds: 3 })).body).toMatchObject({ errors: [{ field: "deadline_seconds" }] });
    const agent = await registerAgent(arena);
    const shown = (await poll(arena, agent)).json();
    expect(shown.prompt).toBe("2 + 2?");
    // In work, though not answered yet.
    expect((await change({ prompt: "3 + 3?" })).body).toMatchObject({ status: 409, code: "conflict" });
    await work(arena, agent, "It is 4.");
    while (await arena.passes.judge());
    expect((await change({ category: "art" })).status).toBe(409);
    const check = { kind: "number", value: 4 };
    expect((await change({ check, reference: null })).body).toMatchObject({ check, reference: null, state: "open" });
    expect((await change({ check: { kind: "number" } })).body).toMatchObject({
      status: 400,
      errors: [{ field: "check" }],
    });
    expect((await call("GET", "prompts/1/answers")).body.items).toMatchObject([
      { response: "It is 4.", hidden: false },
    ]);
    expect((await call("GET", "prompts/99")).status).toBe(404);
  });

  it("have external ids of their own", async () => {
    await addPrompts(database, [
      { external_id: "a", prompt: "1", category: "x" },
      { external_id: "b", prompt: "2", category: "x" },
    ]);
    const { body } = await call("PATCH", "prompts/2", { external_id: "a" });
    expect(body).toMatchObject({ status: 409, errors: [{ field: "external_id" }] });
  });

  it("have checks that say of any answer what they found, and what is wrong with themselves", async () => {
    const { body } = await call("POST", "checks/try", {
      check: { kind: "number", value: 42 },
      answers: ["It is 42.", "It is 41.", "I do not know."],
    });
    expect(body.results.map((each: { right: boolean }) => each.right)).toEqual([true, false, false]);
    expect(body.results.every((each: { detail: string }) => each.detail.length > 3)).toBe(true);
    const refused = await call("POST", "checks/try", { check: { kind: "regex", pattern: "(" }, answers: ["x"] });
    expect(refused.body).toMatchObject({ status: 400, errors: [{ field: "check" }] });
  });
});
