import { inArray, sql } from "drizzle-orm";
import type { Db, Statement } from "../db/database.ts";
import { standings, votes } from "../db/schema.ts";
import { applyOutcome, type Outcome, START_ELO, type Standing } from "../ratings/elo.ts";

export type JudgeKind = (typeof votes.$inferInsert)["judgeKind"];

/** A vote about to enter the log. */
export interface NewVote {
  battleId: number;
  judgeKind: JudgeKind;
  judgeId: string;
  outcome: Outcome;
  agentA: number;
  agentB: number;
  category: string;
  counted: boolean;
}

const LOCK_COUNTER: Statement = {
  name: "lock-vote-counter",
  text: `select value from counters where name = 'votes' for update`,
};
const SET_COUNTER: Statement = {
  name: "set-vote-counter",
  text: `update counters set value = $1 where name = 'votes'`,
};

/**
 * Takes the vote counter for the rest of the transaction. It has to be the transaction's first lock: then the order of
 * the numbers is the order of the commits, without gaps, and two voting transactions never wait for each other in a
 * circle.
 */
export async function lockVoteCounter(tx: Db): Promise<number> {
  const [row] = await tx.run<{ value: number }>(LOCK_COUNTER, []);
  if (row === undefined) throw new Error("the vote counter's row is missing from the table counters");
  return row.value;
}

/**
 * Appends votes to the log and moves the standings of their agents, in the transaction that holds the counter.
 * Standings are computed here and not in SQL, by the very function that a replay of the log uses, so that both give the
 * same digits.
 *
 * @returns the new Elo over all of each agent that these votes moved
 */
export async function appendVotes(
  tx: Db,
  lastNumber: number,
  newVotes: readonly NewVote[],
  now: Date,
): Promise<ReadonlyMap<number, number>> {
  const elos = new Map<number, number>();
  if (newVotes.length === 0) return elos;
  const board = await loadStandings(tx, newVotes.filter(moves));
  const rows = newVotes.map((vote, index) => {
    const row = { ...vote, number: lastNumber + 1 + index, castAt: now };
    if (!moves(vote)) return row;
    for (const category of ["", vote.category]) {
      const [a, b] = applyOutcome(board.get(vote.agentA, category), board.get(vote.agentB, category), vote.outcome);
      board.set(vote.agentA, category, a);
      board.set(vote.agentB, category, b);
      if (category === "") elos.set(vote.agentA, a.elo).set(vote.agentB, b.elo);
    }
    return { ...row, eloA: elos.get(vote.agentA), eloB: elos.get(vote.agentB) };
  });
  await tx.orm.insert(votes).values(rows);
  await tx.run(SET_COUNTER, [lastNumber + rows.length]);
  await board.save();
  return elos;
}

/** An agent against itself is no battle, whoever put it into the log. */
function moves(vote: NewVote): boolean {
  return vote.counted && vote.agentA !== vote.agentB;
}

/** The standings that some votes concern, locked by ascending agent, then category. */
async function loadStandings(tx: Db, counted: readonly NewVote[]) {
  const keyOf = (agentId: number, category: string) => `${agentId} ${category}`;
  const ids = [...new Set(counted.flatMap((vote) => [vote.agentA, vote.agentB]))].sort((a, b) => a - b);
  const categories = [...new Set(["", ...counted.map((vote) => vote.category)])];
  const locked = tx.orm
    .select()
    .from(standings)
    .where(sql`${inArray(standings.agentId, ids)} and ${inArray(standings.category, categories)}`)
    .orderBy(standings.agentId, standings.category)
    .for("update");
  const rows = ids.length === 0 ? [] : await locked;
  const kept = new Map<string, Standing>(rows.map((row) => [keyOf(row.agentId, row.category), row]));
  const moved = new Map<string, { agentId: number; category: string; standing: Standing }>();
  const fresh: Standing = { elo: START_ELO, battles: 0, wins: 0, losses: 0, ties: 0, bothBad: 0 };
  return {
    get: (agentId: number, category: string) =>
      moved.get(keyOf(agentId, category))?.standing ?? kept.get(keyOf(agentId, category)) ?? fresh,
    set: (agentId: number, category: string, standing: Standing) =>
      void moved.set(keyOf(agentId, category), { agentId, category, standing }),
    async save() {
      if (moved.size === 0) return;
      const values = [...moved.values()]
        .map(({ agentId, category, standing: { elo, battles, wins, losses, ties, bothBad } }) => {
          return { agentId, category, elo, battles, wins, losses, ties, bothBad };
        })
        .sort((a, b) => a.agentId - b.agentId || (a.category < b.category ? -1 : 1));
      await tx.orm
        .insert(standings)
        .values(values)
        .onConflictDoUpdate({
          target: [standings.agentId, standings.category],
          set: {
            elo: sql`excluded.elo`,
            battles: sql`excluded.battles`,
            wins: sql`excluded.wins`,
            losses: sql`excluded.losses`,
            ties: sql`excluded.ties`,
            bothBad: sql`excluded.both_bad`,
          },
        });
    },
  };
}
