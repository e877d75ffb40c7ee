import { describe, expect, it } from "vitest";
import { fitRatings, type GroupFit } from "../../src/ratings/bradley-terry.ts";
import type { PairCells } from "../../src/ratings/pair-counts.ts";
import { POINTS, rateCells } from "../../src/ratings/rating-table.ts";
import { type Battle, countBattles, hasSharedRatings, outcomeOfScore, readCsv, readJson } from "./shared-ratings.ts";

type Options = Parameters<typeof fitRatings>[1];

/** The only group of a fit by plain maximum likelihood. */
function fitWhole(cells: PairCells, options: Options = {}): GroupFit & { names: readonly string[] } {
  const groups = fitRatings(cells, { prior: 0, ...options });
  expect(groups).toHaveLength(1);
  const [group] = groups as [GroupFit];
  expect(group.problem).toBeUndefined();
  expect(group.gradient).toBeLessThan(1e-8);
  return { ...group, names: cells.names };
}

/** Strengths and standard errors of all against one of them, rounded to as many digits as are printed. */
function against(fit: ReturnType<typeof fitWhole>, reference: string, digits: number) {
  const zero = fit.names.indexOf(reference);
  return Object.fromEntries(
    fit.names.map((name, index) => {
      const strength = (fit.strengths[index] as number) - (fit.strengths[zero] as number);
      return [name, [round(strength, digits), round(fit.errors?.ofDifference?.(index, zero) ?? Number.NaN, digits)]];
    }),
  );
}

const round = (value: number, digits: number) => Number(value.toFixed(digits)) + 0;

/** Twice what the best possible model of the rows would have in log likelihood over ours. */
function deviance(rows: readonly (readonly [wins: number, losses: number])[], logLikelihood: number): number {
  const term = (part: number, whole: number) => (part === 0 ? 0 : part * Math.log(part / whole));
  const saturated = rows.reduce((sum, [w, l]) => sum + term(w, w + l) + term(l, w + l), 0);
  return 2 * (saturated - logLikelihood);
}

function expectPoints(fit: ReturnType<typeof fitWhole>, mean: number, table: Record<string, [number, number]>) {
  for (const [name, [rating, se]] of Object.entries(table)) {
    const index = fit.names.indexOf(name);
    const decimals = String(rating).split(".")[1]?.length ?? 0;
    expect(mean + POINTS * (fit.strengths[index] as number), name).toBeCloseTo(rating, decimals);
    expect(POINTS * (fit.errors?.model[index] as number), name).toBeCloseTo(se, decimals);
  }
}

// Stigler 1994, in Agresti 2002, p. 448: citations between four statistics journals, winner is who is cited.
const [BIOMETRIKA, COMMUNICATIONS, JASA, JRSS] = ["Biometrika", "Comm Statist", "JASA", "JRSS-B"];
const CITATIONS: Battle[] = [
  [BIOMETRIKA, COMMUNICATIONS, "a", 730],
  [BIOMETRIKA, JASA, "a", 498],
  [BIOMETRIKA, JRSS, "a", 221],
  [COMMUNICATIONS, BIOMETRIKA, "a", 33],
  [COMMUNICATIONS, JASA, "a", 68],
  [COMMUNICATIONS, JRSS, "a", 17],
  [JASA, BIOMETRIKA, "a", 320],
  [JASA, COMMUNICATIONS, "a", 813],
  [JASA, JRSS, "a", 142],
  [JRSS, BIOMETRIKA, "a", 284],
  [JRSS, COMMUNICATIONS, "a", 276],
  [JRSS, JASA, "a", 325],
];

