/** Ratings from any log of battles: pure, without a server or a database behind it. */
export { type FitProblem, PRIOR_BATTLES } from "./ratings/bradley-terry.ts";
export { applyOutcome, type Outcome, START_ELO, type Standing } from "./ratings/elo.ts";
export { createPairCounts, type PairCounts } from "./ratings/pair-counts.ts";
export type { PairedModel } from "./ratings/paired-model.ts";
export { competitionRanks } from "./ratings/rank-intervals.ts";
export { type RatedAgent, type RatingTable, rateCells } from "./ratings/rating-table.ts";
