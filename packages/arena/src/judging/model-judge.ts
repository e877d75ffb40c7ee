import { ProblemError } from "@agon/protocol";
import type { Logger } from "pino";
import type { Database } from "../db/database.ts";
import type { Clock, Random } from "../ports.ts";
import type { Judge } from "./judges.ts";
import { createModelVerdict, type ModelJudgeSettings } from "./model-verdict.ts";
import { showNextBattle } from "./next-battle.ts";
import { listHeld, type Showing } from "./presentation-queries.ts";
import { castVote, skipBattle } from "./vote-casting.ts";
import type { JudgeKind } from "./vote-log.ts";

export interface ModelJudgeOptions {
  db: Database;
  ports: { clock: Clock; random: Random };
  log: Logger;
  settings: ModelJudgeSettings;
  ratingJudges: readonly JudgeKind[];
  /** Battles that it looks at in an hour; each costs two questions. */
  votesPerHour: number;
  pairVotesMax: number;
}

export interface ModelJudge {
  /** Judges one battle. @returns whether there may be another at once */
  step(): Promise<boolean>;
  /** Gives up the question that is under way. */
  stop(): void;
}

/** Both questions of a battle together; a showing lasts ten minutes. */
const ANSWER_MS = 120_000;
const HELD_MAX = 2;
const ADDRESS = "model judge";

/**
 * A model as a judge like any other: it is shown battles without names, and its votes go into the log under its own kind.
 * Whether they count is the operator's to say; by default they do not. Where it contradicts itself it abstains, which is
 * a skip. While the endpoint cannot be reached, the battle that it holds is kept and tried again.
 */
export function createModelJudge(options: ModelJudgeOptions): ModelJudge {
  const { db, ports, log, settings, ratingJudges, pairVotesMax } = options;
  const judge: Judge = { kind: "model", id: settings.model, accountId: undefined };
  const compare = createModelVerdict(settings, ports.random);
  const stopping = new AbortController();
  let held: Showing | undefined;

  async function step(): Promise<boolean> {
    held ??= await takeBattle();
    if (held === undefined) return false;
    const showing = held;
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(ANSWER_MS)]);
    const said = await compare(showing, signal);
    if (said.kind === "unreachable") {
      const isOver = showing.expires_at <= ports.clock.now();
      if (isOver) held = undefined;
      if (!stopping.signal.aborted) log.warn({ err: said.error }, "the model that judges could not be asked");
      return false;
    }
    held = undefined;
    await settle(showing, said.kind === "verdict" ? said.verdict : undefined);
    if (said.kind === "abstains") log.debug({ why: said.why }, "the model that judges abstained");
    return true;
  }

  async function takeBattle(): Promise<Showing | undefined> {
    // Those are in the hands of other nodes, which ask the same model.
    if ((await listHeld(db, judge, ports.clock.now())).length >= HELD_MAX) return undefined;
    try {
      const next = { db, ports, showingsPerHour: options.votesPerHour, pairVotesMax };
      return await showNextBattle(next, judge, ADDRESS);
    } catch (error) {
      if (error instanceof ProblemError && error.code === "rate_limited") return undefined;
      throw error;
    }
  }

  async function settle(showing: Showing, verdict: "a" | "b" | "tie" | "both_bad" | undefined): Promise<void> {
    const turn = { presentationId: showing.id, judge, address: ADDRESS, arrivedAt: ports.clock.now() };
    try {
      if (verdict === undefined) await skipBattle(db, turn);
      // Its limit is on what it looks at: a question that was paid for shall not be lost to another one.
      else await castVote({ db, clock: ports.clock, ratingJudges, votesPerHour: 0 }, turn, verdict);
    } catch (error) {
      // It took too long, or another node was first.
      if (!(error instanceof ProblemError)) throw error;
      log.debug({ code: error.code }, "a verdict of the model came to nothing");
    }
  }

  return { step, stop: () => stopping.abort() };
}
