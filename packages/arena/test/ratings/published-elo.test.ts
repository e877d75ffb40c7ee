import { describe, expect, it } from "vitest";
import { applyElo, expectedScore, type Outcome } from "../../src/ratings/elo.ts";
import { hasSharedRatings, outcomeOfScore, readCsv } from "./shared-ratings.ts";

describe("Elo's published examples", () => {
  // Source: Wikipedia, "Elo rating system": a player of 1613, K 32, in one event.
  const OPPONENTS: [elo: number, outcome: Outcome][] = [
    [1609, "b"],
    [1477, "tie"],
    [1388, "a"],
    [1586, "a"],
    [1720, "b"],
  ];

  it("has the expectations of Wikipedia's event, and its new rating when the event is one update", () => {
    const expectations = OPPONENTS.map(([elo]) => expectedScore(1613, elo));
    expect(expectations.map((each) => each.toFixed(2))).toEqual(["0.51", "0.69", "0.79", "0.54", "0.35"]);
    expect(expectations.reduce((sum, each) => sum + each).toFixed(6)).toBe("2.866566");
    const moved = OPPONENTS.reduce((sum, [elo, outcome]) => sum + applyElo(1613, elo, outcome)[0] - 1613, 1613);
    expect(moved.toFixed(6)).toBe("1601.269877");
    expect(Math.round(moved)).toBe(1601);
  });

  it("ends elsewhere when each game of the event is an update of its own", () => {
    expect(OPPONENTS.reduce((own, [elo, outcome]) => applyElo(own, elo, outcome)[0], 1613).toFixed(6)).toBe(
      "1603.191184",
    );
  });

  it("gives 16 points to the first winner among equals, and nearly takes them back", () => {
    const [a, b] = applyElo(1500, 1500, "a");
    expect([a, b]).toEqual([1516, 1484]);
    expect(applyElo(a, b, "b").map((elo) => elo.toFixed(6))).toEqual(["1498.530498", "1501.469502"]);
    expect(applyElo(1600, 1400, "tie").map((elo) => elo.toFixed(6))).toEqual(["1591.688098", "1408.311902"]);
  });

  it.skipIf(!hasSharedRatings)("is logistic, and so not FIDE's table", () => {
    const table = readCsv("elo_examples/fide_8_1a.csv");
    expect(table.length).toBeGreaterThan(40);
    const farthest = Math.max(
      ...table
        .map((row) => Object.values(row).map(Number))
        .map(([p = 0, dp = 0]) => Math.abs(expectedScore(dp, 0) - p)),
    );
    expect(farthest).toBeGreaterThan(0.009);
  });
});

describe.skipIf(!hasSharedRatings)("every NFL game from 1920 on, as FiveThirtyEight rated them", () => {
  /** Points that decide more of a game move more; less so where the favourite won anyway. */
  function multiplier(margin: number, winnersLead: number | undefined): number {
    return Math.log(Math.max(margin, 1) + 1) * (winnersLead === undefined ? 2.2 : 2.2 / (2.2 + 0.001 * winnersLead));
  }

  it("replays to every rating and probability of the file, and to the published score of the forecasts", () => {
    const elos = new Map(readCsv("nfl_elo/initial_elos.csv").map((row) => [row.team as string, Number(row.elo)]));
    const seasons = new Map<string, string>();
    const games = readCsv("nfl_elo/nfl_games.csv");
    expect(games).toHaveLength(16_810);
    let [gapElo, gapChance, specials] = [0, 0, 0];
    const points = new Map<string, { replayed: number; filed: number }>();
    for (const game of games) {
      const sides = [game.team1 as string, game.team2 as string] as const;
      const filed = [Number(game.elo1), Number(game.elo2)];
      for (const [index, team] of sides.entries()) {
        const last = seasons.get(team);
        let elo = elos.get(team) as number;
        if (last !== undefined && last !== game.season) {
          elo = 1505 / 3 + (2 / 3) * elo;
          // Clubs that merged or came back begin with a rating of their own: eleven listed exceptions.
          if (Math.abs(elo - (filed[index] as number)) > 0.01) {
            elo = filed[index] as number;
            specials += 1;
          }
        }
        elos.set(team, elo);
        seasons.set(team, game.season as string);
      }
      const [elo1, elo2] = sides.map((team) => elos.get(team) as number) as [number, number];
      gapElo = Math.max(gapElo, Math.abs(elo1 - (filed[0] as number)), Math.abs(elo2 - (filed[1] as number)));
      const advantage = game.neutral === "1" ? 0 : 65;
      const chance = expectedScore(elo1, elo2, advantage);
      gapChance = Math.max(gapChance, Math.abs(chance - Number(game.elo_prob1)));

      const result = Number(game.result1);
      const lead = elo1 - elo2 + advantage;
      const winnersLead = result === 0.5 ? undefined : result === 1 ? lead : -lead;
      const k = 20 * multiplier(Math.abs(Number(game.score1) - Number(game.score2)), winnersLead);
      const [next1, next2] = applyElo(elo1, elo2, outcomeOfScore(result), { k, advantage });
      elos.set(sides[0], next1).set(sides[1], next2);

      if (result === 0.5) continue;
      const season = points.get(game.season as string) ?? { replayed: 0, filed: 0 };
      const scoreOf = (forecast: number) => {
        // In whole hundredths, so that halves are exactly halves; the nearest tenth of a point, halves upwards.
        const miss = Number(forecast.toFixed(2)) * 100 - result * 100;
        return (Math.round(250 - Math.round(miss) ** 2 / 10) / 10) * (game.playoff === "1" ? 2 : 1);
      };
      season.replayed += scoreOf(chance);
      season.filed += scoreOf(Number(game.elo_prob1));
      points.set(game.season as string, season);
    }
    expect(specials).toBeLessThanOrEqual(11);
    expect(gapElo).toBeLessThan(0.001);
    expect(gapChance).toBeLessThan(2e-6);
    const mean = (kind: "replayed" | "filed") =>
      [...points.values()].reduce((sum, season) => sum + season[kind], 0) / points.size;
    expect(mean("filed").toFixed(2)).toBe("648.24");
    expect(mean("replayed").toFixed(2)).toBe("648.24");
  });
});
