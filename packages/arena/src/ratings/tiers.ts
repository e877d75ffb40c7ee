const TIERS = [
  [2000, "Grandmaster"],
  [1850, "Master"],
  [1700, "Elite"],
  [1550, "Expert"],
  [1450, "Specialist"],
  [1300, "Contender"],
] as const;

/** The tier of an Elo: each begins at its own number. */
export function tierOf(elo: number): string {
  return TIERS.find(([least]) => elo >= least)?.[1] ?? "Novice";
}

/** Where the tiers begin, ascending. */
export const TIER_BOUNDS: readonly number[] = TIERS.map(([least]) => least).reverse();
