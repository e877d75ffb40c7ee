import type { Outcome } from "./elo.ts";
import { createPairCounts, type PairCounts } from "./pair-counts.ts";
import { rankIntervals } from "./rank-intervals.ts";
import { type RatingTable, rateCells } from "./rating-table.ts";

/** Some votes of the log that count, by what they say. */
export interface Tally {
  category: string;
  agent_a: number;
  agent_b: number;
  outcome: Outcome;
  votes: number;
}

export interface RankedAgent {
  agentId: number;
  rating: number;
  se: number;
  ciLow: number;
  ciHigh: number;
  /** Among those of its group that are on the board; null for who is not. */
  rankLow: number | null;
  rankHigh: number | null;
  component: number;
}

/** The ranking of a category (`''`: over all). */
export interface CategoryRanking {
  category: string;
  battles: number;
  bothBad: number;
  components: number;
  logLikelihood: number;
  fitMs: number;
  /** Why it cannot be published. */
  problem: string | null;
  agents: RankedAgent[];
}

export type RankingRequest =
  | { kind: "reset" }
  | { kind: "add"; tallies: readonly Tally[] }
  | { kind: "fit"; hidden: readonly number[]; all: boolean };

/** Counts of the log by category, and their rankings, of which only what changed is made anew. */
export interface RankingBook {
  reset(): void;
  add(tallies: readonly Tally[]): void;
  /**
   * The rankings that differ from those of the last time, or `all` of them; only those with new votes are fitted again.
   * Agents in `hidden` are fitted, and hold no rank.
   */
  fit(hidden: ReadonlySet<number>, all: boolean): CategoryRanking[];
}

interface Chapter {
  counts: PairCounts;
  bothBad: number;
  table: RatingTable | undefined;
  fitMs: number;
  /** What was given out last, as text. */
  last: string | undefined;
}

export function createRankingBook(): RankingBook {
  const chapters = new Map<string, Chapter>();

  function chapterOf(category: string): Chapter {
    let chapter = chapters.get(category);
    if (chapter === undefined) {
      chapter = { counts: createPairCounts(), bothBad: 0, table: undefined, fitMs: 0, last: undefined };
      chapters.set(category, chapter);
    }
    return chapter;
  }

  return {
    reset: () => chapters.clear(),
    add(tallies) {
      for (const { category, agent_a, agent_b, outcome, votes } of tallies)
        for (const name of new Set(["", category])) {
          const chapter = chapterOf(name);
          if (!chapter.counts.add(String(agent_a), String(agent_b), outcome, votes)) continue;
          if (outcome === "both_bad") chapter.bothBad += votes;
          chapter.table = undefined;
        }
    },
    fit(hidden, all) {
      const changed: CategoryRanking[] = [];
      // There is a ranking over all as soon as there is a log, if only an empty one.
      chapterOf("");
      for (const [category, chapter] of chapters) {
        if (chapter.table === undefined) {
          const begun = performance.now();
          chapter.table = rateCells(chapter.counts.toCells());
          chapter.fitMs = performance.now() - begun;
          chapter.last = undefined;
        }
        const agents = rank(chapter.table, hidden);
        const ranks = agents.map((agent) => `${agent.rankLow}-${agent.rankHigh}`).join();
        if (ranks === chapter.last && !all) continue;
        chapter.last = ranks;
        changed.push(toRanking(category, chapter, chapter.table, agents));
      }
      return changed;
    },
  };
}

function toRanking(category: string, chapter: Chapter, table: RatingTable, agents: RankedAgent[]): CategoryRanking {
  const failed = table.components.filter((each) => each.problem !== undefined);
  const [first] = failed;
  return {
    category,
    battles: chapter.counts.battles,
    bothBad: chapter.bothBad,
    components: table.components.length,
    logLikelihood: table.logLikelihood,
    fitMs: chapter.fitMs,
    problem: first === undefined ? null : `${first.problem} in ${failed.length} of ${table.components.length} groups`,
    agents,
  };
}

function rank(table: RatingTable, hidden: ReadonlySet<number>): RankedAgent[] {
  const ranked: RankedAgent[] = [];
  const groups = new Map<number, RankedAgent[]>();
  for (const { name, rating, se, ciLow, ciHigh, component } of table.items) {
    if (rating === null || se === null || ciLow === null || ciHigh === null || component === null) continue;
    const agent = { agentId: Number(name), rating, se, ciLow, ciHigh, rankLow: null, rankHigh: null, component };
    ranked.push(agent);
    if (hidden.has(agent.agentId)) continue;
    const group = groups.get(component);
    if (group === undefined) groups.set(component, [agent]);
    else group.push(agent);
  }
  for (const group of groups.values()) {
    const intervals = rankIntervals(group.map((agent) => ({ low: agent.ciLow, high: agent.ciHigh })));
    for (const [index, { best, worst }] of intervals.entries()) {
      Object.assign(group[index] as RankedAgent, { rankLow: best, rankHigh: worst });
    }
  }
  return ranked;
}
