import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena } from "../support/test-arena.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase("pglite");
});
afterAll(() => database.close());

it.each([
  [0, [201, 429, 429, 429]],
  [1, [201, 201, 429, 201]],
])(
  "tells callers apart by X-Forwarded-For only behind %i proxies that it was told of",
  async (trustedProxies, statuses) => {
    await database.db.orm.execute("delete from limits");
    const arena = await createTestArena(database, { registrationsPerHour: 1, trustedProxies });
    const got = [];
    // The last one forged what stands before the address that the proxy itself added.
    for (const forwarded of ["198.51.100.1", "198.51.100.2", "198.51.100.2", "198.51.100.2, 198.51.100.3"]) {
      const headers = { "x-forwarded-for": forwarded };
      got.push((await arena.app.inject({ method: "POST", url: "/api/register", headers })).statusCode);
    }
    expect(got).toEqual(statuses);
    await arena.stop();
  },
);
