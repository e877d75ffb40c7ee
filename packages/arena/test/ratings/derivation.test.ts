import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { applyElo, expectedScore } from "../../src/ratings/elo.ts";
import { addAnswers, answerOf, newAccount, rows, voteFor } from "../judging/judge-calls.ts";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena, type TestArena } from "../support/test-arena.ts";

type Outcome = "a" | "b" | "tie" | "both_bad";

describeOnBoth("how a number came about", (kind) => {
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

  const get = async (url: string) => (await arena.app.inject(url)).json();

  /** Votes as the arena would have left them, with the Elos after each; resolves to every Elo at the end. */
  async function log(votes: readonly [a: number, b: number, outcome: Outcome, counted?: boolean][]) {
    const elos = new Map<number, number>();
    const values = votes.map(([a, b, outcome, counted = true], index) => {
      const before: [number, number] = [elos.get(a) ?? 1500, elos.get(b) ?? 1500];
      const after = counted ? applyElo(...before, outcome) : undefined;
      if (after !== undefined) elos.set(a, after[0]).set(b, after[1]);
      return `(${index + 1}, 1, 'account', 'j${index}', '${outcome}', ${a}, ${b}, 'sums', ${counted}, '2030-01-01', ${after?.[0] ?? "null"}, ${after?.[1] ?? "null"})`;
    });
    await database.db.orm.execute(`insert into votes values ${values.join(", ")}`);
    await database.db.orm.execute(`update counters set value = ${votes.length} where name = 'votes'`);
    return elos;
  }

  it("Elo is its votes one after the other, each with what both had before it", async () => {
    const [a, b, c] = (await addAnswers(database, arena, { prompts: 1, names: ["a", "b", "c"] })).map(
      ({ id }) => id,
    ) as [number, number, number];
    const elos = await log([
      [a, b, "a"],
      [b, c, "a"],
      [b, a, "tie"],
      [c, a, "a", false],
      [c, b, "both_bad"],
      [c, a, "b"],
    ]);
    const { items, total, start_elo, k } = await get(`/api/agents/${a}/elo-steps`);
    expect([total, start_elo, k]).toEqual([3, 1500, 32]);
    const steps = items.toReversed();
    expect(steps.map((step: { number: number; outcome: string }) => [step.number, step.outcome])).toEqual([
      [1, "win"],
      [3, "tie"],
      [6, "win"],
    ]);
    let elo = start_elo;
    for (const step of steps) {
      expect(step.elo_before).toBe(elo);
      expect(step.expected).toBe(expectedScore(step.elo_before, step.opponent_elo_before));
      expect(step.elo_after).toBeCloseTo(step.elo_before + step.change, 10);
      elo = step.elo_after;
    }
    expect(elo).toBe(elos.get(a));
    // What the opponent had is from its own vote before this one, which was against somebody else.
    expect(steps[1].opponent_elo_before).toBe((await get(`/api/agents/${b}/elo-steps`)).items[2].elo_after);
    expect((await get(`/api/agents/${a}/elo-steps?limit=1&offset=1`)).items).toEqual([items[1]]);
    expect(JSON.stringify(items)).not.toContain("12:00");
  });

  it("a published rating is the one at which its score is what the ratings expect, less the beginning's pull", async () => {
    const ids = (await addAnswers(database, arena, { prompts: 1, names: ["a", "b", "c", "d"] })).map(({ id }) => id);
    const [a, b, c, d] = ids as [number, number, number, number];
    expect(await get(`/api/agents/${a}/rating-sum`)).toMatchObject({ published: null, opponents: { items: [] } });
    await log([
      [a, b, "a"],
      [a, b, "a"],
      [b, a, "a"],
      [a, c, "both_bad"],
      [c, d, "a"],
      [d, b, "tie"],
      [c, a, "b", false],
    ]);
    await arena.passes.rank();
    const board = (await get("/api/leaderboard")).items;
    for (const id of ids) {
      const { published, opponents } = await get(`/api/agents/${id}/rating-sum`);
      const line = board.find((item: { agent: { id: number } }) => item.agent.id === id);
      expect([published.rating, published.ci_low, published.position]).toEqual([line.rating, line.ci_low, 7]);
      const expected = opponents.items.reduce(
        (sum: number, each: { battles: number; rating: number }) =>
          sum + each.battles / (1 + 10 ** ((each.rating - published.rating) / 400)),
        0,
      );
      expect(published.expected).toBeCloseTo(expected, 12);
      const pull = (0.1 / 4) * ((published.rating - 1500) / (400 / Math.LN10));
      expect(published.score - expected - pull).toBeCloseTo(0, 7);
      expect(Math.abs(published.remainder)).toBeLessThan(1e-7);
    }
    const sum = await get(`/api/agents/${a}/rating-sum?limit=1`);
    expect(sum.opponents).toMatchObject({ total: 2, has_more: true });
    expect(sum.opponents.items).toMatchObject([{ agent: { id: b }, battles: 3, wins: 2, losses: 1, score: 2 }]);
    expect(sum.published.score).toBe(2.5);
    // Votes that the fit does not know yet are not in its sum.
    await database.db.orm.execute(
      `insert into votes values (8, 1, 'account', 'late', 'a', ${a}, ${b}, 'sums', true, now(), 1500, 1500)`,
    );
    expect((await get(`/api/agents/${a}/rating-sum?limit=1`)).published).toEqual(sum.published);
    expect(await get("/api/agents/999/rating-sum")).toMatchObject({ status: 404, code: "agent_not_found" });
    expect(await get("/api/agents/999/elo-steps")).toMatchObject({ status: 404, code: "agent_not_found" });
  });

  it("closed prompts are told by how well they tell agents apart, open ones not at all", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    for (const winner of [0, 0, 1]) await voteFor(arena, await newAccount(arena), answerOf(winner, 1));
    await arena.passes.rank();
    expect((await get("/api/prompt-quality")).items).toEqual([]);
    await database.db.orm.execute("update prompts set closed_at = now() where kind = 'main'");
    const tally = { votes: 3, decided: 3, ties: 0, both_bad: 0, compared: 3, as_rated: 2 };
    expect((await get("/api/prompt-quality")).items).toEqual([
      { prompt_id: expect.any(String), prompt: expect.any(String), category: "taste", ...tally },
    ]);
    expect((await get("/api/prompt-quality?least_votes=4")).items).toEqual([]);
    expect((await get("/api/prompt-quality?category=none")).items).toEqual([]);

    const [twice] = await rows<{ id: number }>(
      database,
      `insert into prompts (kind, prompt, category, created_at, closed_at)
       values ('main', 'Always a tie.', 'sums', now(), now()) returning id::int`,
    );
    await database.db.orm.execute(
      `insert into battles (id, prompt_id, answer_a, answer_b, agent_a, agent_b, judged_by, created_at)
       overriding system value select 900, ${twice?.id}, answer_a, answer_b, agent_a, agent_b, 'check', now() from battles limit 1`,
    );
    await database.db.orm.execute(
      `insert into votes select 10 + x, 900, 'account', 'made up ' || x, case x when 1 then 'both_bad' else 'tie' end,
       agent_a, agent_b, 'sums', true, now(), 1500, 1500 from battles, generate_series(1, 3) x where id = 900`,
    );
    await database.db.orm.execute("update counters set value = 13 where name = 'votes'");
    const order = async (by: string) =>
      (await get(`/api/prompt-quality?order=${by}`)).items.map((each: { prompt: string }) => each.prompt);
    expect((await order("ties"))[0]).toBe("Always a tie.");
    expect((await order("separates"))[1]).toBe("Always a tie.");
    expect((await get("/api/prompt-quality?order=ties")).items[0]).toMatchObject({
      votes: 3,
      decided: 0,
      ties: 2,
      both_bad: 1,
    });
  });
});
