import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Rating, rate, rating } from "openskill";
import { createPairCounts } from "../packages/arena/src/ratings/pair-counts.ts";
import { rateCells } from "../packages/arena/src/ratings/rating-table.ts";
import { readBattleLog } from "../packages/cli/src/rate/battle-log.ts";
import { type BenchOptions, type Contestant, hold, type Report, type Standing } from "./contest.ts";

const AGENTS = 1_000;
const VOTES = 1_000_000;
/** The peer takes long; a tenth of the log says as much of its pace. */
const PEER_VOTES = 100_000;

/**
 * Ratings with intervals from a log of a million votes, beside reading and counting that log alone, and beside a package
 * that updates two ratings with each game (and gives no intervals that the log as a whole would bear out).
 */
export async function benchRatings(options: BenchOptions): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "agon-bench-ratings-"));
  const path = join(folder, "votes.jsonl");
  const votes = makeVotes();
  writeFileSync(path, votes.map((vote) => `${JSON.stringify(vote)}\n`).join(""));
  try {
    const whole = async (work: () => Promise<unknown>) => {
      const begun = performance.now();
      await work();
      return VOTES / ((performance.now() - begun) / 1000);
    };
    const counted = await count(path);
    const contestants: Contestant[] = [
      { name: "read and count", run: () => whole(() => count(path)) },
      { name: "agon rate: read, count, fit, intervals", run: () => whole(async () => rateCells(await count(path))) },
      { name: "fit and intervals alone", run: () => whole(async () => rateCells(counted)) },
      {
        name: "fit and intervals alone, davidson",
        run: () => whole(async () => rateCells(counted, { model: "davidson" })),
      },
      { name: "openskill, game by game, no reading", run: async () => updateByGame(votes.slice(0, PEER_VOTES)) },
    ];
    const standings = await hold(contestants, options);
    const [floor, rating, fit, , peer] = standings as [Standing, Standing, Standing, Standing, Standing];
    return {
      bench: `ratings: ${VOTES.toLocaleString("en-US")} votes over ${AGENTS.toLocaleString("en-US")} agents, votes a second`,
      ratios: [
        {
          name: "of the pace of reading and counting alone, with fit and intervals",
          value: rating.median / floor.median,
          goal: 0.5,
        },
        { name: "times openskill's pace, fit and intervals alone", value: fit.median / peer.median, goal: 10 },
      ],
      standings,
      notes: [`openskill went through the first ${PEER_VOTES.toLocaleString("en-US")} votes`],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function count(path: string) {
  const counts = createPairCounts();
  await readBattleLog(path, ({ a, b, winner, count: many }) => void counts.add(a, b, winner, many));
  return counts.toCells();
}

function updateByGame(votes: readonly Vote[]): number {
  const ratings = new Map<number, Rating>();
  const begun = performance.now();
  for (const { a, b, winner } of votes) {
    const score = winner === "a" ? [1, 0] : winner === "b" ? [0, 1] : [1, 1];
    const [[nextA], [nextB]] = rate([[ratings.get(a) ?? rating()], [ratings.get(b) ?? rating()]], { score }) as [
      [Rating],
      [Rating],
    ];
    ratings.set(a, nextA).set(b, nextB);
  }
  return votes.length / ((performance.now() - begun) / 1000);
}

interface Vote {
  number: number;
  a: number;
  b: number;
  winner: "a" | "b" | "tie" | "both_bad";
  counted: boolean;
}

/** Agents whose strengths are spread like those of real boards; the same votes each time. */
function makeVotes(): Vote[] {
  const random = createRandom();
  const strengths = Array.from({ length: AGENTS }, () => (random() + random() + random() - 1.5) * 2);
  return Array.from({ length: VOTES }, (_, index) => {
    const a = Math.floor(random() * AGENTS);
    const b = (a + 1 + Math.floor(random() * (AGENTS - 1))) % AGENTS;
    const isTied = random() < 0.15;
    const isWon = random() < 1 / (1 + Math.exp((strengths[b] as number) - (strengths[a] as number)));
    const winner = isTied ? (random() < 0.3 ? "both_bad" : "tie") : isWon ? "a" : "b";
    return { number: index + 1, a: a + 1, b: b + 1, winner, counted: true };
  });
}

/** Mulberry32: short, and without the short cycles of what is shorter still. */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
