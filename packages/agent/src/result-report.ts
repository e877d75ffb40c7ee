import type { Work } from "@agon/protocol";
import { ArenaError } from "./arena-error.ts";
import { createBackoff } from "./backoff.ts";
import type { PullClient, PullResult } from "./pull-client.ts";
import type { RunEvent } from "./run-event.ts";

/**
 * An arena accepts an answer some seconds past the deadline and an error report at any time. Longer than that, because an
 * arena that restarts is away for about this long, and a late report still says why nothing came.
 */
const REPORT_GRACE_MS = 30_000;

/** How {@link reportResult} reports. */
export interface ReportOptions {
  readonly client: PullClient;
  /** The moment of the work's deadline on the clock of `now`. */
  readonly deadlineAt: number;
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Gives up at once. */
  readonly abortSignal: AbortSignal;
  readonly emit: (event: RunEvent) => void;
}

/**
 * Brings a result to the arena: tries again while the arena is out of reach, and gives up when it refuses or when the
 * deadline and a grace are over. An answer that the arena does not take in its form (too large, say) is replaced by an
 * error report that says so, or the work would be handed out again and again.
 *
 * @returns the refusal that concerns the agent as a whole (401, 403), if it was one
 */
export async function reportResult(
  work: Work,
  result: PullResult,
  options: ReportOptions,
): Promise<ArenaError | undefined> {
  const { client, now, sleep, abortSignal, emit } = options;
  const giveUpAt = Math.max(options.deadlineAt, now()) + REPORT_GRACE_MS;
  const backoff = createBackoff(500, 10_000);
  const kind = "response" in result ? "response" : "error";
  for (let attempts = 1; ; attempts += 1) {
    try {
      await client.submitResult(work.work_id, result, abortSignal);
      emit({ type: "reported", work, result: kind, attempts });
      return undefined;
    } catch (error) {
      if (abortSignal.aborted) return undefined;
      if (!(error instanceof ArenaError)) throw error;
      const delayMs = Math.max(error.retryAfterMs ?? 0, backoff.next());
      if (error.kind !== "refused" && now() + delayMs < giveUpAt) {
        emit({ type: "retrying", call: "result", work, delayMs, reason: error.detail });
        await sleep(delayMs, abortSignal);
        if (abortSignal.aborted) return undefined;
        continue;
      }
      emit({ type: "unreported", work, result: kind, reason: error.detail });
      if (error.kind !== "refused") return undefined;
      if (error.status === 401 || error.status === 403) return error;
      const isAboutForm = error.status === 400 || error.status === 413 || error.status === 422;
      if (kind === "error" || !isAboutForm) return undefined;
      const reason = `the arena refused the answer: ${error.detail}`;
      return reportResult(work, { error: reason, latency_ms: result.latency_ms }, options);
    }
  }
}
