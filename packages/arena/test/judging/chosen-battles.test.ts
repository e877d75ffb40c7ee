import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { addAgent, createTestArena, type TestArena } from "../support/test-arena.ts";
import { addAnswers, answerNext, lookNext, mustShow, newAccount, next, rows, vote } from "./judge-calls.ts";

describeOnBoth("the battle that a judge is shown", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database, { votesPerHour: 0, pairVotesMax: 7 });
  });
  afterEach(() => arena.stop());

  const writersOf = (shown: { a: { response: string }; b: { response: string } }) =>
    [shown.a, shown.b]
      .map((side) => /writer (\d)/.exec(side.response)?.[1])
      .sort()
      .join("");
  const setMeetings = (votes: Record<string, number>, ids: number[]) =>
    database.db.orm.execute(
      `insert into meetings values ${Object.entries(votes)
        .map(([pair, many]) => `(${ids[Number(pair[0])]}, ${ids[Number(pair[1])]}, ${many}, ${many})`)
        .join(", ")} on conflict (agent_a, agent_b) do update set votes = excluded.votes`,
    );
  /** What many judges see first, none of whom votes. */
  async function firstShown(judges: number): Promise<string[]> {
    const seen = [];
    for (let index = 0; index < judges; index += 1) {
      const shown = await mustShow(arena, await newAccount(arena));
      seen.push(writersOf(shown));
      // Put away, so that the next judge may have it too.
      await database.db.orm.execute("delete from presentations");
    }
    return seen;
  }

  it("is one of the two agents that have met least, while any have hardly met", async () => {
    const ids = (await addAnswers(database, arena, { prompts: 6, names: ["a", "b", "c"] })).map((agent) => agent.id);
    await setMeetings({ "01": 4, "02": 1, "12": 6 }, ids);
    expect(new Set(await firstShown(6))).toEqual(new Set(["02"]));
    await setMeetings({ "02": 5 }, ids);
    expect(new Set(await firstShown(6))).toEqual(new Set(["01"]));
  });

  it("is, among agents that have met, one whose intervals overlap, before one that is decided", async () => {
    const ids = (await addAnswers(database, arena, { prompts: 6, names: ["a", "b", "c"] })).map((agent) => agent.id);
    await setMeetings({ "01": 6, "02": 5, "12": 5 }, ids);
    for (const [index, [low, high]] of [
      [1500, 1600],
      [1550, 1650],
      [1000, 1100],
    ].entries()) {
      await database.db.orm.execute(
        `insert into ranking_items values ('', ${ids[index]}, 1500, 1, ${low}, ${high}, 1, 3, 1)`,
      );
    }
    expect(new Set(await firstShown(6))).toEqual(new Set(["01"]));
    // Of another group: nothing says yet who is better.
    await database.db.orm.execute(`update ranking_items set component = 2 where agent_id = ${ids[2]}`);
    expect(new Set(await firstShown(6)).has("01")).toBe(false);
  });

  it("is none of two agents that have met as often as the operator lets any two", async () => {
    const ids = (await addAnswers(database, arena, { prompts: 6, names: ["a", "b", "c"] })).map((agent) => agent.id);
    await setMeetings({ "01": 7, "02": 7, "12": 6 }, ids);
    expect(new Set(await firstShown(6))).toEqual(new Set(["12"]));
    const judge = await newAccount(arena);
    await vote(arena, judge, (await mustShow(arena, judge)).battle_id, "a");
    expect(await next(arena, judge)).toBeUndefined();
  });

  it("is never one of two agents of one account, and one of its own for each of many who ask at once", async () => {
    const [first] = await addAnswers(database, arena, { prompts: 8, names: ["a", "b"] });
    const twin = await addAgent(arena, first?.apiKey as string, "twin");
    while (await answerNext(arena, twin, 2));
    while (await arena.passes.judge());
    const judges = [];
    for (let index = 0; index < 16; index += 1) judges.push(await newAccount(arena));
    const shown = (await Promise.all(judges.map((judge) => lookNext(arena, judge)))).map((answer) => answer.json());
    expect(shown.map((each) => writersOf(each)).filter((pair) => pair === "02")).toEqual([]);
    const battles = await rows<{ battle_id: number }>(
      database,
      "select battle_id from presentations where state = 'live'",
    );
    expect(new Set(battles.map((row) => row.battle_id)).size).toBe(16);
  });

  it("is counted, and how often is published", async () => {
    const [a, b] = (await addAnswers(database, arena, { prompts: 2, names: ["a", "b"] })).map((agent) => agent.id);
    const judge = await newAccount(arena);
    await vote(arena, judge, (await mustShow(arena, judge)).battle_id, "tie");
    const visitor = { headers: {} };
    await vote(arena, visitor, (await mustShow(arena, visitor)).battle_id, "a");
    await mustShow(arena, visitor);
    expect(await rows(database, "select * from meetings")).toEqual([{ agent_a: a, agent_b: b, shown: 3, votes: 1 }]);
    const sampling = (await arena.app.inject("/api/leaderboard/sampling")).json();
    expect(sampling).toMatchObject({ pair_votes_max: 7, pairs: 1, shown: 3, votes: 1, votes_least: 1, votes_most: 1 });
    expect(sampling.judges).toEqual([
      { kind: "account", votes: 1, counted: 1, share: 0.5, counts: true },
      { kind: "anonymous", votes: 1, counted: 0, share: 0.5, counts: false },
    ]);
    expect(sampling.agents.items).toEqual(
      [a, b].map((id, index) => ({ agent: { id, name: "ab"[index] }, opponents: 1, shown: 3, votes: 1, share: 1 })),
    );
  });
});