describe("citations between four journals (Stigler 1994; Agresti 2002, p. 448)", () => {
  const cells = countBattles(CITATIONS);
  const fit = fitWhole(cells);

  it("are strengths to the four decimals that are printed, against either reference", () => {
    const strengths = (reference: string) => Object.values(against(fit, reference, 4)).map(([strength]) => strength);
    expect(strengths(BIOMETRIKA)).toEqual([0, -2.9491, -0.4796, 0.269]);
    expect(strengths(JASA)).toEqual([0.4796, -2.4695, 0, 0.7485]);
  });

  it("are strengths and standard errors to ten decimals of an independent fit", () => {
    expect(against(fit, BIOMETRIKA, 10)).toEqual({
      [BIOMETRIKA]: [0, 0],
      [COMMUNICATIONS]: [-2.9490724968, 0.1025453355],
      [JASA]: [-0.4795697698, 0.0605887292],
      [JRSS]: [0.2689540558, 0.0708299651],
    });
  });

  it("have the residual deviance that is printed", () => {
    const rows = Array.from(cells.a, (_, cell) => [cells.winsA[cell] as number, cells.winsB[cell] as number] as const);
    expect(deviance(rows, fit.logLikelihood)).toBeCloseTo(4.293, 3);
  });

  it("are points on the Elo scale with the standard errors of centred ratings", () => {
    expectPoints(fit, 1500, {
      [BIOMETRIKA]: [1637.223515, 7.527273],
      [COMMUNICATIONS]: [1124.917151, 12.608393],
      [JASA]: [1553.913714, 7.233785],
      [JRSS]: [1683.94562, 9.215206],
    });
  });

  it("are the bias-reduced strengths when each pair's leverage is added as half wins (Firth's correction)", () => {
    let corrected = fit;
    for (let round = 0; round < 50; round += 1) {
      const added = (cell: number) => {
        const [a, b] = [cells.a[cell] as number, cells.b[cell] as number];
        const x = (corrected.strengths[a] as number) - (corrected.strengths[b] as number);
        const p = 1 / (1 + Math.exp(-x));
        const battles = (cells.winsA[cell] as number) + (cells.winsB[cell] as number);
        return (battles * p * (1 - p) * (corrected.errors?.ofDifference?.(a, b) as number) ** 2) / 2;
      };
      const once = fitWhole({
        ...cells,
        winsA: cells.winsA.map((wins, cell) => wins + added(cell)),
        winsB: cells.winsB.map((wins, cell) => wins + added(cell)),
      });
      // The errors are to stay those of the battles themselves.
      corrected = { ...once, errors: fitAt(once) };
    }
    expect(Object.values(against(corrected, BIOMETRIKA, 4)).map(([strength]) => strength)).toEqual([
      0, -2.9444, -0.4791, 0.2685,
    ]);

    function fitAt(at: GroupFit): GroupFit["errors"] {
      // Battles that came out exactly as expected have these strengths and the information of as many battles.
      const expected = (cell: number) => {
        const x = (at.strengths[cells.a[cell] as number] as number) - (at.strengths[cells.b[cell] as number] as number);
        return 1 / (1 + Math.exp(-x));
      };
      const battles = cells.winsA.map((wins, cell) => wins + (cells.winsB[cell] as number));
      return fitWhole({
        ...cells,
        winsA: battles.map((count, cell) => count * expected(cell)),
        winsB: battles.map((count, cell) => count * (1 - expected(cell))),
      }).errors;
    }
  });
});

// Source: the Wikipedia article "Bradley–Terry model", worked example; strengths scaled to geometric mean 1.
describe("the 22 games of Wikipedia's example, in which two pairs never meet", () => {
  it("have the strengths that are printed, and ten more digits of an independent fit", () => {
    const fit = fitWhole(
      countBattles([
        ["A", "B", "a", 2],
        ["B", "A", "a", 3],
        ["A", "D", "a", 1],
        ["D", "A", "a", 4],
        ["B", "C", "a", 5],
        ["C", "B", "a", 3],
        ["C", "D", "a", 1],
        ["D", "C", "a", 3],
      ]),
    );
    const worths = Array.from(fit.strengths, Math.exp);
    expect(worths.map((worth) => round(worth, 3))).toEqual([0.64, 1.043, 0.66, 2.27]);
    expect(worths.map((worth) => round(worth, 10))).toEqual([0.639834815, 1.0433144031, 0.6598101958, 2.2703766281]);
  });
});

