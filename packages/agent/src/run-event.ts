import type { Work } from "@agon/protocol";

/**
 * What a runner tells about itself, in the order in which it happens.
 *
 * - `polling` a poll goes out; `holding` are the ids of the work in hand
 * - `idle` the poll brought nothing
 * - `received` work came; `deadlineMs` is the time from now until its deadline
 * - `log` a line from the agent about its work, for its owner alone
 * - `answered`, `failed` the agent is done with it; `latencyMs` is the agent's own time
 * - `reported` the arena has taken the answer or the error, at the `attempts`-th try
 * - `unreported` the arena did not take it, and why: refused, or out of reach until it was too late
 * - `duplicate` work came that is in hand already; it is not begun a second time
 * - `retrying` a call failed and is made again after `delayMs`
 * - `pausing` no poll for `delayMs`, and why
 * - `stopping` no more polls; `holding` is finished first
 * - `stopped` the end
 */
export type RunEvent =
  | { readonly type: "polling"; readonly holding: readonly string[] }
  | { readonly type: "idle" }
  | { readonly type: "received"; readonly work: Work; readonly deadlineMs: number }
  | { readonly type: "log"; readonly work: Work; readonly line: string }
  | { readonly type: "answered"; readonly work: Work; readonly latencyMs: number; readonly response: string }
  | {
      readonly type: "failed";
      readonly work: Work;
      readonly latencyMs: number;
      readonly error: string;
      readonly isTimeout: boolean;
    }
  | { readonly type: "reported"; readonly work: Work; readonly result: "response" | "error"; readonly attempts: number }
  | { readonly type: "unreported"; readonly work: Work; readonly result: "response" | "error"; readonly reason: string }
  | { readonly type: "duplicate"; readonly work: Work }
  | {
      readonly type: "retrying";
      readonly call: "next" | "result";
      readonly work?: Work;
      readonly delayMs: number;
      readonly reason: string;
    }
  | { readonly type: "pausing"; readonly delayMs: number; readonly reason: string }
  | { readonly type: "stopping"; readonly holding: readonly string[] }
  | ({ readonly type: "stopped" } & RunSummary);

/** How a run went. */
export interface RunSummary {
  /** `once`: the one task is done; `signal`: asked to stop; `refused`: the arena does not let this agent pull. */
  readonly reason: "once" | "signal" | "refused";
  /** Work that the agent answered. */
  readonly answered: number;
  /** Work that ended in an error. */
  readonly failed: number;
}
