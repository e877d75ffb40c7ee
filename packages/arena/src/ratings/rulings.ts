import { ProblemError } from "@agon/protocol";
import type { Database, Db } from "../db/database.ts";
import { type JudgeKind, lockVoteCounter } from "../judging/vote-log.ts";
import type { Clock } from "../ports.ts";
import { createReplay, type Replay } from "./log-replay.ts";
import { applyRechecks, type Recheck, recheck } from "./ruling-checks.ts";
import { previewRuling, type RatedTally } from "./ruling-preview.ts";
import {
  CHOSEN_MAX,
  type ChosenVote,
  chooseVotes,
  findReopenable,
  findRuling,
  insertRuling,
  loadPosition,
  recountBattles,
  reopenBattles,
  rewriteElos,
  rewriteStandings,
  strikeVotes,
} from "./ruling-queries.ts";
import type { RulingChoice, RulingKind, RulingOutcome } from "./ruling-schemas.ts";

export interface RulingOptions {
  db: Database;
  clock: Clock;
  ratingJudges: readonly JudgeKind[];
}

export interface RulingRequest {
  kind: RulingKind;
  choice: RulingChoice;
  reason: string;
  decidedBy: string;
  apply: boolean;
}

/** Times that a ruling is worked out anew because another one came first. */
const ATTEMPTS = 5;

/**
 * Strikes votes from what counts, or lifts such a ruling, and recomputes every rating that follows. Nothing is deleted:
 * the log keeps each vote as it was cast, with the ruling beside it. The log is replayed before the transaction, which
 * then only adds what came in meanwhile, so that voting waits for the writing and not for the reading.
 *
 * @throws ProblemError `not_found` for a ruling to lift that is not there, `conflict` for one that cannot be lifted, for
 *   too many votes at once
 */
export async function rule(options: RulingOptions, request: RulingRequest): Promise<RulingOutcome> {
  if (request.kind === "release") await requireLiftable(options.db, request.choice.ruling_id as number);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const plan = await makePlan(options.db, request);
    if (!request.apply) {
      const preview = await previewRuling(options.db, plan.replay.standings, plan.tallies);
      return { applied: false, ruling_id: null, ...summaryOf(plan), ...preview };
    }
    const preview = await previewRuling(options.db, plan.replay.standings, undefined);
    const rulingId = await options.db.transaction((tx) => apply(tx, options, request, plan));
    if (rulingId !== undefined) return { applied: true, ruling_id: rulingId, ...summaryOf(plan), ...preview };
  }
  throw new ProblemError("conflict", "other rulings came first each time; try again");
}

interface Plan {
  rulingId: number;
  position: number;
  chosen: Map<number, ChosenVote>;
  replay: Replay;
  tallies: Map<string, RatedTally>;
  elos: { numbers: number[]; a: number[]; b: number[] };
  reopen: number[];
  rechecks: Recheck[];
}

async function makePlan(db: Db, request: RulingRequest): Promise<Plan> {
  const { position, ruling_id: rulingId } = await loadPosition(db);
  const chosen = new Map<number, ChosenVote>();
  addChosen(chosen, await chooseVotes(db, request.choice, 0, position));
  const isRelease = request.kind === "release";
  const tallies = new Map<string, RatedTally>();
  const elos: Plan["elos"] = { numbers: [], a: [], b: [] };
  const first = Math.min(...[...chosen.values()].filter((vote) => vote.counted).map((vote) => vote.number));
  const replay = createReplay({
    counts: (vote) => (chosen.has(vote.number) ? isRelease : vote.ruling_id === null),
    onVote(vote, eloA, eloB) {
      const key = `${vote.agent_a} ${vote.agent_b} ${vote.outcome}`;
      const tally = tallies.get(key);
      if (tally !== undefined) tally.votes += 1;
      else tallies.set(key, { agent_a: vote.agent_a, agent_b: vote.agent_b, outcome: vote.outcome, votes: 1 });
      if (vote.number < first && vote.number <= position) return;
      elos.numbers.push(vote.number);
      elos.a.push(eloA);
      elos.b.push(eloB);
    },
  });
  await replay.run(db, position);
  const battleIds = battlesOf(chosen);
  const isRejudge = request.kind === "rejudge";
  const reopen = isRejudge ? await findReopenable(db, battleIds) : [];
  const rechecks = isRejudge ? await recheck(db, battleIds) : [];
  return { rulingId, position, chosen, replay, tallies, elos, reopen, rechecks };
}

/** @returns the ruling's id; undefined when another ruling came first, so that the plan does not hold any more */
async function apply(tx: Db, options: RulingOptions, request: RulingRequest, plan: Plan): Promise<number | undefined> {
  const lastNumber = await lockVoteCounter(tx);
  if ((await loadPosition(tx)).ruling_id !== plan.rulingId) return undefined;
  addChosen(plan.chosen, await chooseVotes(tx, request.choice, plan.position, lastNumber));
  await plan.replay.run(tx, lastNumber);

  const now = options.clock.now();
  const numbers = [...plan.chosen.keys()];
  const id = await insertRuling(tx, { ...request, now, position: lastNumber }, numbers);
  const isRelease = request.kind === "release";
  await strikeVotes(tx, isRelease ? null : id, numbers);
  await rewriteElos(tx, plan.elos, isRelease ? [] : numbers);
  await rewriteStandings(tx, plan.replay.standings);
  await recountBattles(tx, battlesOf(plan.chosen));
  if (plan.reopen.length > 0) await reopenBattles(tx, plan.reopen, now);
  const counted = options.ratingJudges.includes("check");
  await applyRechecks(tx, plan.rechecks, { lastNumber, counted, now: new Date(now) });
  return id;
}

function addChosen(chosen: Map<number, ChosenVote>, votes: readonly ChosenVote[]): void {
  for (const vote of votes) chosen.set(vote.number, vote);
  if (chosen.size <= CHOSEN_MAX) return;
  throw new ProblemError("conflict", `that is more than ${CHOSEN_MAX} votes; rule on them in steps, with from and to`);
}

function battlesOf(chosen: ReadonlyMap<number, ChosenVote>): number[] {
  return [...new Set([...chosen.values()].map((vote) => vote.battle_id))].sort((a, b) => a - b);
}

function summaryOf({ chosen, reopen, rechecks }: Plan) {
  return {
    votes: chosen.size,
    counted: [...chosen.values()].filter((vote) => vote.counted).length,
    battles: battlesOf(chosen).length,
    judged_again: reopen.length + rechecks.length,
  };
}

async function requireLiftable(db: Db, id: number): Promise<void> {
  const ruling = await findRuling(db, id);
  if (ruling === undefined) throw new ProblemError("not_found", `no ruling has the id ${id}`);
  if (ruling.kind === "void" || ruling.kind === "quarantine") return;
  const why =
    ruling.kind === "release" ? "it lifts another one; rule anew instead" : "its battles have been judged again since";
  throw new ProblemError("conflict", `ruling ${id} cannot be lifted: ${why}`);
}
