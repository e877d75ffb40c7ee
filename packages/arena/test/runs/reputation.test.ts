import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { computeReputation, REPUTATION } from "../../src/runs/reputation.ts";
import { chooseAgent, drawAgent, type Eligible, type Place } from "../../src/runs/selection.ts";

const NOW = Date.UTC(2030, 0, 1);
const DAY = 86_400_000;
const days = (count: number) => NOW - count * DAY;

describe("reputation", () => {
  it.each([
    ["starts at the neutral 50", [], 50],
    ["weighs one good contribution against a start of five", [{ score: 100, at: NOW }], (5 * 50 + 100) / 6],
    ["halves the weight of one that is 30 days old", [{ score: 100, at: days(30) }], (5 * 50 + 50) / 5.5],
    ["takes one from a clock ahead as of now", [{ score: 0, at: NOW + DAY }], (5 * 50) / 6],
  ])("%s", (_title, contributions, wanted) => {
    expect(computeReputation(contributions, NOW).value).toBeCloseTo(wanted, 12);
  });

  it("goes back to neutral as time passes without work", () => {
    const old = [{ score: 100, at: days(0) }];
    const values = [0, 30, 90, 365].map((later) => computeReputation(old, NOW + later * DAY).value);
    expect(values).toEqual([...values].sort((a, b) => b - a));
    expect(values.at(-1)).toBeCloseTo(50, 1);
  });

  it("lies within its contributions and the start, and does not depend on their order beyond the last digits", () => {
    const one = fc.record({
      score: fc.double({ min: 0, max: 100, noNaN: true }),
      at: fc.integer({ min: days(900), max: NOW }),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 60 }), (all) => {
        const { value, weight } = computeReputation(all, NOW);
        const scores = [50, ...all.map((each) => each.score)];
        expect(value).toBeGreaterThanOrEqual(Math.min(...scores) - 1e-9);
        expect(value).toBeLessThanOrEqual(Math.max(...scores) + 1e-9);
        expect(weight).toBeLessThanOrEqual(all.length);
        expect(computeReputation([...all].reverse(), NOW).value).toBeCloseTo(value, 9);
      }),
    );
  });
});

