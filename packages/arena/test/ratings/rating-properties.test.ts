import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitRatings } from "../../src/ratings/bradley-terry.ts";
import { applyElo, type Outcome } from "../../src/ratings/elo.ts";
import { competitionRanks, rankIntervals } from "../../src/ratings/rank-intervals.ts";
import { rateCells } from "../../src/ratings/rating-table.ts";
import { type Battle, countBattles } from "./shared-ratings.ts";

const NAMES = ["ada", "bo", "cy", "di", "eve", "flo"];
const outcome = fc.constantFrom<Outcome[]>("a", "b", "tie", "both_bad");
const battle = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...NAMES), outcome, fc.integer({ min: 1, max: 9 }))
  .filter(([a, b]) => a !== b) as fc.Arbitrary<Battle>;
const log = fc.array(battle, { minLength: 1, maxLength: 30 });
const model = fc.constantFrom<("bt" | "davidson")[]>("bt", "davidson");

const SWAPPED = { a: "b", b: "a", tie: "tie", both_bad: "both_bad" } as const;
const ratingsOf = (battles: readonly Battle[], options: Parameters<typeof rateCells>[1] = {}) =>
  new Map(rateCells(countBattles(battles), options).items.map((item) => [item.name, item]));

describe("ratings of any log", () => {
  it("are finite with their intervals, have mean 1500 in each group, and leave no slope", () => {
    fc.assert(
      fc.property(log, model, (battles, kind) => {
        const table = rateCells(countBattles(battles), { model: kind });
        expect(table.components.map((each) => each.problem)).toEqual(table.components.map(() => undefined));
        const sums = new Map<number, number[]>();
        for (const { component, rating, se, ciLow, ciHigh } of table.items) {
          for (const value of [rating, se, ciLow, ciHigh]) expect(Number.isFinite(value)).toBe(true);
          sums.set(component as number, [...(sums.get(component as number) ?? []), rating as number]);
        }
        for (const ratings of sums.values()) {
          expect(ratings.reduce((sum, each) => sum + each) / ratings.length).toBeCloseTo(1500, 6);
        }
        for (const group of fitRatings(countBattles(battles), { model: kind }))
          expect(group.gradient).toBeLessThan(1e-8);
      }),
    );
  });

  it("stay the same when the sides of all records are swapped, and whatever their order", () => {
    fc.assert(
      fc.property(log, model, (battles, kind) => {
        const swapped = battles.map(([a, b, ending, count]): Battle => [b, a, SWAPPED[ending], count]);
        const whole = rateCells(countBattles(battles), { model: kind });
        expect(rateCells(countBattles(swapped.toReversed()), { model: kind })).toEqual(whole);
      }),
    );
  });

  it("move nobody when a pair joins that met none of them, nor when an agent without a battle does", () => {
    fc.assert(
      fc.property(log, outcome, model, (battles, ending, kind) => {
        const before = ratingsOf(battles, { model: kind });
        const after = ratingsOf([...battles, ["zed", "zoe", ending, 3]], { model: kind });
        for (const [name, { rating, se, rankLow, rankHigh }] of before) {
          expect(after.get(name)).toMatchObject({ rating, se, rankLow, rankHigh });
        }
      }),
    );
  });

  it("never fall for who wins one more battle, nor rise for who loses it", () => {
    fc.assert(
      fc.property(log, battle, fc.constantFrom(0.01, 0.1, 1), (battles, [winner, loser], prior) => {
        // Both have met the rest already: a first battle moves an agent to another group, with another mean.
        const connected: Battle[] = [...battles, ...NAMES.slice(1).map((name): Battle => ["ada", name, "tie", 1])];
        const before = ratingsOf(connected, { prior });
        const after = ratingsOf([...connected, [winner, loser, "a"]], { prior });
        const gain = (name: string) => (after.get(name)?.rating as number) - (before.get(name)?.rating as number);
        expect(gain(winner)).toBeGreaterThan(-1e-6);
        expect(gain(loser)).toBeLessThan(1e-6);
      }),
    );
  });

  it("grow with the evidence of an unbeaten agent, and stay finite", () => {
    let last = 1500;
    for (const wins of [1, 2, 5, 10, 100, 10_000]) {
      const rating = ratingsOf([["ada", "bo", "a", wins]]).get("ada")?.rating as number;
      expect(rating).toBeGreaterThan(last);
      last = rating;
    }
    expect(last).toBeLessThan(2700);
  });

  it("have wide intervals after a single win: nobody is known by one battle", () => {
    const { rating, ciLow } = ratingsOf([["ada", "bo", "a"]]).get("ada") ?? {};
    expect(rating as number).toBeGreaterThan(1700);
    expect(ciLow as number).toBeLessThan(1500);
  });
});

