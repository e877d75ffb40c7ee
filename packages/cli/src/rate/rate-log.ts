import {
  applyOutcome,
  competitionRanks,
  createPairCounts,
  type PairedModel,
  type RatedAgent,
  rateCells,
  START_ELO,
  type Standing,
} from "@agon/arena/ratings";
import { type ReadLog, readBattleLog } from "./battle-log.ts";

export type Model = PairedModel | "elo";

/** What a log came to. */
export interface RatedLog {
  readonly model: Model;
  /** Undefined for Elo, which has none. */
  readonly prior: number | undefined;
  /** Groups one after the other, best first. */
  readonly items: readonly (RatedAgent & { rank: number | null })[];
  readonly logLikelihood: number | undefined;
  readonly tieParameter: number | undefined;
  readonly read: ReadLog;
  /** Battles of an agent against itself, which say nothing. */
  readonly withThemselves: number;
  /** Why groups have no ratings, by their number. */
  readonly problems: readonly { component: number; agents: number; reason: string }[];
}

/** Elo goes through the battles one by one, so that a count is so many steps. */
const ELO_COUNT_MAX = 1_000_000;

/** Rates a log of battles: by maximum likelihood, or by Elo in the order of its lines. */
export async function rateLog(path: string, options: { model: Model; prior: number | undefined }): Promise<RatedLog> {
  const counts = createPairCounts();
  const standings = new Map<string, Standing>();
  let withThemselves = 0;
  const read = await readBattleLog(path, ({ a, b, winner, count }) => {
    if (options.model === "elo" && count > ELO_COUNT_MAX) {
      throw new Error(`count has to be at most ${ELO_COUNT_MAX} for elo, which takes battles one by one`);
    }
    if (!counts.add(a, b, winner, count)) {
      withThemselves += count;
      return;
    }
    if (options.model !== "elo") return;
    let [first, second] = [standings.get(a) ?? FRESH, standings.get(b) ?? FRESH];
    for (let battle = 0; battle < count; battle += 1) [first, second] = applyOutcome(first, second, winner);
    standings.set(a, first).set(b, second);
  });
  // Elo's groups, order and records come from the same table; only the ratings are others.
  const { prior } = options;
  const table = rateCells(counts.toCells(), {
    model: options.model === "elo" ? "bt" : options.model,
    ...(prior === undefined || options.model === "elo" ? {} : { prior }),
  });
  const isElo = options.model === "elo";
  const items = isElo ? byElo(table.items, standings) : table.items;
  return {
    model: options.model,
    prior: isElo ? undefined : table.prior,
    items: addRanks(items),
    logLikelihood: isElo ? undefined : table.logLikelihood,
    tieParameter: isElo ? undefined : table.tieParameter,
    read,
    withThemselves,
    problems: isElo
      ? []
      : table.components.flatMap(({ agents, problem }, index) =>
          problem === undefined ? [] : [{ component: index + 1, agents, reason: problem }],
        ),
  };
}

const FRESH: Standing = { elo: START_ELO, battles: 0, wins: 0, losses: 0, ties: 0, bothBad: 0 };

function byElo(items: readonly RatedAgent[], standings: ReadonlyMap<string, Standing>): RatedAgent[] {
  const none = { se: null, seModel: null, ciLow: null, ciHigh: null, rankLow: null, rankHigh: null };
  return items
    .map((item) => ({ ...item, ...none, rating: standings.get(item.name)?.elo ?? null }))
    .sort((x, y) => {
      const last = Number.POSITIVE_INFINITY;
      if (x.component !== y.component) return (x.component ?? last) - (y.component ?? last);
      return (y.rating ?? 0) - (x.rating ?? 0) || (x.name < y.name ? -1 : 1);
    });
}

/** Competition ranks within each group. */
function addRanks(items: readonly RatedAgent[]): RatedLog["items"] {
  const ranks = new Map<RatedAgent, number>();
  for (const component of new Set(items.map((item) => item.component))) {
    const group = items.filter((item) => item.component === component && item.rating !== null);
    const places = competitionRanks(group.map((item) => item.rating as number));
    for (const [index, item] of group.entries()) ranks.set(item, places[index] as number);
  }
  return items.map((item) => ({ ...item, rank: ranks.get(item) ?? null }));
}
