import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { applyOutcome, type Outcome, START_ELO, type Standing } from "../../src/ratings/elo.ts";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { addAgent, addPrompts, createTestArena, registerAgent, type TestArena, work } from "../support/test-arena.ts";

interface VoteRow {
  number: number;
  outcome: Outcome;
  agent_a: number;
  agent_b: number;
  category: string;
}

describeOnBoth("battles decided by a check", (kind) => {
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

  async function rows<Row>(query: string): Promise<Row[]> {
    return ((await database.db.orm.execute(query)) as unknown as { rows: Row[] }).rows;
  }
  const votes = () =>
    rows<VoteRow>("select number::int, outcome, agent_a, agent_b, category from votes order by number");
  const sums = (many: number) =>
    Array.from({ length: many }, (_, index) => ({
      prompt: `What is ${index} + 1?`,
      category: index % 2 === 0 ? "even" : "odd",
      check: { kind: "number" as const, value: index + 1 },
    }));

  it("say right beats wrong, both right tie, both wrong both bad, each answer in two battles at most", async () => {
    await addPrompts(database, sums(1));
    const answers = ["1", "2", "1", "1", "0", "0"];
    const agents = [];
    for (const [index, answer] of answers.entries()) {
      const agent = await registerAgent(arena, `agent ${index}`);
      agents.push(agent.id);
      await work(arena, agent, answer);
      if (index % 2 === 0) await arena.passes.judge();
    }
    await arena.passes.judge();
    expect((await votes()).map((vote) => [vote.agent_a, vote.agent_b, vote.outcome])).toEqual([
      [agents[0], agents[1], "a"],
      [agents[1], agents[2], "b"],
      [agents[2], agents[3], "tie"],
      [agents[3], agents[4], "a"],
      [agents[4], agents[5], "both_bad"],
    ]);
  });

  it("do nothing more when the pass runs again, also in parallel", async () => {
    await addPrompts(database, sums(3));
    for (const name of ["one", "two"]) {
      const agent = await registerAgent(arena, name);
      for (let index = 0; index < 3; index += 1) await work(arena, agent, "1");
    }
    await Promise.all([arena.passes.judge(), arena.passes.judge(), arena.passes.judge()]);
    const after = await votes();
    expect(after).toHaveLength(3);
    await arena.passes.judge();
    expect(await votes()).toEqual(after);
    expect(await rows("select sum(answers)::int as answers from prompts")).toEqual([{ answers: 6 }]);
  });

  it("never pair two agents of one account", async () => {
    await addPrompts(database, sums(1));
    const first = await registerAgent(arena, "first");
    const sibling = { ...(await addAgent(arena, first.apiKey, "sibling")), apiKey: first.apiKey };
    const stranger = await registerAgent(arena, "stranger");
    for (const agent of [first, sibling, stranger]) await work(arena, agent, "1");
    await arena.passes.judge();
    expect((await votes()).map((vote) => [vote.agent_a, vote.agent_b])).toEqual([[sibling.id, stranger.id]]);
  });

  it("[TX-ELO-1] move Elo so that a replay of the vote log gives the same digits, over all and by category", async () => {
    await addPrompts(database, sums(8));
    const agents = [];
    for (let index = 0; index < 5; index += 1) agents.push(await registerAgent(arena, `agent ${index}`));
    for (let round = 0; round < 8; round += 1) {
      for (const [index, agent] of agents.entries()) await work(arena, agent, String((round * 7 + index * 3) % 5));
      await arena.passes.judge();
    }
    const log = await votes();
    expect(log.map((vote) => vote.number)).toEqual(log.map((_, index) => index + 1));
    expect(log.length).toBeGreaterThan(20);
    expect(await boardOf("")).toEqual(replay(log));
    expect(await boardOf("odd")).toEqual(replay(log.filter((vote) => vote.category === "odd")));
    const all = Object.values(await boardOf(""));
    expect(all.reduce((sum, each) => sum + each.elo, 0)).toBeCloseTo(5 * START_ELO, 6);
  });

  async function boardOf(category: string) {
    const page = (await arena.app.inject(`/api/leaderboard?category=${category}`)).json();
    return Object.fromEntries(
      page.items
        .filter((item: { battles: number }) => item.battles > 0)
        .map((item: Record<string, number> & { agent: { id: number } }) => [
          item.agent.id,
          { elo: item.elo, wins: item.wins, losses: item.losses, ties: item.ties, bothBad: item.both_bad },
        ]),
    ) as Record<number, Omit<Standing, "battles">>;
  }

  function replay(log: readonly VoteRow[]) {
    const board = new Map<number, Standing>();
    const fresh = { elo: START_ELO, battles: 0, wins: 0, losses: 0, ties: 0, bothBad: 0 };
    for (const vote of log) {
      const [a, b] = applyOutcome(board.get(vote.agent_a) ?? fresh, board.get(vote.agent_b) ?? fresh, vote.outcome);
      board.set(vote.agent_a, a);
      board.set(vote.agent_b, b);
    }
    return Object.fromEntries([...board].map(([id, { battles: _, ...standing }]) => [id, standing]));
  }

  describe("the leaderboard", () => {
    it("ranks by Elo with competition ranks, and shows who has no decided battle last and unranked", async () => {
      await addPrompts(database, sums(1));
      const [a, b, c] = [
        await registerAgent(arena, "a"),
        await registerAgent(arena, "b"),
        await registerAgent(arena, "c"),
      ];
      const d = await registerAgent(arena, "d");
      for (const agent of [a, b, c]) await work(arena, agent, agent === c ? "9" : "1");
      await arena.passes.judge();
      const { items } = (await arena.app.inject("/api/leaderboard")).json();
      expect(items.map((item: { agent: { id: number }; rank: number | null }) => [item.agent.id, item.rank])).toEqual([
        [b.id, 1],
        [a.id, 2],
        [c.id, 3],
        [d.id, null],
      ]);
      expect(items[0]).toMatchObject({ elo: 1516, tier: "Specialist", wins: 1, ties: 1, battles: 2, rating: null });
    });

    it("gives equal ratings equal ranks, in an order that no page repeats or loses", async () => {
      const agents = [];
      for (const name of ["a", "b", "c", "d"]) agents.push(await registerAgent(arena, name));
      const elos = [1550, 1600, 1500, 1550];
      for (const [index, agent] of agents.entries()) {
        await database.db.orm.execute(`insert into standings values (${agent.id}, '', ${elos[index]}, 1, 1, 0, 0, 0)`);
      }
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const pages = [];
        for (const offset of [0, 2]) {
          pages.push(...(await arena.app.inject(`/api/leaderboard?limit=2&offset=${offset}`)).json().items);
        }
        expect(pages.map((item) => [item.agent.name, item.rank])).toEqual([
          ["b", 1],
          ["a", 2],
          ["d", 2],
          ["c", 4],
        ]);
      }
      const past = (await arena.app.inject("/api/leaderboard?offset=50")).json();
      expect(past).toMatchObject({ total: 4, items: [], has_more: false });
    });
  });
});
