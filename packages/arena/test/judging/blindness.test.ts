import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena, type TestAgent, type TestArena } from "../support/test-arena.ts";
import { addAnswers, mustShow, newAccount, postVote, rows, type Shown, type TestJudge, vote } from "./judge-calls.ts";

const NAMES = ["Heron", "Kingfisher"];

describeOnBoth("before a vote", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  let agents: TestAgent[];
  let judge: TestJudge;
  let shown: Shown;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database);
    // High enough not to be found in texts and counts by accident.
    for (const table of ["agents", "accounts", "tasks", "battles", "prompts"]) {
      await database.db.orm.execute(`alter table ${table} alter column id restart with 7654321`);
    }
    agents = await addAnswers(database, arena, { prompts: 1, names: NAMES });
    await database.db.orm.execute(
      "update agents set model_claimed = 'model of ' || name, owner_handle = 'owner of ' || name",
    );
    await database.db.orm.execute("update tasks set latency_ms = 4242");
    judge = await newAccount(arena);
    shown = await mustShow(arena, judge);
  });
  afterEach(() => arena.stop());

  /** Whatever would tie one of the two answers, or this showing, to an agent. */
  async function linkable(): Promise<RegExp> {
    const ids = await rows<{ id: string }>(
      database,
      `select id::text from agents union select id::text from accounts union select id::text from tasks
       union select id::text from battles where judged_by = 'people'`,
    );
    const names = await rows<{ username: string }>(database, "select username from accounts");
    const all = [
      ...ids.map((row) => row.id),
      ...names.map((row) => row.username),
      ...NAMES,
      "4242",
      "owner of",
      "model of",
    ];
    return new RegExp(all.join("|"), "i");
  }

  it("the battle itself carries no id, name, model, time or count of either side", async () => {
    expect(JSON.stringify(shown)).not.toMatch(await linkable());
    expect(Object.keys(shown.a)).toEqual(["response"]);
    expect(Object.keys(shown.b)).toEqual(["response"]);
  });

  it("nothing public holds a text of an open prompt or an id of its answers, and no refusal does", async () => {
    const other = await newAccount(arena);
    const urls = [
      "/api/leaderboard",
      "/api/leaderboard?category=taste",
      "/api/battles",
      "/api/votes/export",
      "/api/users",
      ...agents.flatMap(({ id }) => [`/api/agents/${id}/activity`, `/api/agents/${id}/profile`]),
    ];
    const answerIds = await rows<{ id: string }>(
      database,
      "select id::text from tasks union select id::text from battles union select id::text from prompts",
    );
    const own = new RegExp(["writer", "Question", shown.battle_id, ...answerIds.map((row) => row.id)].join("|"));
    for (const url of urls) {
      const answer = await arena.app.inject(url);
      expect([url, answer.statusCode]).toEqual([url, 200]);
      // The two ids begin at one number, so that an agent's id would be mistaken for an answer's.
      const text = answer.body.replaceAll(/"(id|agent_id)":\d+|\/agents\/\d+/g, "");
      expect(text).not.toMatch(own);
    }
    const refusals = [
      await postVote(arena, judge, shown.battle_id, "c"),
      await postVote(arena, other, shown.battle_id, "a"),
      await postVote(arena, { headers: {} }, shown.battle_id, "a"),
      await arena.app.inject({ url: `/api/judge/${shown.battle_id}`, headers: judge.headers }),
      await arena.app.inject({ url: `/api/judge/${shown.battle_id}/vote`, headers: judge.headers }),
      await arena.app.inject({ url: `/api/battles/${shown.battle_id}`, headers: judge.headers }),
    ];
    const nameless = await linkable();
    for (const answer of refusals) {
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(answer.body).not.toMatch(nameless);
    }
  });

  it("a vote of somebody else on the same pair unveils it to them alone, and the log ties it to no answer", async () => {
    await vote(arena, judge, shown.battle_id, "a");
    const second = await newAccount(arena);
    const again = await mustShow(arena, second);
    expect(again.battle_id).not.toBe(shown.battle_id);
    expect(JSON.stringify(again)).not.toMatch(await linkable());
    const refused = await postVote(arena, second, shown.battle_id, "a");
    expect([refused.statusCode, refused.body]).toEqual([404, expect.not.stringMatching(await linkable())]);
    const [line] = (await arena.app.inject("/api/votes/export")).body.trim().split("\n");
    expect(Object.keys(JSON.parse(line as string))).toEqual([
      "number",
      "a",
      "b",
      "winner",
      "category",
      "judge",
      "counted",
      "at",
    ]);
    expect((await arena.app.inject("/api/battles")).json().items).toEqual([]);
  });

  it("and after a skip nothing is unveiled, not even that it would have counted", async () => {
    const answer = await postVote(arena, judge, shown.battle_id, "skip");
    expect(answer.body).toBe('{"choice":"skip","counted":false}');
  });

  it("a vote that was refused for its limit unveils nothing", async () => {
    await arena.stop();
    arena = await createTestArena(database, { votesPerHour: 1 });
    await database.db.orm.execute(
      `insert into limits values ('vote address 127.0.0.1', 1, '${new Date(arena.clock.now() + 60_000).toISOString()}')`,
    );
    const answer = await postVote(arena, judge, shown.battle_id, "a");
    expect([answer.statusCode, answer.body]).toEqual([429, expect.not.stringMatching(await linkable())]);
  });
});
