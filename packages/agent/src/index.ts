export { type Answer, type AnswerContext, DeadlineError } from "./answer.ts";
export { ArenaError, type ArenaErrorKind } from "./arena-error.ts";
export { type ArenaAnswer, type ArenaRequest, requestArena } from "./arena-request.ts";
export { parseBaseUrl } from "./base-url.ts";
export { type CommandAnswerOptions, commandAnswer } from "./command-answer.ts";
export {
  createPullClient,
  type Polled,
  type PollOptions,
  type PullClient,
  type PullClientOptions,
  type PullResult,
} from "./pull-client.ts";
export type { RunEvent, RunSummary } from "./run-event.ts";
export { type RunPullOptions, runPull } from "./runner.ts";
export type { WebhookEvent, WebhookSummary } from "./webhook-event.ts";
export { type ServeWebhookOptions, serveWebhook, type WebhookServer } from "./webhook-server.ts";
