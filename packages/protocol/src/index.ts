export {
  type Account,
  type AccountPatch,
  accountPatchSchema,
  accountSchema,
  type RegisterResponse,
  registerResponseSchema,
  type User,
  type UsersPage,
  userSchema,
  usersPageSchema,
} from "./account.ts";
export {
  ACTIVITY_STATUSES,
  type ActivityPage,
  type ActivitySession,
  activityPageSchema,
  activitySessionSchema,
} from "./activity.ts";
export {
  type AgentCreated,
  type AgentDetail,
  type AgentList,
  type AgentListItem,
  agentCreatedSchema,
  agentDetailSchema,
  agentListItemSchema,
  agentListSchema,
  type GymProgress,
  gymProgressSchema,
} from "./agent.ts";
export { type AgentCreate, type AgentPatch, agentCreateSchema, agentPatchSchema } from "./agent-request.ts";
export { agentUrlSchema } from "./agent-url.ts";
export { AGENT_MODES, type AgentMode, DIALECTS, type Dialect, ROLES, type Role } from "./agent-words.ts";
export {
  type AnswerReport,
  type CompletionBody,
  completionBodySchema,
  type ParsedAnswer,
  parseAnswer,
  readAnswerReport,
} from "./edgearena-answer.ts";
export {
  type ChatMessage,
  chatMessageSchema,
  type DispatchAnswer,
  type DispatchPayload,
  dispatchPayloadSchema,
} from "./edgearena-dispatch.ts";
export {
  OUTPUT_SCHEMAS,
  type ParsedOutput,
  type PhaseInput,
  type PhaseOutput,
  parseOutput,
} from "./edgearena-output.ts";
export {
  type BuildOutput,
  buildOutputSchema,
  type CritiqueOutput,
  critiqueOutputSchema,
  type ScoutOutput,
  scoutOutputSchema,
  type VerifyOutput,
  verifyOutputSchema,
} from "./edgearena-output-schemas.ts";
export { edgearenaTarget, signEdgearena, verifyEdgearena } from "./edgearena-signature.ts";
export {
  analystSimulationSchema,
  builderSimulationSchema,
  HANDSHAKE_ERROR_CODES,
  type HandshakeErrorCode,
  type HandshakePayload,
  handshakePayloadSchema,
  SIMULATION_CHECKS,
  SIMULATION_DEADLINE_MS,
  SIMULATION_GRACE_MS,
  SIMULATION_REQUIRED_KEYS,
  SIMULATION_TYPE,
  type SimulationCheckName,
  type SimulationPayload,
  scoutSimulationSchema,
  simulationPayloadSchema,
} from "./edgearena-simulation.ts";
export {
  EDGEARENA_KEY_PREFIX,
  EDGEARENA_PROTOCOL,
  EDGEARENA_USER_AGENTS,
  KIND_PHASE,
  PHASE_DEADLINE_MS,
  PHASE_KIND,
  PHASE_ROLE,
  PHASES,
  type Phase,
  ROLE_PHASES,
  SIMULATION_PHASE,
} from "./edgearena-words.ts";
export { type Eligibility, eligibilitySchema } from "./eligibility.ts";
export type { SignedBody } from "./hmac.ts";
export { parseHolding } from "./holding.ts";
export { isNestedDeeper, isPlainObject, jsonBytes, OUTPUT_MAX_DEPTH, toStorableJson } from "./json-value.ts";
export {
  type LeaderboardItem,
  type LeaderboardPage,
  leaderboardItemSchema,
  leaderboardPageSchema,
} from "./leaderboard.ts";
export { pageSchema } from "./page.ts";
export { type Problem, type ProblemField, problemFieldSchema, problemSchema, toProblem } from "./problem.ts";
export { PROBLEM_CODES, type ProblemCode, problemStatus, problemTitle } from "./problem-codes.ts";
export { ProblemError } from "./problem-error.ts";
export {
  type AcceptedResult,
  type RefusedResult,
  type ResultBody,
  type ResultResponse,
  resultBodySchema,
  resultResponseSchema,
  toResult,
} from "./result.ts";
export { shapeComplaint } from "./shape-complaint.ts";
export { checkSignatureTimestamp } from "./signature-timestamp.ts";
export { signStandardWebhook, verifyStandardWebhook } from "./standard-webhook.ts";
export { signTesserax, verifyTesserax } from "./tesserax-signature.ts";
export { codePoints } from "./text-field.ts";
export { cleanText, truncateUtf8, utf8Length } from "./utf8-text.ts";
export type { StaleResult, VerifyFailure, VerifyResult } from "./verify-result.ts";
export { type Version, versionSchema } from "./version.ts";
export {
  COMPLETE_URL_HEADER,
  EDGEARENA_SIGNATURE_HEADER,
  EDGEARENA_TASK_ID_HEADER,
  EDGEARENA_TIMESTAMP_HEADER,
  HOLDING_HEADER,
  STANDARD_WEBHOOK_ID_HEADER,
  STANDARD_WEBHOOK_SIGNATURE_HEADER,
  STANDARD_WEBHOOK_TIMESTAMP_HEADER,
  TESSERAX_SECRET_HEADER,
  TESSERAX_SIGNATURE_HEADER,
} from "./wire-headers.ts";
export {
  BODY_MAX_BYTES,
  COMPLETION_OUTPUT_MAX_BYTES,
  DISPATCH_BODY_MAX_BYTES,
  HOLDING_MAX_IDS,
  MIN_REOFFER_SECONDS,
  PING_DEADLINE_SECONDS,
  PROMPT_DEADLINE_SECONDS,
  PROMPT_MAX_BYTES,
  PULL_WAIT_MAX_SECONDS,
  SIGNATURE_WINDOW_SECONDS,
} from "./wire-limits.ts";
export {
  PING_CATEGORY,
  PING_PROMPT_ID,
  type PingPayload,
  type PromptPayload,
  type PushAnswer,
  pingPayloadSchema,
  promptPayloadSchema,
  pushAnswerSchema,
  type Work,
  workSchema,
} from "./work.ts";
export {
  LADDER_KINDS,
  type LadderKind,
  parseWorkId,
  RUN_KINDS,
  type RunKind,
  toWorkId,
  WORK_KINDS,
  type WorkId,
  type WorkKind,
} from "./work-id.ts";
