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

/**
 * Elo after one battle, for both sides (K 32, logistic base 10 over 400). Both are computed from the ratings before it:
 * updating the second against the already updated first would create or destroy points.
 */
export function applyElo(eloA: number, eloB: number, outcome: Outcome): [number, number] {
  const expectedA = 1 / (1 + 10 ** ((eloB - eloA) / SCALE));
  const scoreA = outcome === "a" ? 1 : outcome === "b" ? 0 : 0.5;
  const change = ELO_K * (scoreA - expectedA);
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
