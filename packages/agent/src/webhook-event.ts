import type { Work } from "@agon/protocol";

/**
 * What a webhook server tells about itself, in the order in which it happens. Where a runner has an event for the same
 * thing it has the same name and form here.
 *
 * - `listening` requests are taken, at `url`
 * - `ping` the arena looked whether somebody answers, and was answered
 * - `handshake` it asked whether an agent of edgearena-v1 is there, and was answered
 * - `refused` a request was turned down before any work: `status` and the `reason` that went back
 * - `received` a prompt came; `deadlineMs` is the time from now until its deadline
 * - `repeated` a prompt came again; it gets the answer that is `in-hand` or was `stored`, and nothing runs anew
 * - `log` a line from the agent about its work, for its owner alone
 * - `answered`, `failed` the agent is done with it; `latencyMs` is its time since receipt
 * - `replied` the answer or the error went out to the arena
 * - `unreplied` it could not, and why
 * - `stopping` nothing new is taken; `holding` is finished first
 * - `stopped` the end
 */
export type WebhookEvent =
  | { readonly type: "listening"; readonly url: string }
  | { readonly type: "ping" }
  | { readonly type: "handshake" }
  | { readonly type: "refused"; readonly status: number; readonly reason: string }
  | { readonly type: "received"; readonly work: Work; readonly deadlineMs: number }
  | { readonly type: "repeated"; readonly work: Work; readonly answer: "in-hand" | "stored" }
  | { readonly type: "log"; readonly work: Work; readonly line: string }
  | { readonly type: "answered"; readonly work: Work; readonly latencyMs: number; readonly response: string }
  | {
      readonly type: "failed";
      readonly work: Work;
      readonly latencyMs: number;
      readonly error: string;
      readonly isTimeout: boolean;
    }
  | { readonly type: "replied"; readonly work: Work; readonly result: "response" | "error" }
  | { readonly type: "unreplied"; readonly work: Work; readonly result: "response" | "error"; readonly reason: string }
  | { readonly type: "stopping"; readonly holding: readonly string[] }
  | ({ readonly type: "stopped" } & WebhookSummary);

/** How serving went. */
export interface WebhookSummary {
  /** Prompts that the agent answered. */
  readonly answered: number;
  /** Prompts that ended in an error. */
  readonly failed: number;
}
