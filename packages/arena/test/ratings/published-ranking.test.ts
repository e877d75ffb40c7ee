import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPairCounts } from "../../src/ratings/pair-counts.ts";
import { createRankingBook } from "../../src/ratings/ranking-book.ts";
import { rateCells } from "../../src/ratings/rating-table.ts";
import { addAnswers, mustShow, newAccount, rows, type TestJudge } from "../judging/judge-calls.ts";
import {
  describeOnBoth,
  emptyTables,
  openPostgresNode,
  openTestDatabase,
  type TestDatabase,
} from "../support/open-databases.ts";
import { ADMIN_KEY, createTestArena, type TestAgent, type TestArena } from "../support/test-arena.ts";
import { hasPostgres } from "../support/test-databases.ts";

interface Item {
  agent: { id: number; name: string };
  rank: number | null;
  rank_low: number | null;
  rank_high: number | null;
  rating: number | null;
  ci_low: number | null;
  ci_high: number | null;
  component: number | null;
  elo: number;
}

const boardOf = async (arena: TestArena, query = ""): Promise<Item[]> =>
  (await arena.app.inject(`/api/leaderboard${query}`)).json().items;

/** The board as anybody makes it from the export. */
async function recompute(arena: TestArena, category?: string) {
  const text = (await arena.app.inject("/api/votes/export")).body;
  const counts = createPairCounts();
  for (const line of text.split("\n").filter(Boolean)) {
    const vote = JSON.parse(line);
    if (!vote.counted || (category !== undefined && vote.category !== category)) continue;
    counts.add(String(vote.a), String(vote.b), vote.winner);
  }
  return new Map(rateCells(counts.toCells()).items.map((item) => [Number(item.name), item]));
}

async function expectRecomputed(arena: TestArena, category?: string) {
  const mine = await recompute(arena, category);
  const board = await boardOf(arena, category === undefined ? "" : `?category=${category}`);
  const shown = new Set(board.map((item) => item.agent.id));
  const rated = board.filter((item) => item.rating !== null).map((item) => item.agent.id);
  expect(rated.sort()).toEqual([...mine.keys()].filter((id) => shown.has(id)).sort());
  for (const { agent, rating, ci_low, ci_high, component } of board) {
    const own = mine.get(agent.id);
    expect([rating, ci_low, ci_high, component]).toEqual(
      own === undefined ? [null, null, null, null] : [own.rating, own.ciLow, own.ciHigh, own.component],
    );
  }
}

/** Adds votes to the log as if cast, so that a test has many. */
async function addVotes(
  database: TestDatabase,
  votes: [a: number, b: number, outcome: string, category?: string, counted?: boolean][],
) {
  const [{ value } = { value: 0 }] = await rows<{ value: number }>(
    database,
    "select value::int from counters where name = 'votes'",
  );
  const values = votes.map(
    ([a, b, outcome, category = "taste", counted = true], index) =>
      `(${value + index + 1}, 1, 'account', 'made up ${value + index + 1}', '${outcome}', ${a}, ${b}, '${category}', ${counted}, '2030-01-01')`,
  );
  await database.db.orm.execute(`insert into votes values ${values.join(", ")}`);
  await database.db.orm.execute(
    `insert into battles (prompt_id, answer_a, answer_b, agent_a, agent_b, judged_by, created_at)
     select 1, 1, 2, 1, 2, 'people', now() where not exists (select from battles)`,
  );
  await database.db.orm.execute(`update counters set value = ${value + votes.length} where name = 'votes'`);
}

