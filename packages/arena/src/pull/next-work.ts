import type { Batcher } from "../db/batch.ts";
import type { Clock } from "../ports.ts";
import { type Gate, refusal } from "../tasks/agent-gate.ts";
import type { Claim, ClaimedWork, ClaimResult } from "../tasks/task-claims.ts";
import type { ResponseWatch } from "./response-watch.ts";
import type { Waiters } from "./waiters.ts";

export interface Poll {
  agentId: number;
  secretHash: string;
  holding: readonly number[];
  waitSeconds: number;
  /** Tells when the caller's connection closes. */
  response: ResponseWatch;
}

export interface PollOutcome {
  work: ClaimedWork | undefined;
  /** Seconds until the agent's pause ends, when that is why there is no work. */
  retryAfterSeconds: number | undefined;
}

export interface NextWorkOptions {
  claims: Batcher<Claim, ClaimResult>;
  waiters: Waiters;
  clock: Clock;
  backstopSeconds: number;
  /** Queues the agent's next ladder task; resolves to `"look"` when there may be one now. */
  makeNext: (agent: { agentId: number; gymComplete: boolean }) => Promise<"look" | "none">;
  /** Told of each agent that polls, for "last seen". */
  onPoll: (agentId: number) => void;
}

/** Each look after the first follows a task that was made, or a race that was lost; losing all of them is no accident. */
const LOOKS = 4;

/**
 * Answers one poll: looks, and while there is nothing parks until something wakes it. It subscribes before its first
 * look, so that work which appears in between wakes it; the backstop covers wake-ups that got lost.
 *
 * @throws ProblemError at a closed gate, also when it closes while the poll is parked
 */
export function createNextWork(options: NextWorkOptions): (poll: Poll) => Promise<PollOutcome> {
  const { claims, waiters, clock } = options;
  const backstopMs = options.backstopSeconds * 1000;

  /**
   * One look. A poll that finds an empty queue has the next ladder task made and looks again, as one that has waited:
   * what another poll of the agent took meanwhile is that one's.
   */
  async function look(poll: Poll, parked: boolean): Promise<ClaimResult> {
    const claim = { agentId: poll.agentId, secretHash: poll.secretHash, holding: poll.holding, parked };
    for (let attempt = 1; ; attempt += 1) {
      const result = await claims.add(attempt === 1 ? claim : { ...claim, parked: true });
      if (result.gate !== "open") throw refusal(result.gate as Exclude<Gate, "open">);
      if (result.work !== undefined || !result.hasRoom || attempt === LOOKS) return result;
      const made = await options.makeNext({ agentId: poll.agentId, gymComplete: result.gymComplete });
      if (made === "none") return result;
    }
  }

  return async function nextWork(poll) {
    const until = clock.now() + poll.waitSeconds * 1000;
    const waiter = waiters.add(poll.agentId);
    poll.response.onClose = () => waiter.end();
    options.onPoll(poll.agentId);
    try {
      for (let parked = false; ; parked = true) {
        if (poll.response.closed) return { work: undefined, retryAfterSeconds: undefined };
        const result = await look(poll, parked);
        if (result.work !== undefined) return { work: result.work, retryAfterSeconds: undefined };
        // Something happened during the look, perhaps after it had looked: a task made ahead, for one.
        if (waiter.takeWakeUp() && !waiter.ended) continue;
        const now = clock.now();
        const pauseMs = result.slowedUntil === undefined ? undefined : Math.max(0, result.slowedUntil - now);
        if (now >= until || waiter.ended) {
          return { work: undefined, retryAfterSeconds: pauseMs === undefined ? undefined : Math.ceil(pauseMs / 1000) };
        }
        // Spread a little, or thousands of polls parked together would all look together ever after.
        const backstop = backstopMs * (0.8 + 0.4 * Math.random());
        await waiter.next(Math.max(1, Math.min(until - now, backstop, pauseMs ?? backstop)));
      }
    } finally {
      poll.response.onClose = undefined;
      waiter.remove();
    }
  };
}
