import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { addAgent, createTestArena, START, type TestArena } from "../support/test-arena.ts";
import {
  addAnswers,
  answerNext,
  answerOf,
  lookNext,
  mustShow,
  newAccount,
  next,
  postVote,
  rows,
  type Shown,
  type TestJudge,
  vote,
} from "./judge-calls.ts";

describeOnBoth("the battle that a judge is shown", (kind) => {
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

  const responses = (shown: Shown | undefined) => [shown?.a.response, shown?.b.response].sort();
  const pairOf = (shown: Shown) => responses(shown).join(" / ");

  it("is a prompt with two answers and nothing else, under an id of its own", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    const shown = await mustShow(arena, await newAccount(arena));
    expect(shown).toEqual({
      battle_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      prompt: "Question 1?",
      category: "taste",
      a: { response: expect.any(String) },
      b: { response: expect.any(String) },
      expires_at: new Date(START + 600_000).toISOString(),
    });
    expect(responses(shown)).toEqual([answerOf(0, 1), answerOf(1, 1)]);
  });

  it("does not exist before two accounts have answered, and is 204 then, kept by no cache", async () => {
    const [first] = await addAnswers(database, arena, { prompts: 1, names: ["a"] });
    const sibling = await addAgent(arena, first?.apiKey as string, "sibling");
    await answerNext(arena, sibling, 1);
    await arena.passes.judge();
    const judge = await newAccount(arena);
    const answer = await lookNext(arena, judge);
    expect([answer.statusCode, answer.body, answer.headers["cache-control"]]).toEqual([204, "", "no-store"]);
    expect(await rows(database, "select id from tasks where votable")).toEqual([]);
    await addAnswers(database, arena, { prompts: 0, names: ["stranger"] });
    expect(await rows(database, "select id from tasks where votable")).toHaveLength(3);
    expect(pairOf(await mustShow(arena, judge))).toMatch(/writer 0 on 1/);
  });

  it("never holds two answers of one account, nor one of the judge's own agents", async () => {
    const [owner] = await addAnswers(database, arena, { prompts: 3, names: ["a", "b", "c"] });
    const apiKey = owner?.apiKey as string;
    const sibling = await addAgent(arena, apiKey, "sibling");
    while (await answerNext(arena, sibling, 3));
    await arena.passes.judge();
    const own: TestJudge = { headers: { authorization: `Bearer ${apiKey}` } };
    for (let turn = 1; turn <= 3; turn += 1) {
      const shown = await mustShow(arena, own);
      expect(pairOf(shown)).toMatch(/^writer 1 on (\d) \/ writer 2 on \1$/);
      await vote(arena, own, shown.battle_id, "tie");
    }
    expect(await next(arena, own)).toBeUndefined();
    for (let judges = 0; judges < 12; judges += 1) {
      const shown = await mustShow(arena, await newAccount(arena));
      expect(pairOf(shown)).not.toMatch(/writer 0 on . \/ writer 3 on ./);
    }
  });

  it("never holds an answer that the judge has seen, whether they voted, skipped, reported or let it expire", async () => {
    await addAnswers(database, arena, { prompts: 4, names: ["a", "b", "c"] });
    const judge = await newAccount(arena);
    const seen = new Set<string>();
    for (const deed of ["tie", "skip", "leave", "a"]) {
      const shown = await mustShow(arena, judge);
      for (const response of responses(shown)) {
        expect(seen).not.toContain(response);
        seen.add(response as string);
      }
      if (deed === "leave") arena.clock.advance(600);
      else expect((await postVote(arena, judge, shown.battle_id, deed)).statusCode).toBe(200);
    }
    expect(seen.size).toBe(8);
    // Of each prompt one answer is left, and all its partners have been seen.
    expect(await next(arena, judge)).toBeUndefined();
  });

  it("is the pair with the fewest counted votes, over all prompts", async () => {
    await addAnswers(database, arena, { prompts: 2, names: ["a", "b", "c"] });
    for (let round = 1; round <= 2; round += 1) {
      const pairs = [];
      for (let turn = 0; turn < 6; turn += 1) {
        const judge = await newAccount(arena);
        const shown = await mustShow(arena, judge);
        pairs.push(pairOf(shown));
        await vote(arena, judge, shown.battle_id, "tie");
      }
      expect(new Set(pairs).size).toBe(6);
      expect(await rows(database, `select votes, count(*)::int as battles from battles group by votes`)).toEqual([
        { votes: round, battles: 6 },
      ]);
    }
  });

  it("is not made less likely by showings and by votes that do not count", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    for (let turn = 0; turn < 3; turn += 1) {
      const visitor: TestJudge = { headers: {} };
      const shown = await mustShow(arena, visitor);
      await vote(arena, visitor, shown.battle_id, "a");
    }
    const battles = "select votes from battles where judged_by = 'people'";
    expect(await rows(database, battles)).toEqual([{ votes: 0 }]);
    await addAnswers(database, arena, { prompts: 0, names: ["c"] });
    for (let turn = 0; turn < 60 && (await rows(database, battles)).length < 3; turn += 1) {
      arena.clock.advance(600);
      await mustShow(arena, await newAccount(arena));
    }
    expect(await rows(database, battles)).toEqual([{ votes: 0 }, { votes: 0 }, { votes: 0 }]);
  });

  it("has its sides at random", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    const left = new Set<string>();
    for (let turn = 0; turn < 60 && left.size < 2; turn += 1) {
      arena.clock.advance(600);
      left.add((await mustShow(arena, await newAccount(arena))).a.response);
    }
    expect(left.size).toBe(2);
  });

  it("is before one judge at a time, and free for others after ten minutes and not before", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    const [first, second] = [await newAccount(arena), await newAccount(arena)];
    const shown = await mustShow(arena, first);
    expect(await next(arena, second)).toBeUndefined();
    arena.clock.advance(599.999);
    expect(await next(arena, second)).toBeUndefined();
    arena.clock.advance(0.001);
    const again = await mustShow(arena, second);
    expect(pairOf(again)).toBe(pairOf(shown));
    expect(again.battle_id).not.toBe(shown.battle_id);
    expect(await rows(database, "select id from battles")).toHaveLength(1);
    expect((await postVote(arena, first, shown.battle_id, "a")).statusCode).toBe(410);
  });

  it("is free at once for others when it is skipped", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    const [first, second] = [await newAccount(arena), await newAccount(arena)];
    const shown = await mustShow(arena, first);
    await postVote(arena, first, shown.battle_id, "skip");
    expect(pairOf(await mustShow(arena, second))).toBe(pairOf(shown));
  });

  it("is the oldest of two that a judge has open already, with the time that is left", async () => {
    await addAnswers(database, arena, { prompts: 5, names: ["a", "b"] });
    const judge = await newAccount(arena);
    const first = await mustShow(arena, judge);
    arena.clock.advance(60);
    const second = await mustShow(arena, judge);
    expect(second.battle_id).not.toBe(first.battle_id);
    arena.clock.advance(60);
    expect(await next(arena, judge)).toEqual(first);
    expect(await next(arena, judge)).toEqual(first);
    await vote(arena, judge, first.battle_id, "tie");
    const third = await mustShow(arena, judge);
    expect([first.battle_id, second.battle_id]).not.toContain(third.battle_id);
    expect(await next(arena, judge)).toEqual(second);
    arena.clock.advance(540);
    // The second is over, the third not yet: there is room for one more.
    const fourth = await mustShow(arena, judge);
    expect([first, second, third].map((shown) => shown.battle_id)).not.toContain(fourth.battle_id);
  });

  it("is a different one for each of many judges who ask in one moment", async () => {
    await addAnswers(database, arena, { prompts: 5, names: ["a", "b", "c"] });
    const judges = [];
    for (let index = 0; index < 20; index += 1) judges.push(await newAccount(arena));
    const shown = await Promise.all(judges.map((judge) => next(arena, judge)));
    const pairs = shown.filter((each) => each !== undefined).map(pairOf);
    expect(pairs).toHaveLength(15);
    expect(new Set(pairs).size).toBe(15);
  });

  it("stays the same two for one judge who asks ten times in one moment", async () => {
    await addAnswers(database, arena, { prompts: 5, names: ["a", "b"] });
    const judge = await newAccount(arena);
    const shown = await Promise.all(Array.from({ length: 10 }, () => mustShow(arena, judge)));
    expect(new Set(shown.map((each) => each.battle_id)).size).toBe(2);
    expect(await rows(database, "select id from presentations")).toHaveLength(2);
  });

  it("holds an answer that names itself only when there is nothing else", async () => {
    await addAnswers(database, arena, { prompts: 2, names: ["a", "b", "c"] });
    await database.db.orm.execute(`update tasks set names_itself = true where response = '${answerOf(0, 1)}'`);
    const judge = await newAccount(arena);
    const first = [await mustShow(arena, judge), await mustShow(arena, judge)];
    expect(first.map(pairOf).join()).not.toContain(answerOf(0, 1));
    await database.db.orm.execute(`update tasks set votable = response in ('${answerOf(0, 1)}', '${answerOf(1, 1)}')`);
    expect(pairOf(await mustShow(arena, await newAccount(arena)))).toContain(answerOf(0, 1));
  });

  it("is never of a gym prompt, a closed one, or a hidden answer", async () => {
    await addAnswers(database, arena, { prompts: 3, names: ["a", "b"] });
    await database.db.orm.execute("update prompts set opened_at = '2029-12-20' where id = 1");
    await arena.stop();
    arena = await createTestArena(database, { poolReserve: 0 });
    await arena.passes.close();
    const [hidden] = await rows<{ id: number }>(
      database,
      `select id::int from tasks where response = '${answerOf(1, 2)}'`,
    );
    const headers = { authorization: "Bearer admin_test_key_0123456789" };
    await arena.app.inject({ method: "POST", url: `/api/admin/answers/${hidden?.id}/hide`, headers });
    expect(pairOf(await mustShow(arena, await newAccount(arena)))).toBe("writer 0 on 3 / writer 1 on 3");
    expect(await next(arena, await newAccount(arena))).toBeUndefined();
  });
});
