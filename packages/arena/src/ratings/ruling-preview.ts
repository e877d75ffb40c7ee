import type { Db, Statement } from "../db/database.ts";
import { START_ELO, type Standing } from "./elo.ts";
import { parseStandingKey } from "./log-replay.ts";
import type { Tally } from "./ranking-book.ts";
import { startRankingThread } from "./ranking-thread.ts";
import { loadNames } from "./ruling-queries.ts";
import type { RulingOutcome } from "./ruling-schemas.ts";

export type RatedTally = Omit<Tally, "category">;

interface Before {
  agent_id: number;
  elo: number;
  battles: number;
  rating: number | null;
}

/** Index: `standings_board`. */
const BEFORE: Statement = {
  name: "standings-before-ruling",
  text: `
select s.agent_id, s.elo, s.battles, r.rating
from standings s left join ranking_items r on r.category = '' and r.agent_id = s.agent_id where s.category = ''`,
};
const SHOWN_MAX = 100;

/**
 * Who moves when the standings become these; with tallies also where the published ratings go, which takes as long as a
 * refresh of them.
 */
export async function previewRuling(
  db: Db,
  standings: ReadonlyMap<string, Standing>,
  tallies: ReadonlyMap<string, RatedTally> | undefined,
): Promise<Pick<RulingOutcome, "agents" | "agents_moved">> {
  const before = new Map((await db.run<Before>(BEFORE, [])).map((row) => [row.agent_id, row]));
  const after = new Map<number, Standing>();
  for (const [key, standing] of standings) {
    const { agentId, category } = parseStandingKey(key);
    if (category === "") after.set(agentId, standing);
  }
  const ratings = tallies === undefined ? undefined : await rate([...tallies.values()]);
  const moved = [...new Set([...before.keys(), ...after.keys()])]
    .map((id) => {
      const [old, now] = [before.get(id), after.get(id)];
      return {
        id,
        elo_before: old?.elo ?? START_ELO,
        elo_after: now?.elo ?? START_ELO,
        rating_before: old?.rating ?? null,
        rating_after: ratings?.get(id) ?? null,
        battles_before: old?.battles ?? 0,
        battles_after: now?.battles ?? 0,
      };
    })
    .filter((agent) => agent.elo_before !== agent.elo_after || agent.battles_before !== agent.battles_after)
    .sort((x, y) => distance(y) - distance(x) || x.id - y.id);
  const shown = moved.slice(0, SHOWN_MAX);
  const names = await loadNames(
    db,
    shown.map((agent) => agent.id),
  );
  const agents = shown.map(({ id, ...rest }) => ({ agent: { id, name: names.get(id) ?? "" }, ...rest }));
  return { agents, agents_moved: moved.length };
}

function distance(agent: { elo_before: number; elo_after: number }): number {
  return Math.abs(agent.elo_after - agent.elo_before);
}

async function rate(tallies: readonly RatedTally[]): Promise<Map<number, number>> {
  const thread = startRankingThread(() => {});
  try {
    thread.add(tallies.map((tally) => ({ ...tally, category: "" })));
    const [ranking] = await thread.fit([], { all: true });
    return new Map(ranking?.agents.map((agent) => [agent.agentId, agent.rating]));
  } finally {
    await thread.stop();
  }
}
