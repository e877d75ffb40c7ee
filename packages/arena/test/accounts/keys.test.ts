import { problemSchema } from "@agon/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena, START, type TestArena } from "../support/test-arena.ts";

describeOnBoth("the keys of an account", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  let first: string;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database);
    first = (await arena.app.inject({ method: "POST", url: "/api/register" })).json().api_key;
  });
  afterEach(() => arena.stop());

  const call = (method: "GET" | "POST" | "DELETE", path: string, key: string) =>
    arena.app.inject({ method, url: `/api/account${path}`, headers: { authorization: `Bearer ${key}` } });
  const add = async (key = first) => (await call("POST", "/keys", key)).json() as { id: number; api_key: string };
  const opens = async (key: string) => (await call("GET", "", key)).statusCode === 200;

  it("are more than one where the owner wants it, each opening the same account", async () => {
    const made = await call("POST", "/keys", first);
    expect(made.statusCode).toBe(201);
    const { id, api_key } = made.json();
    expect([Number.isInteger(id), api_key === first]).toEqual([true, false]);
    expect((await call("GET", "", api_key)).json()).toEqual((await call("GET", "", first)).json());
  });

  it("are listed by number and age, and never shown", async () => {
    arena.clock.advance(60);
    const second = await add();
    const list = await call("GET", "/keys", second.api_key);
    expect(list.json()).toEqual({
      total: 2,
      limit: 100,
      offset: 0,
      has_more: false,
      items: [
        { id: expect.any(Number), created_at: new Date(START).toISOString() },
        { id: second.id, created_at: new Date(START + 60_000).toISOString() },
      ],
    });
    expect(list.body).not.toContain("agon_");
  });

  it("stop working at once when they are removed, also the one that removes itself", async () => {
    const second = await add();
    const [firstId] = (await call("GET", "/keys", first)).json().items.map((each: { id: number }) => each.id);
    const removed = await call("DELETE", `/keys/${firstId}`, first);
    expect([removed.statusCode, removed.body]).toEqual([204, ""]);
    expect([await opens(first), await opens(second.api_key)]).toEqual([false, true]);
  });

  it("are never all removed: the last one stays", async () => {
    const [only] = (await call("GET", "/keys", first)).json().items;
    const refused = await call("DELETE", `/keys/${only.id}`, first);
    expect(problemSchema.parse(refused.json())).toMatchObject({ status: 409, code: "conflict" });
    expect(await opens(first)).toBe(true);
  });

  it("are unknown to other accounts", async () => {
    const second = await add();
    const stranger = (await arena.app.inject({ method: "POST", url: "/api/register" })).json().api_key;
    await add(stranger);
    const refused = await call("DELETE", `/keys/${second.id}`, stranger);
    expect(problemSchema.parse(refused.json())).toMatchObject({ status: 404, code: "not_found" });
    expect(await opens(second.api_key)).toBe(true);
    expect((await call("DELETE", "/keys/2147483647", first)).statusCode).toBe(404);
  });

  it("leave one when the last two are removed at the same moment", async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = (await arena.app.inject({ method: "POST", url: "/api/register" })).json().api_key;
      const keys = [key, (await add(key)).api_key];
      const ids: number[] = (await call("GET", "/keys", key)).json().items.map((each: { id: number }) => each.id);
      const done = await Promise.all(ids.map((id, index) => call("DELETE", `/keys/${id}`, keys[1 - index] as string)));
      // The other is refused as the last one, or because the key that it calls with is gone already.
      expect(done.map(({ statusCode }) => statusCode).sort()).toEqual([204, expect.toBeOneOf([401, 409])]);
      expect((await Promise.all(keys.map(opens))).filter(Boolean)).toHaveLength(1);
    }
  });
});
