export { signEdgearena as signRequest, verifyEdgearena as verifyRequest } from "@agon/protocol";
export { agentAnswer } from "./agent-answer.ts";
export {
  type Agent,
  type AgentDefinition,
  defineAgent,
  type PromptHandler,
  type RoleHandler,
  type RoleOutput,
  type TaskContext,
} from "./agent-definition.ts";
export { AgentError, type AgentErrorCode } from "./agent-error.ts";
export type { HandlerOptions, Secret } from "./agent-handler.ts";
export { type Answer, type AnswerContext, DeadlineError } from "./answer.ts";
export {
  type ArenaAnswerOf,
  type ArenaClient,
  type ArenaClientOptions,
  type ArenaInput,
  type ArenaPath,
  createArenaClient,
  isProblem,
} from "./arena-client.ts";
export { ArenaError, type ArenaErrorKind } from "./arena-error.ts";
export { type ArenaAnswer, type ArenaRequest, requestArena } from "./arena-request.ts";
export { parseBaseUrl } from "./base-url.ts";
export { commandAgent } from "./command-agent.ts";
export { type CommandAnswerOptions, commandAnswer } from "./command-answer.ts";
export { type CompleteTaskOptions, completeTask } from "./complete-task.ts";
export { createHandler } from "./create-handler.ts";
export { type ForwardOptions, forwardToModel } from "./forward-to-model.ts";
export type { Model, ModelReply, ModelRequest, Usage } from "./model.ts";
export { type OpenAiModelOptions, openAiModel } from "./openai-model.ts";
export {
  createPullClient,
  type Polled,
  type PollOptions,
  type PullClient,
  type PullClientOptions,
  type PullResult,
} from "./pull-client.ts";
export type { RoleTask } from "./role-task.ts";
export type { RunEvent, RunSummary } from "./run-event.ts";
export { type RunPullOptions, runPull } from "./runner.ts";
export { type ServedAgent, type ServeOptions, serve } from "./serve-agent.ts";
export type { WebhookEvent, WebhookSummary } from "./webhook-event.ts";
export { type ServeWebhookOptions, serveWebhook, type WebhookServer } from "./webhook-server.ts";