// Davidson 1970, JASA 65, example 2: six brands of chocolate pudding. Wins of i, wins of j, no preference.
const PUDDINGS: [number, number, number, number, number][] = [
  [1, 2, 19, 22, 16],
  [1, 3, 16, 19, 12],
  [2, 3, 19, 19, 10],
  [1, 4, 18, 23, 13],
  [2, 4, 23, 19, 9],
  [3, 4, 19, 20, 15],
  [1, 5, 13, 19, 18],
  [2, 5, 16, 20, 12],
  [3, 5, 16, 15, 17],
  [4, 5, 17, 14, 16],
  [1, 6, 18, 21, 12],
  [2, 6, 22, 20, 12],
  [3, 6, 13, 18, 10],
  [4, 6, 14, 19, 18],
  [5, 6, 11, 21, 12],
];

describe("chocolate puddings (Davidson 1970)", () => {
  const cells = countBattles(
    PUDDINGS.flatMap(([i, j, first, second, tied]): Battle[] => [
      [String(i), String(j), "a", first],
      [String(i), String(j), "b", second],
      [String(i), String(j), "tie", tied],
    ]),
  );
  const fit = fitWhole(cells, { model: "davidson" });

  it("have the worths, tie parameter and likelihood of the true maximum", () => {
    const worths = Array.from(fit.strengths, Math.exp);
    const sum = worths.reduce((total, worth) => total + worth);
    expect(worths.map((worth) => round(worth / sum, 10))).toEqual([
      0.1388033752, 0.1730015, 0.161747434, 0.1653729578, 0.1586853946, 0.2023893385,
    ]);
    expect(round(fit.tie?.value ?? 0, 10)).toBe(0.7468229877);
    expect(round(fit.logLikelihood, 6)).toBe(-809.70951);
  });

  it("have the published figures, which were stopped before the maximum, within what that makes", () => {
    const worths = Array.from(fit.strengths, Math.exp);
    const sum = worths.reduce((total, worth) => total + worth);
    const published = [0.1388005, 0.1729985, 0.161742, 0.165393, 0.1586805, 0.2023855];
    for (const [index, worth] of published.entries())
      expect(Math.abs((worths[index] as number) / sum - worth)).toBeLessThan(2.5e-5);
    const logs = Object.values(against(fit, "1", 10));
    for (const [index, [log, se]] of [
      [0, 0],
      [0.2202447, 0.1872168],
      [0.1529644, 0.1935181],
      [0.1752864, 0.188211],
      [0.133855, 0.1927043],
      [0.3771362, 0.1924059],
    ].entries()) {
      expect(Math.abs((logs[index]?.[0] as number) - (log as number))).toBeLessThan(1.5e-4);
      expect(Math.abs((logs[index]?.[1] as number) - (se as number))).toBeLessThan(5e-7);
    }
    expect(Array.from(fit.errors?.model ?? [], (se) => round(se, 6))).toEqual([
      0.121949, 0.121818, 0.126823, 0.122003, 0.127054, 0.126594,
    ]);
    const centred = [-0.176581, 0.043664, -0.023617, -0.001295, -0.042726, 0.200555];
    for (const [index, log] of centred.entries())
      expect(Math.abs((fit.strengths[index] as number) - log)).toBeLessThan(1.5e-4);
    expect(fit.tie?.value).toBeCloseTo(0.7468147, 4);
    expect(round(Math.log(fit.tie?.value ?? 0), 4)).toBe(-0.2919);
    expect(round(fit.tie?.seOfLog ?? 0, 4)).toBe(0.0825);
    expect(round(-2 * fit.logLikelihood, 1)).toBe(1619.4);
  });

  it("are in the same order but nearer to each other when ties are half wins", () => {
    const half = fitWhole(cells);
    expect(Array.from(half.strengths, (strength) => round(strength, 8))).toEqual([
      -0.12850924, 0.03179958, -0.01716581, -0.0010289, -0.03107886, 0.14598323,
    ]);
    expect(Array.from(half.errors?.model ?? [], (se) => round(se, 8))).toEqual([
      0.10396147, 0.10392875, 0.10820456, 0.10409205, 0.1083974, 0.10790136,
    ]);
  });
});

