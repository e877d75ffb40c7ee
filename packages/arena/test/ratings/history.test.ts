import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { applyElo } from "../../src/ratings/elo.ts";
import { addAnswers, answerOf, newAccount, rows, voteFor } from "../judging/judge-calls.ts";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena, type TestArena } from "../support/test-arena.ts";

describeOnBoth("how an agent came to its rating", (kind) => {
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

  /** Votes of people at one prompt of two agents, in this order, each by a new judge. */
  async function voteInTurn(winners: readonly number[]) {
    for (const winner of winners) await voteFor(arena, await newAccount(arena), answerOf(winner, 1));
  }

  it("is its Elo after each battle, by the numbers of the log and without the time of day", async () => {
    const [a, b] = await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    await voteInTurn([0]);
    arena.clock.advance(86_400);
    await voteInTurn([1, 0]);
    await voteFor(arena, { headers: {} }, answerOf(0, 1));
    const steps = [[1516, 1484]];
    for (const outcome of ["b", "a"] as const) steps.push(applyElo(...(steps.at(-1) as [number, number]), outcome));
    for (const [side, agent] of [a, b].entries()) {
      const history = await get(`/api/agents/${agent?.id}/rating-history`);
      expect(history).toMatchObject({ agent_id: agent?.id, battles: 3, start_elo: 1500, elo: steps.at(-1)?.[side] });
      expect(history.points).toEqual(
        steps.map((elos, index) => ({
          number: index + 1,
          day: index === 0 ? "2030-01-01" : "2030-01-02",
          elo: elos[side],
          tier: "Specialist",
        })),
      );
      expect(history.tier_changes).toEqual([]);
    }
    expect(JSON.stringify(await get(`/api/agents/${a?.id}/rating-history`))).not.toContain("12:00");
  });

  it("names each change of tier, also where the points are few, and holds the last one", async () => {
    const [a, b] = await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    await voteInTurn([0]);
    // 40 battles of one outcome, as votes would have left them.
    let elos: [number, number] = [1516, 1484];
    const values = [];
    for (let number = 2; number <= 41; number += 1) {
      elos = applyElo(...elos, "a");
      values.push(
        `(${number}, 1, 'account', 'j${number}', 'a', ${a?.id}, ${b?.id}, 'taste', true, now(), ${elos[0]}, ${elos[1]})`,
      );
    }
    await database.db.orm.execute(`insert into votes values ${values.join(", ")}`);
    const history = await get(`/api/agents/${a?.id}/rating-history?points=4`);
    expect(history.battles).toBe(41);
    expect(history.points.map((point: { number: number }) => point.number)).toEqual([1, 11, 22, 33, 41]);
    expect(history.points.at(-1).elo).toBe(elos[0]);
    const [up] = history.tier_changes;
    expect(up).toMatchObject({ from: "Specialist", to: "Expert" });
    expect(up.elo).toBeGreaterThanOrEqual(1550);
    const down = (await get(`/api/agents/${b?.id}/rating-history`)).tier_changes;
    expect(down.map((each: { from: string; to: string }) => [each.from, each.to])).toEqual([
      ["Specialist", "Contender"],
      ["Contender", "Novice"],
    ]);
  });

  it("is told by opponent and by category, from this agent's side, without votes that do not count", async () => {
    const [a, b, c] = await addAnswers(database, arena, { prompts: 1, names: ["a", "b", "c"] });
    const insert = (number: number, x: number, y: number, outcome: string, category: string, counted = true) =>
      database.db.orm.execute(
        `insert into votes values (${number}, 1, 'account', 'j${number}', '${outcome}', ${x}, ${y}, '${category}', ${counted}, now())`,
      );
    const [idA, idB, idC] = [a?.id as number, b?.id as number, c?.id as number];
    await insert(1, idA, idB, "a", "sums");
    await insert(2, idB, idA, "a", "sums");
    await insert(3, idB, idA, "both_bad", "style");
    await insert(4, idC, idA, "tie", "style");
    await insert(5, idA, idB, "a", "sums", false);
    await insert(6, idA, idA, "a", "sums");
    await database.db.orm.execute("update votes set ruling_id = 1 where number = 2");
    const results = await get(`/api/agents/${idA}/results`);
    const record = { elo: 1500, tier: "Specialist", wins: 0, losses: 0, ties: 0, both_bad: 0 };
    expect(results.opponents.items).toEqual([
      { agent: { id: idB, name: "b" }, ...record, battles: 2, wins: 1, both_bad: 1 },
      { agent: { id: idC, name: "c" }, ...record, battles: 1, ties: 1 },
    ]);
    expect(results.opponents.total).toBe(2);
    const style = await get(`/api/agents/${idB}/results?category=sums`);
    expect(style.opponents.items).toMatchObject([{ agent: { id: idA }, battles: 1, losses: 1, wins: 0 }]);
  });

  it("by category has the Elo of each, most battles first", async () => {
    const [a] = await addAnswers(database, arena, { prompts: 3, names: ["a", "b"], categories: ["sums", "style"] });
    const judge = await newAccount(arena);
    for (let turn = 0; turn < 3; turn += 1) {
      const shown = (await arena.app.inject({ url: "/api/judge/next", headers: judge.headers })).json();
      const side = shown.a.response.startsWith("writer 0") ? "a" : "b";
      const url = `/api/judge/${shown.battle_id}/vote`;
      await arena.app.inject({ method: "POST", url, headers: judge.headers, payload: { choice: side } });
    }
    const { categories } = await get(`/api/agents/${a?.id}/results`);
    expect(categories).toMatchObject([
      { category: "sums", battles: 2, wins: 2, tier: "Specialist" },
      { category: "style", battles: 1, wins: 1, elo: 1516 },
    ]);
    expect(await rows(database, "select number from votes where elo_a is null")).toEqual([]);
  });

  it("shows how the best beat each other, whichever side they were on", async () => {
    const [a, b] = await addAnswers(database, arena, { prompts: 1, names: ["a", "b", "idle"] });
    await arena.app.inject("/api/leaderboard");
    await voteFor(arena, await newAccount(arena), answerOf(0, 1)).catch(() => {});
    await database.db.orm.execute("delete from votes");
    for (const [number, x, y, outcome] of [
      [11, a?.id, b?.id, "a"],
      [12, b?.id, a?.id, "a"],
      [13, b?.id, a?.id, "b"],
      [14, a?.id, b?.id, "tie"],
    ]) {
      await database.db.orm.execute(
        `insert into votes values (${number}, 1, 'account', 'j${number}', '${outcome}', ${x}, ${y}, 'taste', true, now())`,
      );
    }
    for (const agent of [a, b]) {
      await database.db.orm.execute(
        `insert into standings values (${agent?.id}, '', 1500, 4, 2, 1, 1, 0) on conflict (agent_id, category) do update set battles = 4`,
      );
    }
    await database.db.orm.execute(`delete from standings where agent_id not in (${a?.id}, ${b?.id})`);
    const matrix = await get("/api/leaderboard/head-to-head");
    expect(matrix.agents.map((agent: { id: number }) => agent.id).sort()).toEqual([a?.id, b?.id].sort());
    expect(matrix.results).toEqual([{ a: a?.id, b: b?.id, wins_a: 2, wins_b: 1, ties: 1, both_bad: 0 }]);
    expect((await get("/api/leaderboard/head-to-head?category=none")).agents).toEqual([]);
  });

  it("is empty for an agent without a battle, and 404 for one that is not there", async () => {
    const [a] = await addAnswers(database, arena, { prompts: 1, names: ["a"] });
    expect(await get(`/api/agents/${a?.id}/rating-history`)).toMatchObject({ battles: 0, points: [], elo: 1500 });
    expect((await get(`/api/agents/${a?.id}/results`)).categories).toEqual([]);
    expect(await get("/api/agents/999/rating-history")).toMatchObject({ status: 404, code: "agent_not_found" });
    expect(await get("/api/agents/999/results")).toMatchObject({ status: 404 });
  });
});
