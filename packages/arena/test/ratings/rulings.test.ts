import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { applyOutcome, type Outcome, START_ELO, type Standing } from "../../src/ratings/elo.ts";
import {
  addAnswers,
  answerOf,
  mustShow,
  newAccount,
  next,
  rows,
  type TestJudge,
  vote,
  voteFor,
} from "../judging/judge-calls.ts";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { ADMIN_KEY, addPrompts, createTestArena, registerAgent, type TestArena, work } from "../support/test-arena.ts";

describeOnBoth("a ruling", (kind) => {
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

  const admin = { authorization: `Bearer ${ADMIN_KEY}` };
  async function ask(kind: string, choice: object, apply = true) {
    const payload = { kind, choice, reason: "a test says so", apply };
    return arena.app.inject({ method: "POST", url: "/api/admin/rulings", headers: admin, payload });
  }
  async function decide(kind: string, choice: object, apply = true) {
    const answer = await ask(kind, choice, apply);
    if (answer.statusCode !== 200) throw new Error(answer.body);
    return answer.json();
  }

  interface LoggedVote {
    number: number;
    agent_a: number;
    agent_b: number;
    outcome: Outcome;
    category: string;
    counts: boolean;
    elo_a: number | null;
    elo_b: number | null;
  }
  const loadLog = () =>
    rows<LoggedVote>(
      database,
      `select number::int, agent_a, agent_b, outcome, category, elo_a, elo_b, counted and ruling_id is null as counts
       from votes order by number`,
    );
  const loadStandings = async () =>
    new Map(
      (
        await rows<{ agent_id: number; category: string } & Record<string, number>>(
          database,
          'select agent_id, category, elo, battles, wins, losses, ties, both_bad as "bothBad" from standings where battles > 0',
        )
      ).map(({ agent_id, category, ...standing }) => [`${agent_id} ${category}`, standing]),
    );

  /** The log as it stands gives every standing, every Elo in the log, and every count. */
  async function expectEverythingFollows() {
    const board = new Map<string, Standing>();
    const fresh = { elo: START_ELO, battles: 0, wins: 0, losses: 0, ties: 0, bothBad: 0 };
    for (const each of await loadLog()) {
      if (!each.counts) {
        expect([each.elo_a, each.elo_b]).toEqual([null, null]);
        continue;
      }
      for (const category of ["", each.category]) {
        const [keyA, keyB] = [`${each.agent_a} ${category}`, `${each.agent_b} ${category}`];
        const [a, b] = applyOutcome(board.get(keyA) ?? fresh, board.get(keyB) ?? fresh, each.outcome);
        board.set(keyA, a).set(keyB, b);
        if (category === "") expect([each.elo_a, each.elo_b]).toEqual([a.elo, b.elo]);
      }
    }
    expect(await loadStandings()).toEqual(board);
    const wrong = await rows(
      database,
      `select b.id from battles b where b.votes <> (
         select count(*) from votes v where v.battle_id = b.id and v.counted and v.ruling_id is null)
       union all
       select t.id from tasks t where t.votes <> (select coalesce(sum(b.votes), 0) from battles b
         where t.id in (b.answer_a, b.answer_b) and b.judged_by = 'people')
       union all
       select m.agent_a from meetings m where m.votes <> (select coalesce(sum(b.votes), 0) from battles b
         where b.judged_by = 'people' and least(b.agent_a, b.agent_b) = m.agent_a and greatest(b.agent_a, b.agent_b) = m.agent_b)`,
    );
    expect(wrong).toEqual([]);
  }

  /** Ten votes of five judges on three agents at six prompts in two categories. */
  async function playTenVotes(): Promise<TestJudge[]> {
    await addAnswers(database, arena, { prompts: 6, names: ["a", "b", "c"], categories: ["sums", "style"] });
    const judges: TestJudge[] = [];
    for (let index = 0; index < 5; index += 1) judges.push(index === 4 ? { headers: {} } : await newAccount(arena));
    for (let turn = 0; turn < 10; turn += 1) {
      const judge = judges[turn % 5] as TestJudge;
      const shown = await mustShow(arena, judge);
      await vote(arena, judge, shown.battle_id, ["a", "b", "a", "tie", "both_bad", "a"][turn % 6] as string);
    }
    return judges;
  }

  it("that voids votes makes the ratings those of the log without them, and keeps the votes", async () => {
    await playTenVotes();
    await expectEverythingFollows();
    const before = await loadLog();
    const done = await decide("void", { from: 3, to: 4 });
    expect(done).toMatchObject({ applied: true, ruling_id: 1, votes: 2, counted: 2, battles: 2, judged_again: 0 });
    await expectEverythingFollows();
    const after = await loadLog();
    expect(after.map(({ number, outcome }) => [number, outcome])).toEqual(
      before.map(({ number, outcome }) => [number, outcome]),
    );
    expect(after.filter((each) => !each.counts).map((each) => each.number)).toEqual([3, 4, 5, 10]);
    await arena.passes.rank();
    // And voting goes on from there.
    const judge = await newAccount(arena);
    await vote(arena, judge, (await mustShow(arena, judge)).battle_id, "b");
    await expectEverythingFollows();
  });

  it("says what would move before it moves anything, and moves just that", async () => {
    await playTenVotes();
    await arena.passes.rank();
    const before = [await loadLog(), await loadStandings()];
    const preview = await decide("void", { numbers: [1, 2, 3] }, false);
    expect(preview).toMatchObject({ applied: false, ruling_id: null, votes: 3, counted: 3 });
    expect([await loadLog(), await loadStandings()]).toEqual(before);
    expect(await rows(database, "select id from rulings")).toEqual([]);
    await decide("void", { numbers: [1, 2, 3] });
    await arena.passes.rank();
    const board = (await arena.app.inject("/api/leaderboard")).json().items as {
      agent: { id: number };
      elo: number;
      rating: number;
    }[];
    expect(preview.agents.length).toBeGreaterThan(1);
    for (const { agent, elo_before, elo_after, rating_before, rating_after } of preview.agents) {
      const item = board.find((each) => each.agent.id === agent.id);
      expect([item?.elo, item?.rating]).toEqual([elo_after, rating_after]);
      // Elo depends on the order of votes and the rating does not, so that one of them may stay where it was.
      expect([elo_before, rating_before]).not.toEqual([elo_after, rating_after]);
    }
  });

  it("can be lifted, after which everything is to the last digit as it was", async () => {
    await playTenVotes();
    const before = [await loadLog(), await loadStandings()];
    const { ruling_id } = await decide("void", { from: 2 });
    await decide("release", { ruling_id });
    expect([await loadLog(), await loadStandings()]).toEqual(before);
    await expectEverythingFollows();
    expect(await decide("void", { from: 1 })).toMatchObject({ votes: 10, counted: 8 });
    expect(await loadStandings()).toEqual(new Map());
  });

  it("is public with its reason, and so are the votes that it struck, in the log and in the export", async () => {
    await playTenVotes();
    await decide("void", { numbers: [2] });
    const { items, total } = (await arena.app.inject("/api/rulings")).json();
    expect(total).toBe(1);
    expect(items).toMatchObject([
      { id: 1, kind: "void", reason: "a test says so", decided_by: "operator", position: 10, votes: 1 },
    ]);
    const lines = (await arena.app.inject("/api/votes/export")).body
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => [line.number, line.counted, line.ruling]).slice(0, 3)).toEqual([
      [1, true, undefined],
      [2, false, 1],
      [3, true, undefined],
    ]);
  });

  it("of a banned judge's votes comes with the ban and goes with it", async () => {
    const [, second] = await playTenVotes();
    const before = await loadStandings();
    const account = (await arena.app.inject({ url: "/api/account", headers: second?.headers ?? {} })).json();
    const ban = (banned: boolean) =>
      arena.app.inject({
        method: "POST",
        url: `/api/admin/accounts/${account.id}/ban`,
        headers: admin,
        payload: { banned },
      });
    expect((await ban(true)).statusCode).toBe(200);
    expect((await ban(true)).statusCode).toBe(200);
    const struck = await rows<{ number: number }>(
      database,
      "select number::int from votes where ruling_id is not null order by number",
    );
    expect(struck.map((row) => row.number)).toEqual([2, 7]);
    await expectEverythingFollows();
    await ban(false);
    expect(await loadStandings()).toEqual(before);
    expect((await arena.app.inject("/api/rulings")).json().items.map((each: { kind: string }) => each.kind)).toEqual([
      "release",
      "quarantine",
    ]);
  });

  it("that puts a judge aside holds for votes to come, until it is lifted", async () => {
    const [judge] = await playTenVotes();
    const [{ judge_id } = { judge_id: "" }] = await rows<{ judge_id: string }>(
      database,
      "select judge_id from votes where number = 1",
    );
    const { ruling_id } = await decide("quarantine", { judge: { kind: "account", id: judge_id } });
    await expectEverythingFollows();
    const cast = () =>
      mustShow(arena, judge as TestJudge).then((shown) => vote(arena, judge as TestJudge, shown.battle_id, "a"));
    expect(await cast()).toMatchObject({ counted: false, reason: "judge" });
    await decide("release", { ruling_id });
    expect(await cast()).toMatchObject({ counted: true });
    await expectEverythingFollows();
  });

  it("is not needed to see which prompts are to blame: those whose answers are often both bad", async () => {
    await playTenVotes();
    const judge = await newAccount(arena);
    await vote(arena, judge, (await mustShow(arena, judge)).battle_id, "both_bad");
    const list = async () => (await arena.app.inject({ url: "/api/admin/prompt-quality", headers: admin })).json();
    const log = await rows<{ prompt_id: number }>(
      database,
      `select b.prompt_id from votes v join battles b on b.id = v.battle_id where v.outcome = 'both_bad' and v.counted`,
    );
    expect(log.length).toBeGreaterThan(0);
    const { items, total } = await list();
    expect(total).toBe(new Set(log.map((row) => row.prompt_id)).size);
    expect(items[0]).toMatchObject({ prompt_id: String(log[0]?.prompt_id), both_bad: 1 });
    expect(items[0].both_bad_share).toBe(1 / items[0].votes);
    await decide("void", { from: 1 });
    expect((await list()).items).toEqual([]);
  });

  it("that has battles judged again shows them to judges as new ones, which name the old", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    const judge = await newAccount(arena);
    await voteFor(arena, judge, answerOf(0, 1));
    const holder = await newAccount(arena);
    const held = await mustShow(arena, holder);
    expect(await decide("rejudge", { battle_ids: [1] })).toMatchObject({ votes: 1, battles: 1, judged_again: 1 });
    expect(await rows(database, "select id::int, rejudges::int, replaced, votes from battles order by id")).toEqual([
      { id: 1, rejudges: null, replaced: true, votes: 0 },
      { id: 2, rejudges: 1, replaced: false, votes: 0 },
    ]);
    await expectEverythingFollows();
    // Who had the old one before them is too late, and who has seen the answers does not see them again.
    const late = {
      method: "POST" as const,
      url: `/api/judge/${held.battle_id}/vote`,
      headers: holder.headers,
      payload: { choice: "a" },
    };
    expect((await arena.app.inject(late)).statusCode).toBe(410);
    expect(await next(arena, judge)).toBeUndefined();
    expect(await voteFor(arena, await newAccount(arena), answerOf(1, 1))).toMatchObject({ counted: true });
    expect(await rows(database, "select battle_id::int from votes where ruling_id is null")).toEqual([
      { battle_id: 2 },
    ]);
    await expectEverythingFollows();
    expect((await ask("release", { ruling_id: 1 })).json()).toMatchObject({ status: 409 });
    await database.db.orm.execute("update prompts set closed_at = now()");
    expect((await decide("rejudge", { battle_ids: [2] }, false)).judged_again).toBe(0);
    const battles = (await arena.app.inject("/api/battles")).json().items;
    expect(
      battles.map((each: { id: number; rejudges: number | null; ruling: { id: number } | null }) => [
        each.id,
        each.rejudges,
        each.ruling?.id,
      ]),
    ).toEqual([
      [2, 1, undefined],
      [1, null, 1],
    ]);
  });

  it("has a check decide again once the operator has mended it", async () => {
    await addPrompts(database, [{ prompt: "1 + 1", category: "sums", check: { kind: "number", value: 3 } }]);
    for (const [name, answer] of [
      ["wrong", "3"],
      ["right", "2"],
    ] as const)
      await work(arena, await registerAgent(arena, name), answer);
    await arena.passes.judge();
    expect((await loadLog()).map((each) => each.outcome)).toEqual(["a"]);
    await database.db.orm.execute(`update prompts set "check" = '{"kind":"number","value":2}'`);
    expect(await decide("rejudge", { prompt_id: 1 })).toMatchObject({ votes: 1, judged_again: 1 });
    expect((await loadLog()).map(({ outcome, counts }) => [outcome, counts])).toEqual([
      ["a", false],
      ["b", true],
    ]);
    expect(await rows(database, "select check_right from tasks order by id")).toEqual([
      { check_right: false },
      { check_right: true },
    ]);
    await expectEverythingFollows();
  });

  describe("is refused", () => {
    it.each([
      ["without votes to choose", { kind: "void", choice: {}, reason: "why not" }, 400, "choice"],
      ["without a reason", { kind: "void", choice: { from: 1 }, reason: " ", apply: true }, 400, "reason"],
      [
        "of a quarantine that names no judge",
        { kind: "quarantine", choice: { judge: { kind: "model" } }, reason: "why" },
        400,
        "choice.judge",
      ],
      [
        "of a release without a ruling",
        { kind: "release", choice: { from: 1 }, reason: "why" },
        400,
        "choice.ruling_id",
      ],
      ["with a choice that does not exist", { kind: "void", choice: { form: 1 }, reason: "why" }, 400, "choice"],
    ])("%s", async (_name, payload, status, field) => {
      const answer = await arena.app.inject({ method: "POST", url: "/api/admin/rulings", headers: admin, payload });
      expect(answer.json()).toMatchObject({
        status,
        errors: expect.arrayContaining([expect.objectContaining({ field })]),
      });
    });

    it("when the ruling to lift is not there, or is itself a release", async () => {
      expect((await ask("release", { ruling_id: 9 })).statusCode).toBe(404);
      await playTenVotes();
      await decide("void", { from: 9 });
      await decide("release", { ruling_id: 1 });
      expect((await ask("release", { ruling_id: 2 })).statusCode).toBe(409);
    });
  });

  it("and votes and rulings that come in one moment leave a log from which everything follows", async () => {
    await playTenVotes();
    const judges: TestJudge[] = [];
    for (let index = 0; index < 6; index += 1) judges.push(await newAccount(arena));
    const shown = await Promise.all(judges.map((judge) => mustShow(arena, judge)));
    await Promise.all([
      ...judges.map((judge, index) =>
        vote(arena, judge, shown[index]?.battle_id as string, index % 2 === 0 ? "a" : "b"),
      ),
      decide("void", { agent_id: 1 }),
      decide("void", { agent_id: 2 }),
      decide("void", { from: 5 }),
    ]);
    await expectEverythingFollows();
    expect(await rows(database, "select id from rulings")).toHaveLength(3);
  });
});
