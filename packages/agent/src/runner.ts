import { setTimeout as delay } from "node:timers/promises";
import type { Work } from "@agon/protocol";
import { runAnswer } from "./agent-outcome.ts";
import { type Answer, timerMs } from "./answer.ts";
import { ArenaError } from "./arena-error.ts";
import { createBackoff } from "./backoff.ts";
import { createPullClient } from "./pull-client.ts";
import { reportResult } from "./result-report.ts";
import type { RunEvent, RunSummary } from "./run-event.ts";

/** What {@link runPull} needs. */
export interface RunPullOptions {
  /** Address of the arena, with or without `/api`. */
  readonly baseUrl: string;
  readonly agentId: number | string;
  /** The agent's own `webhook_secret`. */
  readonly secret: string;
  /** Does the work. */
  readonly answer: Answer;
  /** Seconds a poll is held by the arena, 0 to 50; 25 by default, which common proxies let through. */
  readonly waitSeconds?: number;
  /** Ends after one task. Polls that bring none do not count. */
  readonly once?: boolean;
  /** How many tasks are worked on at a time; 1 by default. The arena has to allow the agent as many. */
  readonly concurrency?: number;
  /** Hears everything that happens. What it throws is dropped: a broken listener is no reason to lose an answer. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Stops in an orderly way: no more polls, work in hand is finished and reported. */
  readonly signal?: AbortSignal;
  /** Stops at once: work in hand is given up unreported, and an arena may hand it out again. */
  readonly abortSignal?: AbortSignal;
  /** The platform's unless given. */
  readonly fetch?: typeof fetch;
  /** Milliseconds of a clock that only goes forward; `performance.now` unless given. */
  readonly now?: () => number;
  /** Waits; resolves early when the signal aborts. A timer unless given. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** A poll answered without work sooner than this is one the arena did not hold, and the next has to wait. */
const HELD_AT_LEAST_MS = 1_000;

/** Whatever an arena says, calls after a failure are at least this far apart. */
const MIN_RETRY_MS = 250;

/**
 * Runs an agent by the tesserax pull API: polls for work, has it answered, reports what came of it, until stopped.
 *
 * Deadlines count from receipt. A failed call is made again with growing waits, and an agent's failure, a poll that the
 * arena answers at once and work handed out twice are each followed by a pause: no answer of an arena makes this spin.
 * A result is kept until the arena took or refused it, or its time is over.
 *
 * @returns how the run went, when it was stopped or, with `once`, when its task is done
 * @throws ArenaError when the arena refuses the agent (wrong secret, unknown id, a push agent) or when the address turns
 * out to be no arena's at the first call; work in hand is finished before. TypeError for options that can never work
 */
export async function runPull(options: RunPullOptions): Promise<RunSummary> {
  const { answer, waitSeconds = 25, once = false, concurrency = 1, now = () => performance.now() } = options;
  const { sleep = sleepUntilAborted } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new TypeError("The number of tasks at a time has to be a whole number from 1 up.");
  }
  const client = createPullClient(options);
  const emit = (event: RunEvent) => {
    try {
      options.onEvent?.(event);
    } catch {}
  };
  const abortSignal = options.abortSignal ?? new AbortController().signal;
  const stopping = new AbortController(); // ends the polls: asked to, aborted, or refused
  const stop = AbortSignal.any([abortSignal, stopping.signal, ...(options.signal ? [options.signal] : [])]);

  const inHand = new Map<string, Promise<void>>();
  let refusal: ArenaError | undefined;
  let fault: unknown;
  let contacted = false;
  let answered = 0;
  let failed = 0;
  let pauseUntil = 0;
  const callBackoff = createBackoff(500, 30_000);
  const emptyBackoff = createBackoff(1_000, 5_000);
  const failureBackoff = createBackoff(1_000, 30_000);

  const refuse = (error: ArenaError) => {
    refusal ??= error;
    stopping.abort();
  };

  const pause = async (delayMs: number, reason: string) => {
    emit({ type: "pausing", delayMs, reason });
    await sleep(delayMs, stop);
  };

