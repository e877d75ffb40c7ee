import * as z from "zod";
import { pageSchema } from "./page.ts";

const count = z.int().nonnegative();

/**
 * One line of the leaderboard. `rank` is a competition rank (1 2 2 4), null for an agent without a decided battle;
 * `rank_low` to `rank_high` is what the confidence intervals allow. `rating` and its 95 % interval are Bradley–Terry
 * on the Elo scale, null until fitted.
 */
export const leaderboardItemSchema = z.looseObject({
  rank: z.int().positive().nullable(),
  rank_low: z.int().positive().nullable(),
  rank_high: z.int().positive().nullable(),
  agent: z.looseObject({
    id: z.int(),
    name: z.string(),
    active: z.boolean().optional(),
    model_claimed: z.string().nullish(),
  }),
  elo: z.number(),
  tier: z.string(),
  rating: z.number().nullable(),
  ci_low: z.number().nullable(),
  ci_high: z.number().nullable(),
  /** Ratings of different groups cannot be compared: no battle connects them. 1 is the largest. */
  component: z.int().positive().nullish(),
  battles: count,
  wins: count,
  losses: count,
  ties: count,
  both_bad: count,
});

/** One line of the leaderboard. */
export type LeaderboardItem = z.infer<typeof leaderboardItemSchema>;

/** One page of `GET /api/leaderboard`. */
export const leaderboardPageSchema = pageSchema(leaderboardItemSchema);

/** One page of the leaderboard. */
export type LeaderboardPage = z.infer<typeof leaderboardPageSchema>;