describeOnBoth("the published ranking", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    await database.db.orm.execute("delete from facts where name = 'ranking-hidden'");
    arena = await createTestArena(database);
  });
  afterEach(() => arena.stop());

  const ids = (agents: TestAgent[]) => agents.map((agent) => agent.id) as [number, number, number, number];

  it("is what anybody computes from the export, to the last digit, over all and by category", async () => {
    const agents = await addAnswers(database, arena, {
      prompts: 2,
      names: ["a", "b", "c"],
      categories: ["sums", "style"],
    });
    let judge: TestJudge = { headers: {} };
    for (let turn = 0; turn < 12; turn += 1) {
      // Each sees one pair of either prompt.
      if (turn % 2 === 0) judge = turn === 6 ? { headers: {} } : await newAccount(arena);
      const shown = await mustShow(arena, judge);
      await arena.app.inject({
        method: "POST",
        url: `/api/judge/${shown.battle_id}/vote`,
        headers: judge.headers,
        payload: { choice: ["a", "b", "tie", "both_bad", "a"][turn % 5] },
      });
    }
    expect((await boardOf(arena)).every((item) => item.rating === null)).toBe(true);
    await arena.passes.rank();
    await expectRecomputed(arena);
    await expectRecomputed(arena, "sums");
    await expectRecomputed(arena, "style");
    expect((await boardOf(arena)).filter((item) => item.rating !== null)).toHaveLength(agents.length);
    // One agent's line is that of the board, with its rank among all.
    for (const by of ["elo", "rating"]) {
      for (const line of await boardOf(arena, `?by=${by}`)) {
        expect(await boardOf(arena, `?by=${by}&agent_id=${line.agent.id}`)).toEqual([line]);
      }
    }
    expect(await boardOf(arena, "?agent_id=2147483647")).toEqual([]);
  });

  it("says how far in the log it goes, and moves on with new votes only", async () => {
    const [a, b, c, d] = ids(await addAnswers(database, arena, { prompts: 1, names: ["a", "b", "c", "d"] }));
    await database.db.orm.execute(
      `insert into standings select id, x, 1500, 1, 1, 0, 0, 0 from agents, unnest(array['', 'sums', 'style']) x`,
    );
    const overview = async () =>
      Object.fromEntries(
        (await arena.app.inject("/api/leaderboard/categories"))
          .json()
          .items.map((item: { category: string; ranking: { position: number } }) => [
            item.category,
            item.ranking?.position,
          ]),
      );
    await addVotes(database, [
      [a, b, "a", "sums"],
      [c, d, "tie", "style"],
    ]);
    await arena.passes.rank();
    expect(await overview()).toEqual({ "": 2, sums: 2, style: 2 });
    await addVotes(database, [
      [a, c, "both_bad", "style"],
      [a, b, "b", "sums", false],
    ]);
    expect(await overview()).toEqual({ "": 2, sums: 2, style: 2 });
    arena.clock.advance(60);
    await arena.passes.rank();
    expect(await overview()).toEqual({ "": 4, sums: 4, style: 4 });
    // Nothing counted in sums since, so its fit is still the one of a minute ago.
    const fitted = await rows<{ category: string; age: number }>(
      database,
      "select category, (extract(epoch from max(fitted_at) over () - fitted_at))::int as age from rankings order by category",
    );
    expect(fitted).toEqual([
      { category: "", age: 0 },
      { category: "style", age: 0 },
      { category: "sums", age: 60 },
    ]);
    await expectRecomputed(arena);
    await expectRecomputed(arena, "style");
  });

  it("keeps groups apart that no battle connects, with ranks of their own", async () => {
    const [a, b, c, d] = ids(await addAnswers(database, arena, { prompts: 1, names: ["a", "b", "c", "d"] }));
    await addVotes(database, [...Array(30).fill([a, b, "a"]), [c, d, "tie"]]);
    await arena.passes.rank();
    const board = await boardOf(arena, "?by=rating");
    expect(board.map(({ agent, component, rank }) => [agent.name, component, rank])).toEqual([
      ["a", 1, 1],
      ["b", 1, 2],
      ["c", 2, 1],
      ["d", 2, 1],
    ]);
    expect(board.map(({ rank_low, rank_high }) => [rank_low, rank_high])).toEqual([
      [1, 1],
      [2, 2],
      [1, 2],
      [1, 2],
    ]);
  });

  it("gives no rank to who is banned, whose battles still count, and gives it back", async () => {
    const agents = await addAnswers(database, arena, { prompts: 1, names: ["a", "b", "c"] });
    const [a, b, c] = ids(agents);
    await addVotes(database, [...Array(40).fill([a, b, "a"]), ...Array(40).fill([b, c, "a"])]);
    await arena.passes.rank();
    const ranks = async () =>
      (await boardOf(arena, "?by=rating")).map((item) => [item.agent.name, item.rank_low, item.rank_high]);
    expect(await ranks()).toEqual([
      ["a", 1, 1],
      ["b", 2, 2],
      ["c", 3, 3],
    ]);
    const ratings = await boardOf(arena);
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    const suspend = (verb: string) =>
      arena.app.inject({ method: "POST", url: `/api/admin/agents/${a}/${verb}`, headers });
    await suspend("suspend");
    await arena.passes.rank();
    expect(await ranks()).toEqual([
      ["b", 1, 1],
      ["c", 2, 2],
    ]);
    const ratingOf = (board: Item[], id: number) => board.find((item) => item.agent.id === id)?.rating;
    expect(ratingOf(await boardOf(arena), b)).toBe(ratingOf(ratings, b));
    await suspend("reinstate");
    await arena.passes.rank();
    expect(await ranks()).toEqual([
      ["a", 1, 1],
      ["b", 2, 2],
      ["c", 3, 3],
    ]);
  });

  it("ends empty, and not as it was, when every vote is struck by a ruling, and comes back with them", async () => {
    const [a, b] = ids(await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] }));
    await addVotes(database, [
      [a, b, "a"],
      [a, b, "a"],
    ]);
    await arena.passes.rank();
    const rule = async (kind: string, set: string) => {
      await database.db.orm.execute(
        `insert into rulings (kind, choice, reason, decided_by, decided_at, position) values ('${kind}', '{}', 'a test', 'test', now(), 2)`,
      );
      await database.db.orm.execute(`update votes set ruling_id = ${set}`);
      await arena.passes.rank();
    };
    await rule("void", "1");
    expect((await boardOf(arena)).map((item) => item.rating)).toEqual([null, null]);
    expect(await rows(database, "select category from rankings")).toEqual([{ category: "" }]);
    await rule("release", "null");
    await expectRecomputed(arena);
  });

  it("is made anew by an arena that starts where another one ended", async () => {
    const [a, b, c] = ids(await addAnswers(database, arena, { prompts: 1, names: ["a", "b", "c"] }));
    await addVotes(database, [
      [a, b, "a"],
      [b, c, "a"],
    ]);
    await arena.passes.rank();
    await arena.stop();
    arena = await createTestArena(database);
    await arena.passes.rank();
    await expectRecomputed(arena);
    await addVotes(database, [[c, a, "a"]]);
    await arena.passes.rank();
    await expectRecomputed(arena);
  });

  it("counts each vote once, and lets everybody who asked for it go on, when it is asked for in one moment", async () => {
    const [a, b, c] = ids(await addAnswers(database, arena, { prompts: 1, names: ["a", "b", "c"] }));
    for (const winner of ["a", "b", "tie"]) {
      await addVotes(database, [
        [a, b, winner],
        [b, c, "a"],
      ]);
      await Promise.all([arena.passes.rank(), arena.passes.rank(), arena.passes.rank()]);
      await expectRecomputed(arena);
    }
  });

  it("is published by the next pass when it could not be stored", async () => {
    const [a, b] = ids(await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] }));
    await addVotes(database, [[a, b, "a"]]);
    await arena.passes.rank();
    await addVotes(database, [[a, b, "b"]]);
    const { transaction } = database.db;
    database.db.transaction = (work) =>
      transaction.call(database.db, async (tx) => {
        await work(tx);
        throw new Error("the disk is full");
      }) as never;
    await expect(arena.passes.rank()).rejects.toThrow("the disk is full");
    database.db.transaction = transaction;
    await arena.passes.rank();
    await expectRecomputed(arena);
  });
});

