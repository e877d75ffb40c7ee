import { ProblemError } from "@agon/protocol";
import type { Database } from "../db/database.ts";
import type { Clock, Random } from "../ports.ts";
import type { Launchpad } from "./launchpad-file.ts";
import { newSlots } from "./phase-ends.ts";
import { countRuns, findRun, insertRun, lockAccount, lockRun } from "./run-queries.ts";
import { cancelOpenWork, type RunRow, updateRun } from "./step-queries.ts";

export interface RunRequest {
  goal: string;
  scouts: number;
  builders_per_candidate: number;
  verifiers_per_candidate: number;
  critics_per_candidate: number;
}

export interface RunQuotas {
  runsPerDay: number;
  runsOpen: number;
}

const DAY_MS = 86_400_000;

/**
 * Begins a run for an account. The launchpad is kept with it, so that all its phases are told the same.
 *
 * @throws ProblemError `rate_limited` when the account has too many open, or began too many within a day
 */
export async function createRun(
  db: Database,
  ports: { clock: Clock; random: Random },
  quotas: RunQuotas,
  accountId: number,
  launchpad: Launchpad,
  request: RunRequest,
): Promise<RunRow> {
  const now = ports.clock.now();
  return db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const { open, recent, firstAt } = await countRuns(tx, accountId, new Date(now - DAY_MS));
    if (quotas.runsOpen > 0 && open >= quotas.runsOpen) {
      throw new ProblemError("rate_limited", `open runs: at most ${quotas.runsOpen}; wait for one to end or cancel it`);
    }
    if (quotas.runsPerDay > 0 && recent >= quotas.runsPerDay) {
      const seconds = Math.max(1, Math.ceil(((firstAt?.getTime() ?? now) + DAY_MS - now) / 1000));
      throw new ProblemError("rate_limited", `runs in a day: at most ${quotas.runsPerDay}; try again in ${seconds} s`, {
        headers: { "retry-after": String(seconds) },
      });
    }
    const run = {
      id: ports.random.uuid(),
      accountId,
      goal: request.goal,
      launchpad: launchpad.slug,
      pack: launchpad,
      scouts: request.scouts,
      buildersPerCandidate: request.builders_per_candidate,
      verifiersPerCandidate: request.verifiers_per_candidate,
      criticsPerCandidate: request.critics_per_candidate,
      status: "SCOUT" as const,
      createdAt: new Date(now),
    };
    return insertRun(tx, run, newSlots(run, "SCOUT", [], now));
  });
}

/**
 * Ends a run of an account's own. What agents are working on is withdrawn; an answer that comes later changes nothing.
 *
 * @returns the run and the agents that have room again
 * @throws ProblemError `not_found` for another's run too; `conflict` when it is over
 */
export async function cancelRun(
  db: Database,
  clock: Clock,
  accountId: number,
  runId: string,
): Promise<{ run: RunRow; agents: number[] }> {
  if ((await findRun(db, runId))?.accountId !== accountId) {
    throw new ProblemError("not_found", `you have no run ${runId}`);
  }
  return db.transaction(async (tx) => {
    const run = (await lockRun(tx, runId)) as RunRow;
    // A repeat, perhaps of a call whose answer got lost.
    if (run.status === "CANCELLED") return { run, agents: [] };
    if (run.finishedAt !== null) throw new ProblemError("conflict", `this run is over: ${run.status}`);
    const finishedAt = new Date(clock.now());
    const agents = await cancelOpenWork(tx, runId, clock.now());
    await updateRun(tx, runId, { status: "CANCELLED", finishedAt });
    return { run: { ...run, status: "CANCELLED", finishedAt }, agents };
  });
}