describe("drawing an agent", () => {
  const agent = (agentId: number, value: number, weight: number, change: Partial<Eligible> = {}): Eligible => ({
    agentId,
    accountId: agentId,
    isHouse: false,
    isModel: false,
    transport: "push",
    isFree: true,
    reputation: { value, weight },
    ...change,
  });
  const DRAWS = 20_000;
  function counts(agents: Eligible[], share: number): Map<number, number> {
    const draw = seeded(7);
    const found = new Map<number, number>();
    for (let count = 0; count < DRAWS; count += 1) {
      const id = drawAgent(agents, share, draw)?.agentId as number;
      found.set(id, (found.get(id) ?? 0) + 1);
    }
    return found;
  }
  /** Mulberry32: the same numbers on every machine. */
  function seeded(seed: number): () => number {
    let state = seed;
    return () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
  }
  /** Four standard deviations of a share of so many draws. */
  const slack = (share: number) => 4 * Math.sqrt((share * (1 - share)) / DRAWS);

  it("leaves newcomers their share, each alike, and gives the established the rest by the square of their reputation", () => {
    const agents = [agent(1, 90, 40), agent(2, 60, 40), agent(3, 50, 0), agent(4, 55, 4.9)];
    const found = counts(agents, 0.2);
    const wanted = new Map([
      [1, 0.8 * (90 ** 2 / (90 ** 2 + 60 ** 2))],
      [2, 0.8 * (60 ** 2 / (90 ** 2 + 60 ** 2))],
      [3, 0.1],
      [4, 0.1],
    ]);
    for (const [id, share] of wanted) {
      expect(Math.abs((found.get(id) ?? 0) / DRAWS - share)).toBeLessThan(slack(share));
    }
  });

  it.each([
    ["newcomers alone get all", [agent(1, 50, 0), agent(2, 50, 1)], 0.2, [0.5, 0.5]],
    ["the established alone get all", [agent(1, 50, 9), agent(2, 50, 9)], 0.2, [0.5, 0.5]],
    ["a share of nothing gives them nothing", [agent(1, 50, 0), agent(2, 50, 9)], 0, [0, 1]],
    ["a share of all gives them all", [agent(1, 50, 0), agent(2, 99, 9)], 1, [1, 0]],
    ["no reputation is so low that nothing is left", [agent(1, 0, 9), agent(2, 0, 9)], 0.2, [0.5, 0.5]],
  ] as const)("%s", (_title, agents, share, wanted) => {
    const found = counts([...agents], share);
    for (const [index, expected] of wanted.entries()) {
      expect(Math.abs((found.get(index + 1) ?? 0) / DRAWS - expected)).toBeLessThanOrEqual(slack(expected));
    }
  });

  it("gives the established's numbers their limit: weight five", () => {
    expect(REPUTATION.priorWeight).toBe(5);
  });

  const place = (change: Partial<Place> = {}): Place => ({
    waitedMs: 0,
    had: new Set(),
    unclaimed: new Set(),
    ownAccounts: new Set(),
    ...change,
  });
  const settings = { newcomerShare: 0.2, houseAfterMs: 10_000, ownAccountAfterMs: 60_000 };
  const house = agent(9, 50, 0, { isHouse: true, transport: "house" });
  const model = agent(10, 50, 0, { isHouse: true, isModel: true, transport: "house", accountId: 9 });
  const choose = (agents: Eligible[], at: Partial<Place> = {}) => {
    const choice = chooseAgent(agents, place(at), settings, seeded(1));
    return choice && [choice.agent.agentId, choice.ownAccount];
  };

  it.each([
    ["anybody from outside before the house", [agent(1, 50, 0), house], {}, [1, false]],
    ["the house at once when there is nobody else", [house], {}, [9, false]],
    ["the model before templates", [house, model], {}, [10, false]],
    ["templates after the model had its try", [house, model], { had: new Set([10]) }, [9, false]],
    ["the house again when it alone is left", [house], { had: new Set([9]) }, [9, false]],
    ["nobody while those outside are only busy", [agent(1, 50, 0, { isFree: false }), house], {}, undefined],
    [
      "the house when those outside stay busy",
      [agent(1, 50, 0, { isFree: false }), house],
      { waitedMs: 10_000 },
      [9, false],
    ],
    ["whoever had not the place before", [agent(1, 50, 0), agent(2, 50, 0)], { had: new Set([1]) }, [2, false]],
    ["whoever did not let it lie", [agent(1, 50, 0), agent(2, 50, 0)], { unclaimed: new Set([2]) }, [1, false]],
    ["whoever let it lie, when there is nobody else", [agent(1, 50, 0)], { unclaimed: new Set([1]) }, [1, false]],
    [
      "the house before an agent that judges its own",
      [agent(1, 50, 0), house],
      { ownAccounts: new Set([1]) },
      [9, false],
    ],
    [
      "the house on its own work before that, marked",
      [agent(1, 50, 0), house],
      { ownAccounts: new Set([1, 9]) },
      [9, true],
    ],
    [
      "an agent on its own work when nobody else exists, marked",
      [agent(1, 50, 0)],
      { ownAccounts: new Set([1]) },
      [1, true],
    ],
    [
      "nobody on their own work while another is only busy",
      [agent(1, 50, 0), agent(2, 50, 0, { isFree: false })],
      { ownAccounts: new Set([1]), waitedMs: 59_999 },
      undefined,
    ],
    [
      "an agent on its own work when others stay busy, marked",
      [agent(1, 50, 0), agent(2, 50, 0, { isFree: false })],
      { ownAccounts: new Set([1]), waitedMs: 60_000 },
      [1, true],
    ],
  ] as const)("takes %s", (_title, agents, at, wanted) => {
    expect(choose([...agents], at)).toEqual(wanted);
  });
});
