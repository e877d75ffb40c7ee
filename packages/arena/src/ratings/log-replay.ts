import type { Db, Statement } from "../db/database.ts";
import { applyOutcome, type Outcome, START_ELO, type Standing } from "./elo.ts";

export interface ReplayedVote {
  number: number;
  agent_a: number;
  agent_b: number;
  outcome: Outcome;
  category: string;
  ruling_id: number | null;
}

/** A stretch of the log: votes that counted when they were cast. Index: votes by primary key. */
const STRETCH: Statement = {
  name: "replay-votes",
  text: `
select number, agent_a, agent_b, outcome, category, ruling_id from votes
where number > $1 and number <= $2 and counted and agent_a <> agent_b order by number`,
};
const NUMBERS_PER_READ = 5_000;

/** What the log comes to: standings by agent and category (`''`: over all). */
export interface Replay {
  readonly standings: ReadonlyMap<string, Standing>;
  /** Goes on from where it is. `onVote` is told of each vote that counts, with both Elos after it. */
  run(db: Db, until: number): Promise<void>;
  readonly position: number;
}

/**
 * Recomputes every standing from the log, by the same function that moved them when the votes were cast.
 *
 * @param options.counts whether a vote counts that counted when it was cast
 */
export function createReplay(options: {
  counts: (vote: ReplayedVote) => boolean;
  onVote?: (vote: ReplayedVote, eloA: number, eloB: number) => void;
}): Replay {
  const standings = new Map<string, Standing>();
  let position = 0;

  function take(vote: ReplayedVote): void {
    for (const category of ["", vote.category]) {
      const [keyA, keyB] = [standingKey(vote.agent_a, category), standingKey(vote.agent_b, category)];
      const [a, b] = applyOutcome(standings.get(keyA) ?? FRESH, standings.get(keyB) ?? FRESH, vote.outcome);
      standings.set(keyA, a).set(keyB, b);
      if (category === "") options.onVote?.(vote, a.elo, b.elo);
    }
  }

  return {
    standings,
    get position() {
      return position;
    },
    async run(db, until) {
      while (position < until) {
        const end = Math.min(until, position + NUMBERS_PER_READ);
        for (const vote of await db.run<ReplayedVote>(STRETCH, [position, end])) if (options.counts(vote)) take(vote);
        position = end;
      }
    },
  };
}

const FRESH: Standing = { elo: START_ELO, battles: 0, wins: 0, losses: 0, ties: 0, bothBad: 0 };

export function standingKey(agentId: number, category: string): string {
  return `${agentId} ${category}`;
}

export function parseStandingKey(key: string): { agentId: number; category: string } {
  const space = key.indexOf(" ");
  return { agentId: Number(key.slice(0, space)), category: key.slice(space + 1) };
}