  const work = async (item: Work, receivedAt: number): Promise<void> => {
    const deadlineMs = item.deadline_seconds * 1_000;
    emit({ type: "received", work: item, deadlineMs });
    const log = (line: string) => emit({ type: "log", work: item, line });
    const outcome = await runAnswer(answer, item, { deadlineMs, abortSignal, now, log });
    const { latencyMs } = outcome;
    // Not even an error: the arena may then hand the work out again, to the runner that is started next.
    if (abortSignal.aborted) return;
    if ("response" in outcome) {
      answered += 1;
      pauseUntil = 0;
      failureBackoff.reset();
      emit({ type: "answered", work: item, latencyMs, response: outcome.response });
    } else {
      failed += 1;
      pauseUntil = now() + failureBackoff.next();
      emit({ type: "failed", work: item, latencyMs, error: outcome.error, isTimeout: outcome.isTimeout });
    }
    const result =
      "response" in outcome
        ? { response: outcome.response, latency_ms: latencyMs }
        : { error: outcome.error, latency_ms: latencyMs };
    const deadlineAt = receivedAt + deadlineMs;
    const refused = await reportResult(item, result, { client, deadlineAt, now, sleep, abortSignal, emit });
    if (refused !== undefined) refuse(refused);
  };

  const begin = (item: Work): void => {
    const receivedAt = now();
    const done = Promise.resolve()
      .then(() => work(item, receivedAt)) // a turn later, so that whoever hears of it finds it in hand
      .catch((error: unknown) => {
        fault ??= error;
        stopping.abort();
      })
      .finally(() => inHand.delete(item.work_id));
    inHand.set(item.work_id, done);
  };

  const poll = async (): Promise<void> => {
    emit({ type: "polling", holding: [...inHand.keys()] });
    const begun = now();
    const polled = await client.next({ waitSeconds, holding: [...inHand.keys()], signal: stop });
    contacted = true;
    callBackoff.reset();
    if (polled.work !== undefined) {
      emptyBackoff.reset();
      if (!inHand.has(polled.work.work_id)) return begin(polled.work);
      emit({ type: "duplicate", work: polled.work });
      // An arena that hands the same out again has nothing else: it is asked anew when something is done.
      await Promise.race([...inHand.values(), pause(5_000, "the arena offered work that is in hand already")]);
      return;
    }
    emit({ type: "idle" });
    const heldMs = now() - begun;
    if (polled.retryAfterMs !== undefined) {
      await pause(Math.max(polled.retryAfterMs, MIN_RETRY_MS), "the arena asked to wait");
    } else if (heldMs < HELD_AT_LEAST_MS) await sleep(emptyBackoff.next(), stop);
    else emptyBackoff.reset();
  };

  const announceStop = () => {
    if (inHand.size > 0 && !abortSignal.aborted) emit({ type: "stopping", holding: [...inHand.keys()] });
  };
  stop.addEventListener("abort", announceStop);

  while (!stop.aborted) {
    if (inHand.size >= concurrency) {
      await Promise.race(inHand.values());
      continue;
    }
    if (pauseUntil > now()) await pause(pauseUntil - now(), "the last task failed");
    if (stop.aborted) break;
    try {
      await poll();
      if (once && inHand.size > 0) break;
    } catch (error) {
      if (stop.aborted) break;
      if (!(error instanceof ArenaError)) {
        fault ??= error;
        break;
      }
      const isFinal = error.kind === "refused" || (error.kind === "not-arena" && !contacted);
      if (isFinal) refuse(error);
      else {
        // A poll that ran into its timeout has waited already, and says nothing about the next.
        const delayMs = error.kind === "timeout" ? MIN_RETRY_MS : Math.max(error.retryAfterMs ?? 0, callBackoff.next());
        emit({ type: "retrying", call: "next", delayMs, reason: error.detail });
        await sleep(delayMs, stop);
      }
    }
  }
  const wasStopped = stop.aborted;
  await Promise.all(inHand.values());
  stop.removeEventListener("abort", announceStop);
  stopping.abort(); // a pause may still be running
  if (fault !== undefined) throw fault;
  const reason = refusal !== undefined ? "refused" : wasStopped ? "signal" : "once";
  const summary: RunSummary = { reason, answered, failed };
  emit({ type: "stopped", ...summary });
  if (refusal !== undefined) throw refusal;
  return summary;
}

async function sleepUntilAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(timerMs(milliseconds), undefined, { signal }).catch(() => {});
}
