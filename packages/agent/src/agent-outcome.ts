import type { Work } from "@agon/protocol";
import { type Answer, DeadlineError, timerMs } from "./answer.ts";

/** What the agent made of one unit of work; `latencyMs` is its own time in whole milliseconds. */
export type AgentOutcome =
  | { readonly response: string; readonly latencyMs: number }
  | { readonly error: string; readonly isTimeout: boolean; readonly latencyMs: number };

/** An error's text is shown in lists; a model's whole refused output is not a reason any more. */
const MAX_ERROR_CHARACTERS = 4_000;

/** A handler that heeds its signal needs some time to end what it runs; one that does not is left after this time. */
const SETTLE_MS = 3_000;

/** How {@link runAnswer} runs a handler. */
export interface RunAnswerOptions {
  /** Milliseconds the handler has from now. */
  readonly deadlineMs: number;
  /** Gives the work up at once. */
  readonly abortSignal: AbortSignal;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  readonly log: (line: string) => void;
}

/**
 * Runs a handler on work until its deadline. Never rejects: whatever a handler throws is an outcome, and so is an answer
 * that is no text or blank.
 */
export async function runAnswer(answer: Answer, work: Work, options: RunAnswerOptions): Promise<AgentOutcome> {
  const { deadlineMs, abortSignal, now, log } = options;
  const begun = now();
  const limit = new AbortController();
  const abort = (reason: unknown) => limit.abort(reason);
  const onAbort = () => abort(abortSignal.reason);
  if (abortSignal.aborted) onAbort();
  abortSignal.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => abort(new DeadlineError(work.deadline_seconds)), timerMs(deadlineMs));
  let left: NodeJS.Timeout | undefined;
  const leaving = new Promise<never>((_, reject) => {
    const leave = () => {
      left = setTimeout(() => reject(limit.signal.reason), SETTLE_MS);
    };
    if (limit.signal.aborted) leave();
    else limit.signal.addEventListener("abort", leave, { once: true });
  });
  try {
    const context = { signal: limit.signal, deadlineMs, log };
    const response: unknown = await Promise.race([(async () => answer(work, context))(), leaving]);
    const latencyMs = Math.round(now() - begun);
    // Too late is too late, also for a handler that went on past its signal: the arena counts from the same moment.
    if (limit.signal.aborted) return toFailure(limit.signal.reason, latencyMs);
    if (typeof response !== "string") return toFailure(new Error("the agent's answer is not a text"), latencyMs);
    if (response.trim() === "") return toFailure(new Error("the agent's answer is empty"), latencyMs);
    // Half a surrogate pair cannot be written as UTF-8, and databases refuse its escape.
    return { response: response.toWellFormed(), latencyMs };
  } catch (error) {
    return toFailure(error, Math.round(now() - begun));
  } finally {
    clearTimeout(timer);
    clearTimeout(left);
    abortSignal.removeEventListener("abort", onAbort);
  }
}

function toFailure(thrown: unknown, latencyMs: number): AgentOutcome {
  const text = (thrown instanceof Error ? thrown.message || thrown.name : String(thrown)).trim() || "unknown error";
  const error = [...text].slice(0, MAX_ERROR_CHARACTERS).join("").toWellFormed();
  return { error, isTimeout: thrown instanceof DeadlineError, latencyMs };
}