describe.skipIf(!hasSharedRatings)("outcomes with published results (../shared/data/ratings)", () => {
  it("the small tables above are those of the files", () => {
    const citations = readCsv("citations/citations.csv");
    expect(
      citations.map((row): Battle => [row.winner_cited as string, row.loser_citing as string, "a", Number(row.count)]),
    ).toEqual(CITATIONS);
    const puddings = readCsv("pudding_davidson/pudding.csv");
    expect(puddings.map((row) => [row.i, row.j, row.w_ij, row.w_ji, row.t_ij].map(Number))).toEqual(PUDDINGS);
  });

  describe("American League East 1987 (Agresti 2002, p. 438)", () => {
    const rows = hasSharedRatings ? readCsv("baseball1987/baseball.csv") : [];
    const cells = countBattles(
      rows.flatMap((row): Battle[] => [
        [row.home_team as string, row.away_team as string, "a", Number(row.home_wins)],
        [row.home_team as string, row.away_team as string, "b", Number(row.away_wins)],
      ]),
      { keepSides: true },
    );
    const results = rows.map((row) => [Number(row.home_wins), Number(row.away_wins)] as const);

    it("has the abilities, standard errors and deviance that are printed", () => {
      const fit = fitWhole(cells);
      expect(against(fit, "Baltimore", 4)).toEqual({
        Baltimore: [0, 0],
        Boston: [1.1077, 0.3339],
        Cleveland: [0.6839, 0.3319],
        Detroit: [1.4364, 0.3396],
        Milwaukee: [1.5814, 0.3433],
        "New York": [1.2476, 0.3359],
        Toronto: [1.2945, 0.3367],
      });
      expect(against(fit, "Baltimore", 10)).toEqual({
        Baltimore: [0, 0],
        Boston: [1.1076977054, 0.333878207],
        Cleveland: [0.6838527692, 0.3318766727],
        Detroit: [1.4364084318, 0.3395685064],
        Milwaukee: [1.5813558767, 0.3432559816],
        "New York": [1.2476178451, 0.3358609225],
        Toronto: [1.2944851239, 0.3366694014],
      });
      expect(deviance(results, fit.logLikelihood)).toBeCloseTo(44.053, 3);
      expectPoints(fit, 1500, {
        Baltimore: [1317.561133, 40.382837],
        Boston: [1509.987934, 34.903218],
        Cleveland: [1436.358527, 35.619847],
        Detroit: [1567.090836, 35.465627],
        Milwaukee: [1592.270786, 36.032454],
        "New York": [1534.294552, 35.022158],
        Toronto: [1542.436232, 35.101681],
      });
    });

    it("has the home advantage that is printed, and the abilities beside it", () => {
      const fit = fitWhole(cells, { sideAdvantage: true });
      expect([round(fit.side?.value ?? 0, 4), round(fit.side?.se ?? 0, 4)]).toEqual([0.3023, 0.1309]);
      expect(deviance(results, fit.logLikelihood)).toBeCloseTo(38.643, 3);
      const table = against(fit, "Baltimore", 12);
      for (const [team, [ability, se]] of Object.entries({
        Boston: [1.1438027, 0.3378422],
        Cleveland: [0.7046945, 0.3350014],
        Detroit: [1.4753572, 0.3445518],
        Milwaukee: [1.619555, 0.3473653],
        "New York": [1.2813404, 0.3404034],
        Toronto: [1.3271104, 0.3403222],
      } as Record<string, [number, number]>)) {
        expect(round(table[team]?.[0] as number, 7), team).toBe(ability);
        // R takes these from the weights of its last step but one, which is this far from the end.
        expect(Math.abs((table[team]?.[1] as number) - se), team).toBeLessThan(5e-7);
      }
      const worths = Array.from(fit.strengths, Math.exp);
      const sum = worths.reduce((total, worth) => total + worth);
      expect(worths.map((worth) => round(worth / sum, 3)).sort()).toEqual([
        0.044, 0.088, 0.137, 0.157, 0.164, 0.19, 0.22,
      ]);
    });
  });

  it("the games of Wikipedia's example are those above", () => {
    const games = readCsv("wikipedia_bt/games.csv");
    const cells = countBattles(
      games.map((row): Battle => [row.winner as string, row.loser as string, "a", Number(row.count)]),
    );
    expect(Array.from(fitWhole(cells).strengths, (strength) => round(Math.exp(strength), 10))).toEqual([
      0.639834815, 1.0433144031, 0.6598101958, 2.2703766281,
    ]);
  });

  interface ChoixCase {
    name: string;
    n_items: number;
    winner_loser: [number, number][];
    penalty_alpha: number;
    estimate: number[] | null;
    digits: number;
  }
  const cases = hasSharedRatings ? readJson<ChoixCase[]>("choix/cases.json") : [];
  it.each(cases.map((each) => [each.name, each] as const))(
    "choix: %s",
    (_name, { winner_loser, penalty_alpha, estimate, digits }) => {
      const cells = countBattles(winner_loser.map(([winner, loser]): Battle => [String(winner), String(loser), "a"]));
      // A penalty of alpha times the squares is the prior of 8 alpha draws.
      const [fit] = fitRatings(cells, { prior: 8 * penalty_alpha });
      if (estimate === null) {
        expect(fit?.problem).toBe("no finite ratings");
        return;
      }
      expect(fit?.problem).toBeUndefined();
      const printed = Math.min(digits, 8);
      for (const [item, strength] of estimate.entries()) {
        expect(Math.abs((fit?.strengths[item] as number) - strength), `item ${item}`).toBeLessThan(
          0.51 * 10 ** -printed,
        );
      }
    },
  );

  it("choix: item 1 beats item 4 with probability 0.69 in the notebook's case", () => {
    const { winner_loser } = cases.find((each) => each.name === "intro-pairwise.ipynb") as ChoixCase;
    const fit = fitWhole(countBattles(winner_loser.map(([w, l]): Battle => [String(w), String(l), "a"])));
    const x = (fit.strengths[1] as number) - (fit.strengths[4] as number);
    expect(round(1 / (1 + Math.exp(-x)), 2)).toBe(0.69);
    expect(
      [...fit.strengths.keys()].sort((i, j) => (fit.strengths[i] as number) - (fit.strengths[j] as number)),
    ).toEqual([4, 3, 2, 1, 0]);
  });

  describe("GPT-4's reviews of Vicuna and its baselines", () => {
    const reviews = hasSharedRatings ? readCsv("vicuna_gpt4_reviews/reviews.csv") : [];
    const cells = countBattles(
      reviews.map(
        (row): Battle => [row.player_a as string, row.player_b as string, outcomeOfScore(Number(row.outcome_a))],
      ),
    );

    it("give the ratings and standard errors of an independent fit", () => {
      expect(reviews).toHaveLength(1040);
      expectPoints(fitWhole(cells), 1000, {
        gpt35: [1265.9159, 23.4761],
        "vicuna-13b-new-hp": [1161.6098, 24.328],
        "vicuna-13b-clean-lang": [1150.015, 24.1697],
        bard: [1113.9787, 22.1178],
        "vicuna-7b": [1069.5827, 23.3221],
        "alpaca-13b": [692.5547, 28.772],
        "llama-13b": [546.3431, 34.2466],
      });
    });

    it("have the total scores that were published, and the share in which Vicuna was at least as good", () => {
      const totals = (baseline: string) => {
        const rows = reviews.filter((row) => row.player_a === baseline && row.player_b === "vicuna-13b-clean-lang");
        const sum = (field: string) => rows.reduce((total, row) => total + Number(row[field]), 0);
        return [sum("score_a"), sum("score_b"), rows.filter((row) => Number(row.outcome_a) < 1).length];
      };
      expect(totals("llama-13b").slice(0, 2)).toEqual([513, 694]);
      expect(totals("alpaca-13b").slice(0, 2)).toEqual([583, 704]);
      expect(totals("bard").slice(0, 2)).toEqual([664, 655.5]);
      expect(totals("gpt35")).toEqual([693, 638, 36]);
    });

    it("move by less than one point under the usual prior", () => {
      const plain = rateCells(cells, { prior: 0 });
      for (const [index, agent] of rateCells(cells).items.entries()) {
        expect(agent.name).toBe(plain.items[index]?.name);
        expect(Math.abs((agent.rating as number) - (plain.items[index]?.rating as number))).toBeLessThan(1);
      }
    });
  });
});
