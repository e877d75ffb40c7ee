import { type FitOptions, type FitProblem, fitRatings, type GroupFit, PRIOR_BATTLES } from "./bradley-terry.ts";
import type { PairCells } from "./pair-counts.ts";
import type { PairedModel } from "./paired-model.ts";
import { rankIntervals } from "./rank-intervals.ts";

/** Points per unit of strength: 400 for each factor of ten, like Elo. */
export const POINTS = 400 / Math.LN10;
export const MEAN_RATING = 1500;
/** Quantile of the normal distribution for intervals that hold 95 times in a hundred. */
const Z_95 = 1.959963984540054;

/** An agent in a table of ratings. Without a battle, or where its group could not be fitted, it has no rating. */
export interface RatedAgent {
  name: string;
  rating: number | null;
  /** Sandwich standard error, which the interval is made of. */
  se: number | null;
  /** Standard error as if the model were true. */
  seModel: number | null;
  ciLow: number | null;
  ciHigh: number | null;
  /** Best and worst rank in its group that the intervals allow. */
  rankLow: number | null;
  rankHigh: number | null;
  /** Ratings of different groups cannot be compared: no battle connects them. 1 is the largest; null without a battle. */
  component: number | null;
  games: number;
  wins: number;
  losses: number;
  ties: number;
  bothBad: number;
}

export interface RatingTable {
  model: PairedModel;
  prior: number;
  /** By group, best first; equals by name. */
  items: RatedAgent[];
  logLikelihood: number;
  /** Of the largest group; each has its own, or a battle elsewhere would move this one. Undefined for bt. */
  tieParameter: number | undefined;
  components: { agents: number; problem: FitProblem | undefined; tieParameter: number | undefined }[];
}

/** Rates counted battles: points, standard errors, 95 % intervals and what ranks they allow. */
export function rateCells(cells: PairCells, options: FitOptions = {}): RatingTable {
  const agents = countRecords(cells);
  const groups = fitRatings(cells, options).filter((group) => group.component.cells.length > 0);
  for (const [index, group] of groups.entries()) fillRatings(agents, group, index + 1);
  const components = groups.map((group) => ({
    agents: group.component.members.length,
    problem: group.problem,
    tieParameter: group.tie?.value,
  }));
  return {
    model: options.model ?? "bt",
    prior: options.prior ?? PRIOR_BATTLES,
    items: agents.sort(byGroupAndRating),
    logLikelihood: groups.reduce((sum, group) => sum + group.logLikelihood, 0),
    tieParameter: components[0]?.tieParameter,
    components,
  };
}

function fillRatings(agents: readonly RatedAgent[], group: GroupFit, component: number): void {
  const members = Array.from(group.component.members, (member) => agents[member] as RatedAgent);
  for (const [place, agent] of members.entries()) {
    agent.component = component;
    if (group.errors === undefined) continue;
    agent.rating = MEAN_RATING + POINTS * (group.strengths[place] as number);
    agent.se = POINTS * (group.errors.sandwich[place] as number);
    agent.seModel = POINTS * (group.errors.model[place] as number);
    agent.ciLow = agent.rating - Z_95 * agent.se;
    agent.ciHigh = agent.rating + Z_95 * agent.se;
  }
  if (group.errors === undefined) return;
  const intervals = members.map((agent) => ({ low: agent.ciLow as number, high: agent.ciHigh as number }));
  for (const [place, { best, worst }] of rankIntervals(intervals).entries()) {
    const agent = members[place] as RatedAgent;
    agent.rankLow = best;
    agent.rankHigh = worst;
  }
}

function countRecords(cells: PairCells): RatedAgent[] {
  const agents = cells.names.map((name): RatedAgent => {
    const unrated = { rating: null, se: null, seModel: null, ciLow: null, ciHigh: null, rankLow: null, rankHigh: null };
    return { name, ...unrated, component: null, games: 0, wins: 0, losses: 0, ties: 0, bothBad: 0 };
  });
  for (let cell = 0; cell < cells.a.length; cell += 1) {
    const a = agents[cells.a[cell] as number] as RatedAgent;
    const b = agents[cells.b[cell] as number] as RatedAgent;
    const winsA = cells.winsA[cell] as number;
    const winsB = cells.winsB[cell] as number;
    a.wins += winsA;
    a.losses += winsB;
    b.wins += winsB;
    b.losses += winsA;
    for (const agent of [a, b]) {
      agent.ties += cells.ties[cell] as number;
      agent.bothBad += cells.bothBad[cell] as number;
      agent.games += winsA + winsB + (cells.ties[cell] as number) + (cells.bothBad[cell] as number);
    }
  }
  return agents;
}

/** The sort is stable and agents come by name, so that equals stay in that order. */
function byGroupAndRating(x: RatedAgent, y: RatedAgent): number {
  const last = Number.POSITIVE_INFINITY;
  if (x.component !== y.component) return (x.component ?? last) - (y.component ?? last);
  return (y.rating ?? -last) === (x.rating ?? -last) ? 0 : (y.rating ?? -last) - (x.rating ?? -last);
}
