import { usersPageSchema } from "@agon/protocol";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { accounts } from "../../src/db/schema.ts";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { addAgent, createTestArena, START, type TestArena } from "../support/test-arena.ts";

describeOnBoth("the list of users", (kind) => {
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

  async function addUsers(names: string[]) {
    const rows = names.map((username) => ({ username, createdAt: new Date(START) }));
    await database.db.orm.insert(accounts).values(rows);
  }
  const list = async (query: Record<string, string> = {}) => {
    const answer = await arena.app.inject({ url: "/api/users", query });
    expect([query, answer.statusCode]).toEqual([query, 200]);
    return usersPageSchema.parse(answer.json());
  };
  const names = async (query: Record<string, string>) => (await list(query)).items.map(({ username }) => username);

  it("holds fifty a page, oldest first, and says whether more follow", async () => {
    await addUsers(Array.from({ length: 120 }, (_, index) => `user-${index + 1}`));
    const pages = [await list(), await list({ page: "2" }), await list({ page: "3" }), await list({ page: "4" })];
    expect(
      pages.map(({ items: { length }, total, limit, offset, has_more }) => ({
        length,
        total,
        limit,
        offset,
        has_more,
      })),
    ).toEqual([
      { length: 50, total: 120, limit: 50, offset: 0, has_more: true },
      { length: 50, total: 120, limit: 50, offset: 50, has_more: true },
      { length: 20, total: 120, limit: 50, offset: 100, has_more: false },
      { length: 0, total: 120, limit: 50, offset: 150, has_more: false },
    ]);
    const seen = pages.flatMap(({ items }) => items.map(({ username }) => username));
    expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => `user-${index + 1}`));
  });

  it("says that no more follow when the last page is full", async () => {
    await addUsers(Array.from({ length: 50 }, (_, index) => `user-${index + 1}`));
    expect((await list()).has_more).toBe(false);
  });

  it("finds what holds the text, in any case, and takes the wildcards of SQL as they are", async () => {
    await addUsers(["ann", "Anna", "han_na", "han-na", "100%", "1000", "back\\slash", "o'brien"]);
    expect(await names({ q: "ANN" })).toEqual(["ann", "Anna"]);
    expect(await names({ q: "_" })).toEqual(["han_na"]);
    expect(await names({ q: "n_n" })).toEqual(["han_na"]);
    expect(await names({ q: "%" })).toEqual(["100%"]);
    expect(await names({ q: "0%" })).toEqual(["100%"]);
    expect(await names({ q: "\\" })).toEqual(["back\\slash"]);
    expect(await names({ q: "'" })).toEqual(["o'brien"]);
    expect(await names({ q: "nobody" })).toEqual([]);
    expect(await names({ q: "" })).toHaveLength(8);
  });

  it("shows what is public and leaves banned users out", async () => {
    const { api_key, user_id } = (await arena.app.inject({ method: "POST", url: "/api/register" })).json();
    const agent = await addAgent(arena, api_key, "the agent");
    await database.db.orm.execute(sql`update accounts set email = 'a@b.example', bio = 'Rivers.'`);
    expect((await list()).items).toEqual([
      { id: user_id, username: expect.any(String), display_name: null, bio: "Rivers.", agent_count: 1 },
    ]);
    const one = () => arena.app.inject(`/api/users/${user_id}`);
    expect((await one()).json()).toEqual({
      id: user_id,
      username: expect.any(String),
      display_name: null,
      bio: "Rivers.",
      agent_count: 1,
      agents: [{ id: agent.id, name: "the agent" }],
    });
    await database.db.orm.execute(sql`update accounts set banned_at = created_at`);
    expect(await list()).toMatchObject({ total: 0, items: [] });
    expect((await one()).statusCode).toBe(404);
  });
});