describe("the reference values (plain maximum likelihood, mean 1500)", () => {
  const plain = (battles: Battle[]) =>
    [...ratingsOf(battles, { prior: 0 })]
      .sort(([x], [y]) => (x < y ? -1 : 1))
      .map(([, { rating }]) => Number(rating?.toFixed(4)));

  it("are 190.8485 between agents that met 3 to 1, as with a win and a tie", () => {
    expect(
      plain([
        ["A", "B", "a", 3],
        ["B", "A", "a"],
      ]),
    ).toEqual([1595.4243, 1404.5757]);
    expect(
      plain([
        ["A", "B", "a"],
        ["B", "A", "both_bad"],
      ]),
    ).toEqual([1595.4243, 1404.5757]);
  });

  it("are equal where all tie, or three beat each other in a ring", () => {
    expect(
      plain([
        ["A", "B", "tie", 4],
        ["B", "C", "both_bad", 2],
      ]),
    ).toEqual([1500, 1500, 1500]);
    expect(
      plain([
        ["A", "B", "a"],
        ["B", "C", "a"],
        ["C", "A", "a"],
      ]),
    ).toEqual([1500, 1500, 1500]);
  });

  it("spread evenly where each beats the next 2 to 1", () => {
    const twoToOne = (winner: string, loser: string): Battle[] => [
      [winner, loser, "a", 2],
      [winner, loser, "b"],
    ];
    expect(plain([...twoToOne("A", "B"), ...twoToOne("B", "C")])).toEqual([1620.412, 1500, 1379.588]);
  });

  it("follow the order of strength in a consistent double round robin", () => {
    const battles = NAMES.flatMap((strong, index) =>
      NAMES.slice(index + 1).flatMap((weak): Battle[] => [
        [strong, weak, "a"],
        [weak, strong, "b"],
      ]),
    );
    expect(fitRatings(countBattles(battles), { prior: 0 })[0]?.problem).toBe("no finite ratings");
    expect(rateCells(countBattles(battles)).items.map((item) => item.name)).toEqual(NAMES);
  });

  it("of separate groups are fitted apart and marked: 190.85 within one, 0 within the other", () => {
    const battles: Battle[] = [
      ["A", "B", "a", 3],
      ["A", "B", "b"],
      ["C", "D", "a"],
      ["C", "D", "b"],
    ];
    expect(plain(battles)).toEqual([1595.4243, 1404.5757, 1500, 1500]);
    const groups = [...ratingsOf(battles).values()].map(({ name, component }) => [name, component]);
    expect(Object.fromEntries(groups)).toEqual({ A: 1, B: 1, C: 2, D: 2 });
  });

  it("leave out an agent's battle against itself", () => {
    const cells = countBattles([
      ["A", "B", "a", 3],
      ["A", "A", "a", 5],
      ["B", "A", "a"],
    ]);
    expect(rateCells(cells, { prior: 0 }).items.map(({ rating, games }) => [rating?.toFixed(4), games])).toEqual([
      ["1595.4243", 4],
      ["1404.5757", 4],
    ]);
  });

  it("count both bad apart, for both sides", () => {
    const agents = ratingsOf([
      ["A", "B", "a"],
      ["A", "B", "both_bad"],
      ["B", "C", "a"],
    ]);
    expect(agents.get("A")).toMatchObject({ games: 2, wins: 1, losses: 0, ties: 0, bothBad: 1 });
    expect(agents.get("B")).toMatchObject({ games: 3, wins: 1, losses: 1, ties: 0, bothBad: 1 });
  });
});

describe("Elo", () => {
  it("conserves its sum, whatever is played", () => {
    fc.assert(
      fc.property(log, (battles) => {
        const elos = new Map(NAMES.map((name) => [name, 1500]));
        for (const [a, b, ending] of battles) {
          const [nextA, nextB] = applyElo(elos.get(a) as number, elos.get(b) as number, ending);
          elos.set(a, nextA).set(b, nextB);
        }
        expect([...elos.values()].reduce((sum, elo) => sum + elo, 0)).toBeCloseTo(1500 * NAMES.length, 8);
      }),
    );
  });
});

describe("ranks", () => {
  it("of equals are equal, and the next ones are left out", () => {
    expect(competitionRanks([1600, 1550, 1550, 1500])).toEqual([1, 2, 2, 4]);
    expect(competitionRanks([999, 10_000, 1000])).toEqual([3, 1, 2]);
  });

  it("go from behind those who are certainly ahead to before those who are certainly behind", () => {
    const intervals = [
      { low: 1600, high: 1700 },
      { low: 1500, high: 1620 },
      { low: 1400, high: 1510 },
      { low: 1000, high: 1100 },
    ];
    expect(rankIntervals(intervals)).toEqual([
      { best: 1, worst: 2 },
      { best: 1, worst: 3 },
      { best: 2, worst: 3 },
      { best: 4, worst: 4 },
    ]);
  });

  it("always hold the agent's own place", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 30 }))), (made) => {
        const middles = made.map(([middle]) => middle);
        const intervals = made.map(([middle, half]) => ({ low: middle - half, high: middle + half }));
        const ranks = competitionRanks(middles);
        for (const [index, { best, worst }] of rankIntervals(intervals).entries()) {
          expect(best).toBeLessThanOrEqual(ranks[index] as number);
          expect(worst).toBeGreaterThanOrEqual(ranks[index] as number);
        }
      }),
    );
  });
});
