import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena, poll, registerAgent, type TestArena } from "../support/test-arena.ts";

describeOnBoth("the health of a node", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    arena = await createTestArena(database);
  });
  afterEach(() => arena.stop());

  const ask = async (url: string) => {
    const { statusCode, body } = await arena.app.inject(url);
    return { statusCode, body };
  };

  it("is up and ready when the database is there and current", async () => {
    expect(await ask("/healthz")).toEqual({ statusCode: 200, body: '{"status":"up"}' });
    expect(await ask("/readyz")).toEqual({ statusCode: 200, body: '{"status":"ready"}' });
  });

  it("is up but not ready while a migration is pending or the database is out of reach", async () => {
    await database.db.orm.execute(sql`alter table agon_migrations rename to elsewhere`);
    expect(await ask("/readyz")).toEqual({ statusCode: 503, body: '{"status":"the database cannot be reached"}' });
    await database.db.orm.execute(
      sql`create table agon_migrations (created_at bigint primary key, hash text not null)`,
    );
    expect(await ask("/readyz")).toEqual({ statusCode: 503, body: '{"status":"migrations are pending"}' });
    expect((await ask("/healthz")).statusCode).toBe(200);
    await database.db.orm.execute(sql`drop table agon_migrations`);
    await database.db.orm.execute(sql`alter table elsewhere rename to agon_migrations`);
    expect((await ask("/readyz")).statusCode).toBe(200);
  });

  it("counts parked polls in its metrics, as text for Prometheus", async () => {
    const agent = await registerAgent(arena);
    const waiting = poll(arena, agent, "?wait=50");
    await expect.poll(async () => (await ask("/metrics")).body).toContain("\nagon_parked_polls 1\n");
    await arena.stop();
    expect((await waiting).statusCode).toBe(204);
    arena = await createTestArena(database);
    const metrics = await arena.app.inject("/metrics");
    expect(metrics.headers["content-type"]).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(metrics.body).toContain("# TYPE agon_parked_polls gauge\nagon_parked_polls 0\n");
    expect(metrics.body).toContain("process_cpu_seconds_total");
  });
});
