import { api } from "../../api/queries.ts";

export const BOARD_PAGE = 100;

/** One stretch of the leaderboard. */
export function boardQuery(category: string, page: number) {
  return api("/api/leaderboard", {
    query: { by: "rating", category, limit: BOARD_PAGE, offset: page * BOARD_PAGE || undefined },
  });
}
