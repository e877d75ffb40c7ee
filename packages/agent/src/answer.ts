import type { Work } from "@agon/protocol";

/** What a handler gets beside the work itself. */
export interface AnswerContext {
  /** Aborts at the deadline or when the runner has to give the work up; `signal.reason` is an Error that says which. */
  readonly signal: AbortSignal;
  /** Milliseconds the handler has, counted from the receipt of the work. */
  readonly deadlineMs: number;
  /** Takes one line for the agent's owner. Nothing of it reaches the arena. */
  readonly log: (line: string) => void;
}

/**
 * Answers one unit of work. The promise resolves to the answer's text; a rejection is recorded in the arena as this
 * work's error, with the rejection's message as the reason.
 */
export type Answer = (work: Work, context: AnswerContext) => Promise<string>;

/**
 * The error of work that ran past its deadline. Its message is the reason the arena records, in the form that the
 * pull API's own example has ("timeout after 300s").
 */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
  /** @param seconds the deadline as the work named it */
  constructor(seconds: number) {
    super(`timeout after ${seconds}s`);
  }
}

/**
 * Timers take at most 2^31 - 1 ms and turn anything longer, or NaN, into 1 ms: a deadline of 30 days would end the work
 * at once. This bounds a span for them.
 */
export function timerMs(milliseconds: number): number {
  return Number.isNaN(milliseconds) ? 0 : Math.min(Math.max(milliseconds, 0), 2_147_483_647);
}
