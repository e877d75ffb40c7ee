/** The numbers behind every reputation; docs/scoring.md explains them. */
export const REPUTATION = {
  /** Where everybody starts, of 100. */
  neutral: 50,
  /** The neutral start weighs as much as this many contributions of today. */
  priorWeight: 5,
  /** After so many days a contribution weighs half. */
  halfLifeDays: 30,
  /** Older ones beyond this many are left out; they would weigh next to nothing. */
  latest: 200,
} as const;

export interface Contribution {
  score: number;
  /** Milliseconds since the epoch. */
  at: number;
}

export interface Reputation {
  /** From 0 to 100. */
  value: number;
  /** Sum of the contributions' weights: how much the value rests on. */
  weight: number;
}

const DAY_MS = 86_400_000;

/** What a contribution weighs at a moment: 1 on its day, half after the half-life. One of a clock ahead is of now. */
export function weightOf(at: number, now: number): number {
  return 2 ** (-(Math.max(0, now - at) / DAY_MS) / REPUTATION.halfLifeDays);
}

/**
 * A Bayesian average: contributions, weighted by age, and the neutral start. Without contributions it is 50, and an
 * agent that stops goes back there by and by. The sum of weights is a function of the stored contributions and the
 * moment, and of nothing else, so that whoever has these gets the same number. `total` is the sum of weight × score.
 */
export function computeReputation(contributions: readonly Contribution[], now: number): Reputation & { total: number } {
  let weight = 0;
  let total = 0;
  for (const { score, at } of contributions) {
    const each = weightOf(at, now);
    weight += each;
    total += each * score;
  }
  return { ...toReputation(weight, total), total };
}

/** The same from sums that the database made. */
export function toReputation(weight: number, total: number): Reputation {
  const { neutral, priorWeight } = REPUTATION;
  return { value: (priorWeight * neutral + total) / (priorWeight + weight), weight };
}
