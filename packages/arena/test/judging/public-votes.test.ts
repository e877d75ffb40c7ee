import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { addPrompts, createTestArena, registerAgent, type TestArena, work } from "../support/test-arena.ts";
import { addAnswers, answerOf, mustShow, newAccount, rows, type TestJudge, vote, voteFor } from "./judge-calls.ts";

describeOnBoth("what everybody may see of votes", (kind) => {
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

  const close = (id: number) => database.db.orm.execute(`update prompts set closed_at = now() where id = ${id}`);
  async function exportLines(query = "") {
    const answer = await arena.app.inject(`/api/votes/export${query}`);
    expect(answer.headers["content-type"]).toBe("application/x-ndjson; charset=utf-8");
    const lines = answer.body.split("\n");
    expect(lines.pop()).toBe("");
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  describe("the export", () => {
    it("has every vote by number, and ids only of those on closed prompts", async () => {
      const [a, b] = await addAnswers(database, arena, { prompts: 1, names: ["a", "b"], categories: ["style"] });
      await voteFor(arena, await newAccount(arena), answerOf(0, 1));
      arena.clock.advance(86_400);
      await voteFor(arena, { headers: {} }, answerOf(1, 1));
      const open = [
        { number: 1, winner: "a", judge: "account", counted: true, at: "2030-01-01" },
        { number: 2, winner: "b", judge: "anonymous", counted: false, at: "2030-01-02" },
      ].map((each) => ({ a: a?.id, b: b?.id, category: "style", ...each }));
      expect(await exportLines()).toEqual(open);
      await close(1);
      const ids = { prompt_id: "1", battle_id: 1, answer_a: 1, answer_b: 2 };
      expect(await exportLines()).toEqual(open.map((each) => ({ ...each, ...ids })));
      expect(await exportLines("?after=1")).toEqual([{ ...open[1], ...ids }]);
      expect(await exportLines("?after=2")).toEqual([]);
    });

    it("has the votes of checks too", async () => {
      await addPrompts(database, [{ prompt: "1 + 1", category: "sums", check: { kind: "number", value: 2 } }]);
      const ids = [];
      for (const [name, answer] of [
        ["a", "3"],
        ["b", "2"],
      ] as const) {
        const agent = await registerAgent(arena, name);
        ids.push(agent.id);
        await work(arena, agent, answer);
      }
      await arena.passes.judge();
      expect(await exportLines()).toEqual([
        {
          number: 1,
          a: ids[0],
          b: ids[1],
          winner: "b",
          category: "sums",
          judge: "check",
          counted: true,
          at: "2030-01-01",
        },
      ]);
    });

    it("holds no judge, no time of day and no text", async () => {
      await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
      const visitor: TestJudge = { headers: {} };
      await voteFor(arena, visitor, answerOf(0, 1));
      await close(1);
      const text = (await arena.app.inject("/api/votes/export")).body;
      const [{ judge_id } = { judge_id: "" }] = await rows<{ judge_id: string }>(
        database,
        "select judge_id from votes",
      );
      expect(judge_id).toHaveLength(64);
      for (const secret of [judge_id, "12:00", "writer", "Question"]) expect(text).not.toContain(secret);
    });

    it("comes in the order of the log, none missing and none twice, also when it is longer than one read", async () => {
      await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
      await voteFor(arena, await newAccount(arena), answerOf(0, 1));
      await database.db.orm.execute(
        `insert into votes select n, 1, 'account', 'judge ' || n, 'tie', 1, 2, 'taste', true, '2030-01-01' from generate_series(2, 2500) n`,
      );
      const lines = await exportLines();
      expect(lines.map((line) => line.number)).toEqual(Array.from({ length: 2_500 }, (_, index) => index + 1));
      expect((await exportLines("?after=2000")).map((line) => line.number)).toEqual(
        Array.from({ length: 500 }, (_, index) => index + 2_001),
      );
    });

    it("is empty where nobody has voted, and refuses a number that is none", async () => {
      expect(await exportLines()).toEqual([]);
      const answer = await arena.app.inject("/api/votes/export?after=-1");
      expect(answer.json()).toMatchObject({ status: 400, errors: [{ field: "after" }] });
    });
  });

  describe("the list of battles", () => {
    const list = async (query = "") => (await arena.app.inject(`/api/battles${query}`)).json();

    it("shows a decided battle once its prompt has closed, with agents, answers and votes by kind of judge", async () => {
      const [a, b] = await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
      await voteFor(arena, await newAccount(arena), answerOf(0, 1));
      await voteFor(arena, await newAccount(arena), answerOf(0, 1));
      await voteFor(arena, await newAccount(arena), answerOf(1, 1));
      await voteFor(arena, { headers: {} }, answerOf(1, 1));
      expect(await list()).toEqual({ total: 0, limit: 50, offset: 0, has_more: false, items: [] });
      await close(1);
      expect((await list()).items).toEqual([
        {
          id: 1,
          prompt_id: "1",
          category: "taste",
          judged_by: "people",
          decided_at: new Date(arena.clock.now()).toISOString(),
          a: { answer_id: 1, agent: { id: a?.id, name: "a" } },
          b: { answer_id: 2, agent: { id: b?.id, name: "b" } },
          rejudges: null,
          ruling: null,
          votes: {
            account: { a: 2, b: 1, tie: 0, both_bad: 0, not_counted: 0 },
            anonymous: { a: 0, b: 0, tie: 0, both_bad: 0, not_counted: 1 },
          },
        },
      ]);
    });

    it("is of one agent or one category where that is asked for", async () => {
      const agents = await addAnswers(database, arena, {
        prompts: 2,
        names: ["a", "b", "c"],
        categories: ["sums", "style"],
      });
      for (let turn = 0; turn < 6; turn += 1) {
        const judge = await newAccount(arena);
        await vote(arena, judge, (await mustShow(arena, judge)).battle_id, "tie");
      }
      await database.db.orm.execute("update prompts set closed_at = now()");
      const all = (await list()).items as { id: number; category: string; a: Side; b: Side }[];
      interface Side {
        agent: { id: number };
      }
      const [first] = agents;
      const own = all.filter((each) => [each.a, each.b].some((side) => side.agent.id === first?.id));
      expect(own.length).toBeGreaterThan(0);
      expect(own.length).toBeLessThan(all.length);
      const listed = await list(`?agent_id=${first?.id}`);
      expect([listed.total, listed.items]).toEqual([own.length, own]);
      const sums = all.filter((each) => each.category === "sums");
      expect((await list("?category=sums")).items).toEqual(sums);
      expect((await list(`?category=sums&agent_id=${first?.id}`)).items).toEqual(
        sums.filter((each) => own.includes(each)),
      );
      expect((await list("?agent_id=x")).errors).toMatchObject([{ field: "agent_id" }]);
    });

    it("leaves out battles without a counted vote, and pages from the latest", async () => {
      await addAnswers(database, arena, { prompts: 3, names: ["a", "b"] });
      for (let turn = 0; turn < 2; turn += 1) {
        const judge = await newAccount(arena);
        await vote(arena, judge, (await mustShow(arena, judge)).battle_id, "tie");
      }
      await mustShow(arena, await newAccount(arena));
      for (const id of [1, 2, 3]) await close(id);
      const pages = [await list("?limit=1"), await list("?limit=1&offset=1")];
      expect(pages.map((page) => [page.total, page.has_more, page.items[0].id])).toEqual([
        [2, true, 2],
        [2, false, 1],
      ]);
    });
  });
});
