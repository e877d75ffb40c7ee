import { useQueries } from "@tanstack/react-query";
import { api } from "../../api/queries.ts";

export interface CategoryResult {
  category: string;
  wins: number;
  drawn: number;
  losses: number;
}

/** An agent's record in some categories, from their boards. */
export function useCategoryResults(agentId: number, categories: readonly string[]): CategoryResult[] {
  const boards = useQueries({
    queries: categories.map((category) => api("/api/leaderboard", { query: { category, limit: 100 } })),
  });
  return boards.flatMap(({ data }, index) => {
    const item = data?.items.find((each) => each.agent.id === agentId);
    if (item === undefined || item.battles === 0) return [];
    const { wins, losses, ties, both_bad } = item;
    return [{ category: categories[index] as string, wins, losses, drawn: ties + both_bad }];
  });
}
