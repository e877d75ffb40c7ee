import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { restPushes } from "../../src/tasks/push-claims.ts";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";

const NOW = Date.UTC(2030, 0, 1);

describeOnBoth("turns of push agents", (kind) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(() => emptyTables(database));

  it("are put off where there is nothing to send, and kept where a task was queued meanwhile", async () => {
    const { orm } = database.db;
    await orm.execute(`insert into accounts (username, created_at) values ('owner', now())`);
    await orm.execute(`insert into agents (account_id, name, transport, dialect, owner_handle, secret_sealed, secret_hash,
        created_at, next_push_at)
      select 1, 'pushed', 'push', 'tesserax', 'x', 's', 'h', now(), '2029-12-31' from generate_series(1, 2)`);
    await orm.execute(`insert into tasks (uuid, agent_id, kind, prompt_id, state, deadline_seconds, inserted_at)
      values (gen_random_uuid(), 2, 'main', 1, 'queued', 300, now())`);
    expect(await restPushes(database.db, NOW, 5, [1, 2])).toBe(1);
    const due = `select id from agents where next_push_at <= '2030-01-01T00:00:00Z' order by id`;
    expect(await database.db.run({ name: "due-turns", text: due }, [])).toEqual([{ id: 2 }]);
  });
});
