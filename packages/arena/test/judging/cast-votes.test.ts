import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { applyElo } from "../../src/ratings/elo.ts";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { ADMIN_KEY, createTestArena, type TestAgent, type TestArena } from "../support/test-arena.ts";
import {
  addAnswers,
  answerOf,
  mustShow,
  newAccount,
  postVote,
  rows,
  type Side,
  type TestJudge,
  vote,
  voteFor,
} from "./judge-calls.ts";

describeOnBoth("a vote", (kind) => {
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

  const standings = () =>
    rows<{ agent_id: number; elo: number; battles: number; wins: number; losses: number; ties: number }>(
      database,
      "select agent_id, elo, battles, wins, losses, ties, both_bad from standings where category = '' order by agent_id",
    );
  const log = () =>
    rows<Record<string, unknown>>(
      database,
      "select number::int, judge_kind, outcome, agent_a, agent_b, category, counted from votes order by number",
    );
  const sides = (a: Side, b: Side) => [a, b].sort((x, y) => x.agent.id - y.agent.id);

  async function asNewJudge(winner: string) {
    return voteFor(arena, await newAccount(arena), winner);
  }

  describe("that counts", () => {
    it("[TX-ELO-1] reveals this pair, and moves both from their ratings before it: 1516 and 1484", async () => {
      const [a, b] = (await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] })) as [TestAgent, TestAgent];
      await database.db.orm.execute(`update agents set model_claimed = 'model one' where id = ${a.id}`);
      const cast = await asNewJudge(answerOf(0, 1));
      expect(cast).toEqual({
        choice: expect.stringMatching(/^[ab]$/),
        counted: true,
        number: 1,
        a: expect.anything(),
        b: expect.anything(),
      });
      expect(sides(cast.a, cast.b)).toEqual([
        { agent: { id: a.id, name: "a" }, model_claimed: "model one", elo_before: 1500, elo_after: 1516 },
        { agent: { id: b.id, name: "b" }, model_claimed: null, elo_before: 1500, elo_after: 1484 },
      ]);
      expect(cast.choice).toBe(cast.a.agent.id === a.id ? "a" : "b");
      expect(await log()).toEqual([
        {
          number: 1,
          judge_kind: "account",
          outcome: "a",
          agent_a: a.id,
          agent_b: b.id,
          category: "taste",
          counted: true,
        },
      ]);
      expect(await rows(database, "select votes, decided_at is not null as decided from battles")).toEqual([
        { votes: 1, decided: true },
      ]);
      expect(await rows(database, "select votes from tasks")).toEqual([{ votes: 1 }, { votes: 1 }]);
    });

    it("takes back a little less than it gave when the other side wins next", async () => {
      await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
      await asNewJudge(answerOf(0, 1));
      const second = await asNewJudge(answerOf(1, 1));
      const elos = sides(second.a, second.b).map((side) => side.elo_after);
      expect(elos[0]).toBeCloseTo(1498.530498, 6);
      expect(elos[1]).toBeCloseTo(1501.469502, 6);
      expect(elos.reduce((sum, elo) => sum + elo, 0)).toBeCloseTo(3000, 9);
    });

    it.each(["tie", "both_bad"])(
      "[TX-ELO-1] is half a win for each at %s: 1600 and 1400 draw nearer by 8.31",
      async (choice) => {
        const agents = await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
        for (const [index, agent] of agents.entries()) {
          await database.db.orm.execute(
            `insert into standings values (${agent.id}, '', ${1600 - 200 * index}, 9, 5, 4, 0, 0)`,
          );
        }
        const judge = await newAccount(arena);
        const cast = await vote(arena, judge, (await mustShow(arena, judge)).battle_id, choice);
        const [a, b] = sides(cast.a, cast.b);
        expect([a?.elo_before, b?.elo_before]).toEqual([1600, 1400]);
        expect(a?.elo_after).toBeCloseTo(1591.688098, 6);
        expect(b?.elo_after).toBeCloseTo(1408.311902, 6);
        const column = choice === "tie" ? "ties" : "both_bad";
        expect((await standings()).map((each) => (each as Record<string, number>)[column])).toEqual([1, 1]);
      },
    );

    it("moves nothing at a tie of equals, and stays finite over both bad in a chain of three", async () => {
      await addAnswers(database, arena, { prompts: 1, names: ["a", "b", "c"] });
      const judge = await newAccount(arena);
      const cast = await vote(arena, judge, (await mustShow(arena, judge)).battle_id, "both_bad");
      expect([cast.a.elo_after, cast.b.elo_after]).toEqual([1500, 1500]);
      for (let turn = 0; turn < 4; turn += 1) {
        const other = await newAccount(arena);
        await vote(arena, other, (await mustShow(arena, other)).battle_id, turn % 2 === 0 ? "a" : "both_bad");
      }
      const board = await standings();
      expect(board.every((each) => Number.isFinite(each.elo))).toBe(true);
      expect(board.reduce((sum, each) => sum + each.elo, 0)).toBeCloseTo(4500, 9);
    });

    it("is given to the agent that stood on the chosen side of this showing, whatever the order of the pair", async () => {
      const agents = await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
      const onLeft = new Set<string>();
      for (let turn = 0; turn < 60 && onLeft.size < 2; turn += 1) {
        const judge = await newAccount(arena);
        const shown = await mustShow(arena, judge);
        const isNew = !onLeft.has(shown.a.response);
        onLeft.add(shown.a.response);
        const answer = await postVote(arena, judge, shown.battle_id, isNew ? "a" : "skip");
        if (!isNew) continue;
        const writer = shown.a.response === answerOf(0, 1) ? 0 : 1;
        expect(answer.json().a.agent.id).toBe(agents[writer]?.id);
      }
      expect((await log()).map((each) => each.outcome).sort()).toEqual(["a", "b"]);
      expect((await standings()).map(({ wins, losses }) => [wins, losses])).toEqual([
        [1, 1],
        [1, 1],
      ]);
    });
  });

  describe("that does not count", () => {
    it("is logged with its judge's kind when its judge is anonymous, and moves no rating", async () => {
      await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
      const visitor: TestJudge = { headers: {} };
      const cast = await voteFor(arena, visitor, answerOf(0, 1));
      expect(cast).toMatchObject({ counted: false, reason: "judge", number: 1 });
      expect(sides(cast.a, cast.b).map((side) => [side.elo_before, side.elo_after])).toEqual([
        [1500, 1500],
        [1500, 1500],
      ]);
      expect(await log()).toMatchObject([{ number: 1, judge_kind: "anonymous", outcome: "a", counted: false }]);
      expect(await standings()).toEqual([]);
      expect(await rows(database, "select votes, decided_at from battles")).toEqual([{ votes: 0, decided_at: null }]);
      expect(await rows(database, "select votes from tasks")).toEqual([{ votes: 0 }, { votes: 0 }]);
    });

    it("would, where the operator says that visitors' votes do", async () => {
      await arena.stop();
      arena = await createTestArena(database, { ratingJudges: "anonymous" });
      await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
      expect(await voteFor(arena, { headers: {} }, answerOf(0, 1))).toMatchObject({ counted: true });
      expect((await standings()).map((each) => each.elo)).toEqual([1516, 1484]);
      expect(await asNewJudge(answerOf(1, 1))).toMatchObject({ counted: false, reason: "judge" });
    });

    it("is one on an answer that names its agent", async () => {
      const [a] = await addAnswers(database, arena, { prompts: 1, names: ["River Solver", "b"] });
      await database.db.orm.execute("update tasks set judged_at = null, votable = false where id = 1");
      await database.db.orm.execute("update tasks set response = 'As river-solver I say: the Nile.' where id = 1");
      await arena.passes.judge();
      const cast = await asNewJudge("As river-solver I say: the Nile.");
      expect(cast).toMatchObject({ counted: false, reason: "names_itself" });
      expect([cast.a.agent.id, cast.b.agent.id]).toContain(a?.id);
      expect(await standings()).toEqual([]);
    });

    it("is one on an answer that was hidden, or a prompt that closed, while a judge had it before them", async () => {
      await addAnswers(database, arena, { prompts: 2, names: ["a", "b"] });
      const judge = await newAccount(arena);
      const [first, second] = [await mustShow(arena, judge), await mustShow(arena, judge)];
      const [answer] = await rows<{ id: number }>(
        database,
        `select id::int from tasks where response = '${first.b.response}'`,
      );
      const headers = { authorization: `Bearer ${ADMIN_KEY}` };
      await arena.app.inject({ method: "POST", url: `/api/admin/answers/${answer?.id}/hide`, headers });
      await database.db.orm.execute(`update prompts set closed_at = now() where prompt = '${second.prompt}'`);
      expect(await vote(arena, judge, first.battle_id, "a")).toMatchObject({ counted: false, reason: "hidden" });
      expect(await vote(arena, judge, second.battle_id, "a")).toMatchObject({
        counted: false,
        reason: "prompt_closed",
      });
      expect(await standings()).toEqual([]);
    });
  });

  it("gives ratings in the order of the log: three that beat each other in a ring end where a replay ends", async () => {
    const agents = await addAnswers(database, arena, { prompts: 1, names: ["a", "b", "c"] });
    const beats = new Map([
      ["01", 0],
      ["12", 1],
      ["02", 2],
    ]);
    for (let turn = 0; turn < 3; turn += 1) {
      const judge = await newAccount(arena);
      const shown = await mustShow(arena, judge);
      const writers = [shown.a, shown.b].map((side) => /writer (\d)/.exec(side.response)?.[1] as string);
      const winner = beats.get([...writers].sort().join(""));
      await vote(arena, judge, shown.battle_id, Number(writers[0]) === winner ? "a" : "b");
    }
    const elos = new Map(agents.map((agent) => [agent.id, 1500]));
    for (const { agent_a, agent_b, outcome } of (await log()) as never as {
      agent_a: number;
      agent_b: number;
      outcome: "a" | "b";
    }[]) {
      const [a, b] = applyElo(elos.get(agent_a) as number, elos.get(agent_b) as number, outcome);
      elos.set(agent_a, a).set(agent_b, b);
    }
    expect((await standings()).map((each) => each.elo)).toEqual(agents.map((agent) => elos.get(agent.id)));
  });
});
