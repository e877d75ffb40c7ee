import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { claimPushes, restPushes } from "../../src/tasks/push-claims.ts";
import { claimRunTasks } from "../../src/tasks/run-claims.ts";
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

  /** Agents of an owner, all due or active, the first so many at work already; each with a task that waits. */
  async function addWaiting(count: number, atWork: number, columns: Record<string, string>): Promise<void> {
    const { orm } = database.db;
    const [names, values] = [Object.keys(columns).join(", "), Object.values(columns).join(", ")];
    const isRun = columns.dialect === "'edgearena-v1'";
    await orm.execute(`insert into accounts (username, created_at) values ('owner', now())`);
    await orm.execute(`insert into prompts (kind, prompt, category, created_at) values ('main', 'Why?', 'x', now())`);
    await orm.execute(`insert into agents (account_id, name, transport, owner_handle, secret_sealed, secret_hash, created_at,
        url, ${names})
      select 1, 'pushed', 'push', 'x', 's', 'h', now(), 'https://a.test/', ${values} from generate_series(1, ${count}) n`);
    await orm.execute(`insert into tasks (uuid, agent_id, kind, prompt_id, state, deadline_seconds, inserted_at, started_at)
      select gen_random_uuid(), n, '${isRun ? "scout" : "main"}', ${isRun ? "null" : "1"}, state, 300, now(),
        case state when 'running' then now() end
      from generate_series(1, ${count}) n, (values ('running'), ('queued')) as s(state) where state = 'queued' or n <= ${atWork}`);
    await orm.execute(`insert into task_payloads (task_id, payload) select id, '{}' from tasks`);
  }

  it("pass by agents that are at work, however many they are", async () => {
    await addWaiting(5, 4, {
      dialect: "'tesserax'",
      next_push_at: "'2029-12-31'::timestamptz + make_interval(secs => n)",
    });
    const { work } = await claimPushes(database.db, NOW, { limit: 2, gapSeconds: 30 });
    expect(work.map((each) => each.agentId)).toEqual([5]);
  });

  it("pass by agents that had their tasks of the day, after one look in a minute", async () => {
    await addWaiting(4, 0, {
      dialect: "'tesserax'",
      next_push_at: "'2029-12-31'::timestamptz + make_interval(secs => n)",
      max_tasks_per_day: "case when n <= 3 then 1 end",
    });
    await database.db.orm.execute(`insert into tasks (uuid, agent_id, kind, prompt_id, state, deadline_seconds, inserted_at,
        started_at, finished_at)
      select gen_random_uuid(), n, 'main', 1, 'completed', 300, now(), '2029-12-31 23:00Z', now() from generate_series(1, 3) n`);
    const claim = async (now: number) =>
      (await claimPushes(database.db, now, { limit: 3, gapSeconds: 30 })).work.map((each) => each.agentId);
    expect(await claim(NOW)).toEqual([]);
    expect(await claim(NOW)).toEqual([4]);
    // And when the day is over, it is their turn again.
    expect(await claim(NOW + 24 * 3_600_000)).toEqual([1, 2, 3]);
  });

  it("of runs pass by agents without room, however many they are", async () => {
    await addWaiting(5, 4, { dialect: "'edgearena-v1'", status: "'ACTIVE'", status_since: "now()" });
    const work = await claimRunTasks(database.db, NOW, 2);
    expect(work.map((each) => each.agentId)).toEqual([5]);
  });
});
