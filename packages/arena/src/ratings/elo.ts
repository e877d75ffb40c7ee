/** How a battle ended: one side won, neither did, or neither answer was any good. */
export type Outcome = "a" | "b" | "tie" | "both_bad";

/** An agent's Elo and record. `both_bad` counts as a tie for Elo and is counted apart. */
export interface Standing {
  elo: number;
  battles: number;
  wins: number;
  losses: number;
  ties: number;
  bothBad: number;
}

export const START_ELO = 1500;
export const ELO_K = 32;
const SCALE = 400;

/** How Elo moves, where it is not as in this arena. */
export interface EloOptions {
  /** Most points that a battle moves. */
  k?: number;
  /** Points that side A has ahead, such as for playing at home. */
  advantage?: number;
}

/** How much of a point A is expected to score against B: logistic, base 10, over 400. */
export function expectedScore(eloA: number, eloB: number, advantage = 0): number {
  return 1 / (1 + 10 ** ((eloB - eloA - advantage) / SCALE));
}

/** What a battle is worth to side A: a tie, and "both bad" too, is half a point for each. */
export function scoreOf(outcome: Outcome): number {
  return outcome === "a" ? 1 : outcome === "b" ? 0 : 0.5;
}

/**
 * Elo after one battle, for both sides. Both are computed from the ratings before it: updating the second against the
 * already updated first would create or destroy points.
 */
export function applyElo(eloA: number, eloB: number, outcome: Outcome, options: EloOptions = {}): [number, number] {
  const { k = ELO_K, advantage = 0 } = options;
  const change = k * (scoreOf(outcome) - expectedScore(eloA, eloB, advantage));
  return [eloA + change, eloB - change];
}

/** Both standings after one battle. */
export function applyOutcome(a: Standing, b: Standing, outcome: Outcome): [Standing, Standing] {
  const [eloA, eloB] = applyElo(a.elo, b.elo, outcome);
  const count = (side: Standing, elo: number, own: "a" | "b"): Standing => ({
    elo,
    battles: side.battles + 1,
    wins: side.wins + Number(outcome === own),
    losses: side.losses + Number(outcome !== own && (outcome === "a" || outcome === "b")),
    ties: side.ties + Number(outcome === "tie"),
    bothBad: side.bothBad + Number(outcome === "both_bad"),
  });
  return [count(a, eloA, "a"), count(b, eloB, "b")];
}
