import { ProblemError } from "@agon/protocol";
import type { Database, Db } from "../db/database.ts";
import { spendLimit } from "../http/limits.ts";
import type { Clock } from "../ports.ts";
import { type Outcome, START_ELO } from "../ratings/elo.ts";
import type { Judge } from "./judges.ts";
import { appendVotes, type JudgeKind, lockVoteCounter } from "./vote-log.ts";
import {
  type Ballot,
  findPresentation,
  lockBallot,
  type PresentationState,
  settleVote,
  skipPresentation,
} from "./vote-queries.ts";

/** What a judge said, by the sides of their screen: the values are those of the wire. */
export type Choice = "a" | "b" | "tie" | "both_bad";

/** Why a vote stands in the log and moves no rating. */
export type UncountedReason = "judge" | "names_itself" | "hidden" | "prompt_closed";

/** One side of the screen, unveiled. */
export interface RevealedSide {
  agent: { id: number; name: string };
  model_claimed: string | null;
  elo_before: number;
  elo_after: number;
}

export interface Reveal {
  number: number;
  counted: boolean;
  reason: UncountedReason | undefined;
  a: RevealedSide;
  b: RevealedSide;
}

export interface VoteOptions {
  db: Database;
  clock: Clock;
  ratingJudges: readonly JudgeKind[];
  votesPerHour: number;
}

/** A presentation as a judge names it, and who asks from where since when. */
export interface Turn {
  presentationId: string;
  judge: Judge;
  address: string;
  /** When the call reached us: lateness is judged by this, not by when we get to it. */
  arrivedAt: number;
}

/**
 * Writes a vote into the log, moves the ratings if it counts, and tells this judge whose answers they were.
 *
 * @throws ProblemError `not_found`, `gone` or `already_voted`, the same for each reason whoever asks; `rate_limited`
 */
export async function castVote(options: VoteOptions, turn: Turn, choice: Choice): Promise<Reveal> {
  const { db, clock } = options;
  // Looked at before the transaction too: what cannot become a vote must not take the lock that all voting waits for.
  requireLive(await findPresentation(db, turn.presentationId, turn.judge), turn.arrivedAt);
  for (const key of [`${turn.judge.kind} ${turn.judge.id}`, `address ${turn.address}`]) {
    const limit = { key: `vote ${key}`, most: options.votesPerHour, windowSeconds: 3600, what: "votes in an hour" };
    await spendLimit(db, clock, limit);
  }
  return db.transaction((tx) => writeVote(tx, options, turn, choice));
}

async function writeVote(tx: Db, options: VoteOptions, turn: Turn, choice: Choice): Promise<Reveal> {
  const now = options.clock.now();
  const lastNumber = await lockVoteCounter(tx);
  const ballot = requireLive(await lockBallot(tx, turn.presentationId, turn.judge), turn.arrivedAt);
  const reason = whyUncounted(ballot, turn.judge, options.ratingJudges);
  const counted = reason === undefined;
  const vote = {
    battleId: ballot.battle_id,
    judgeKind: turn.judge.kind,
    judgeId: turn.judge.id,
    outcome: toOutcome(choice, ballot.flipped),
    agentA: ballot.agent_a,
    agentB: ballot.agent_b,
    category: ballot.category,
    counted,
  };
  const elos = await appendVotes(tx, lastNumber, [vote], new Date(now));
  await settleVote(tx, { presentationId: turn.presentationId, battleId: ballot.battle_id, counted, now });
  const [left, right] = ballot.flipped ? (["b", "a"] as const) : (["a", "b"] as const);
  return {
    number: lastNumber + 1,
    counted,
    reason,
    a: unveil(ballot, left, elos),
    b: unveil(ballot, right, elos),
  };
}

/** Notes that a judge does not want to decide. Nothing is revealed, and the pair does not come back to them. */
export async function skipBattle(db: Database, turn: Turn): Promise<void> {
  if (await skipPresentation(db, turn.presentationId, turn.judge, turn.arrivedAt)) return;
  requireLive(await findPresentation(db, turn.presentationId, turn.judge), turn.arrivedAt);
  throw new Error(`presentation ${turn.presentationId} is live and could not be skipped`);
}

function requireLive<Found extends { state: PresentationState; expires_at: number }>(
  found: Found | undefined,
  arrivedAt: number,
): Found {
  if (found === undefined) throw new ProblemError("not_found", "no battle with this id was shown to you");
  if (found.state === "voted") throw new ProblemError("already_voted", "you have voted on this battle");
  if (found.state === "skipped") throw new ProblemError("already_voted", "you have skipped this battle");
  if (found.state === "expired" || found.expires_at <= arrivedAt) {
    throw new ProblemError("gone", "the time for this battle is over; ask for the next one");
  }
  return found;
}

function whyUncounted(ballot: Ballot, judge: Judge, ratingJudges: readonly JudgeKind[]): UncountedReason | undefined {
  if (!ratingJudges.includes(judge.kind) || ballot.quarantined) return "judge";
  if (ballot.names_itself) return "names_itself";
  if (ballot.hidden) return "hidden";
  return ballot.closed ? "prompt_closed" : undefined;
}

/** From the sides of the screen to those of the battle. */
function toOutcome(choice: Choice, flipped: boolean): Outcome {
  if (!flipped || choice === "tie" || choice === "both_bad") return choice;
  return choice === "a" ? "b" : "a";
}

function unveil(ballot: Ballot, side: "a" | "b", elos: ReadonlyMap<number, number>): RevealedSide {
  const id = ballot[`agent_${side}`];
  const before = ballot[`elo_${side}`] ?? START_ELO;
  return {
    agent: { id, name: ballot[`name_${side}`] },
    model_claimed: ballot[`model_${side}`],
    elo_before: before,
    elo_after: elos.get(id) ?? before,
  };
}