describe.skipIf(!hasPostgres())("the published ranking of two nodes", () => {
  it("is whole and the same whoever publishes, whatever the other has seen of it", async () => {
    const database = await openTestDatabase("postgres");
    const second = await openPostgresNode(database.url as string);
    const nodes = [
      await createTestArena(database, {}, "database"),
      await createTestArena(second, {}, "database"),
    ] as const;
    try {
      const [a, b, c] = (await addAnswers(database, nodes[0], { prompts: 1, names: ["a", "b", "c"] })).map(
        (agent) => agent.id,
      ) as [number, number, number];
      await database.db.orm.execute(`insert into standings select id, 'sums', 1500, 1, 1, 0, 0, 0 from agents`);
      for (let turn = 0; turn < 6; turn += 1) {
        await addVotes(database, [
          [a, b, "a", "sums"],
          [turn % 2 === 0 ? c : b, a, "tie", `odd${turn % 3}`],
        ]);
        if (turn === 3) await database.db.orm.execute(`update agents set suspended_at = now() where id = ${c}`);
        if (turn === 4) await database.db.orm.execute(`update agents set suspended_at = null where id = ${c}`);
        await Promise.all(turn % 3 === 2 ? nodes.map((node) => node.passes.rank()) : [nodes[turn % 2]?.passes.rank()]);
        await expectRecomputed(nodes[0]);
        await expectRecomputed(nodes[1], "sums");
        const board = await boardOf(nodes[0], "?by=rating");
        expect(board.every((item) => item.rating === null || item.rank_high !== null)).toBe(true);
      }
      expect(await rows(database, "select count(*)::int as many from rankings")).toEqual([{ many: 5 }]);
    } finally {
      for (const node of nodes) await node.stop();
      await second.close();
      await database.close();
    }
  });
});

describe("the book of rankings", () => {
  it("gives out what changed, and all of it when asked, as plain data", () => {
    const book = createRankingBook();
    const add = (category: string, a: number, b: number) =>
      book.add([{ category, agent_a: a, agent_b: b, outcome: "both_bad", votes: 2 }]);
    add("sums", 1, 2);
    add("style", 3, 4);
    const none = new Set<number>();
    expect(book.fit(none, false).map((each) => each.category)).toEqual(["", "sums", "style"]);
    expect(book.fit(none, false)).toEqual([]);
    add("style", 3, 4);
    const changed = book.fit(none, false);
    expect(changed.map((each) => [each.category, each.battles, each.bothBad, each.components])).toEqual([
      ["", 6, 6, 2],
      ["style", 4, 4, 1],
    ]);
    expect(changed.map((each) => each.problem)).toEqual([null, null]);
    expect(book.fit(new Set([4]), false).map((each) => each.category)).toEqual(["", "style"]);
    expect(book.fit(none, true)).toHaveLength(3);
    book.reset();
    expect(book.fit(none, true)).toMatchObject([{ category: "", battles: 0, agents: [] }]);
  });
});
