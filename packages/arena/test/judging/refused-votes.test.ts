import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena, type TestArena } from "../support/test-arena.ts";
import { addAnswers, mustShow, newAccount, next, postVote, rows, type TestJudge, vote } from "./judge-calls.ts";

describeOnBoth("a vote that is refused", (kind) => {
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

  const log = () => rows(database, "select number from votes");
  const standings = () => rows<{ battles: number }>(database, "select battles from standings where category = ''");

  it("is 404 for a battle that was not shown to this judge, and says nothing else", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    const [holder, other] = [await newAccount(arena), await newAccount(arena)];
    const shown = await mustShow(arena, holder);
    const visitor: TestJudge = { headers: {} };
    await next(arena, visitor);
    const unknown = "4c1c2b9e-7d53-4a53-9e0e-3c5d8f1f7a10";
    const answers = [
      await postVote(arena, other, shown.battle_id, "a"),
      await postVote(arena, visitor, shown.battle_id, "a"),
      await postVote(arena, { headers: {} }, shown.battle_id, "a"),
      await postVote(arena, holder, unknown, "a"),
      await postVote(arena, holder, "1", "a"),
      await postVote(arena, holder, "%F0%9F%92%A9", "skip"),
      await postVote(arena, holder, `${shown.battle_id}x`, "a"),
    ];
    const { request_id: _, ...expected } = (answers[0] as (typeof answers)[0]).json();
    for (const answer of answers) expect([answer.statusCode, answer.json()]).toMatchObject([404, expected]);
    await vote(arena, holder, shown.battle_id, "a");
    expect((await postVote(arena, other, shown.battle_id, "a")).statusCode).toBe(404);
    expect(await log()).toHaveLength(1);
  });

  it("is 410 when its time was over as it arrived, and 409 when the judge has voted or skipped", async () => {
    await addAnswers(database, arena, { prompts: 3, names: ["a", "b"] });
    const judge = await newAccount(arena);
    const late = await mustShow(arena, judge);
    arena.clock.advance(600);
    expect((await postVote(arena, judge, late.battle_id, "a")).json()).toMatchObject({ status: 410, code: "gone" });
    expect((await postVote(arena, judge, late.battle_id, "skip")).statusCode).toBe(410);
    const [voted, skipped] = [await mustShow(arena, judge), await mustShow(arena, judge)];
    expect((await postVote(arena, judge, late.battle_id, "a")).statusCode).toBe(410);
    arena.clock.advance(599.999);
    await vote(arena, judge, voted.battle_id, "tie");
    await postVote(arena, judge, skipped.battle_id, "skip");
    arena.clock.advance(600);
    for (const { battle_id } of [voted, skipped]) {
      for (const choice of ["a", "skip"]) {
        const again = await postVote(arena, judge, battle_id, choice);
        expect(again.json()).toMatchObject({ status: 409, code: "already_voted" });
        expect(again.body).not.toMatch(/agent|elo/i);
      }
    }
    expect(await log()).toHaveLength(1);
  });

  it.each(["agent-x", "A", "a ", "", "win", null, 1, true, {}, ["a"], undefined])(
    "is 400 with the field's name for the choice %j, and changes nothing",
    async (choice) => {
      await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
      const judge = await newAccount(arena);
      const shown = await mustShow(arena, judge);
      const answer = await postVote(arena, judge, shown.battle_id, choice);
      expect(answer.json()).toMatchObject({ status: 400, errors: [{ field: "choice" }] });
      expect(await log()).toEqual([]);
      expect(await standings()).toEqual([]);
      expect(await vote(arena, judge, shown.battle_id, "b")).toMatchObject({ counted: true });
    },
  );

  it("is all but one of ten that one judge sends in one moment", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    const judge = await newAccount(arena);
    const shown = await mustShow(arena, judge);
    const answers = await Promise.all(Array.from({ length: 10 }, () => postVote(arena, judge, shown.battle_id, "a")));
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect(await log()).toHaveLength(1);
    expect((await standings()).map((each) => each.battles)).toEqual([1, 1]);
  });

  it("is a skip: no vote, and nothing revealed", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    const judge = await newAccount(arena);
    const answer = await postVote(arena, judge, (await mustShow(arena, judge)).battle_id, "skip");
    expect([answer.statusCode, answer.json()]).toEqual([200, { choice: "skip", counted: false }]);
    expect(await log()).toEqual([]);
    expect(await next(arena, judge)).toBeUndefined();
  });
});
