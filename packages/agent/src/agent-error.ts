import { truncateUtf8 } from "@agon/protocol";

/**
 * Why an agent has no answer, as it is told to the arena:
 * - `no_handler` it does not do this kind of work (422)
 * - `model_failed` its model gave no answer (502)
 * - `invalid_output` what it made is not in shape, or too large (502)
 * - `deadline` it was not done in time (504)
 * - `stopped` it was given up: the agent stops, or its caller is gone (503)
 * - `agent_error` its own code failed (500)
 */
export type AgentErrorCode = "no_handler" | "model_failed" | "invalid_output" | "deadline" | "stopped" | "agent_error";

const STATUS: { readonly [C in AgentErrorCode]: number } = {
  no_handler: 422,
  model_failed: 502,
  invalid_output: 502,
  deadline: 504,
  stopped: 503,
  agent_error: 500,
};

/** What a model wrote is shown to its owner up to here. */
const RAW_OUTPUT_MAX_BYTES = 4_096;
const ERROR_MAX_BYTES = 2_000;

/** Why there is no answer. Handlers may throw it themselves, to say `model_failed` of a model of their own. */
export class AgentError extends Error {
  override readonly name = "AgentError";
  readonly code: AgentErrorCode;
  /** What the validator said. */
  readonly validationError: string | undefined;
  /** What the model wrote, where that is at fault. */
  readonly rawOutput: string | undefined;

  constructor(
    code: AgentErrorCode,
    message: string,
    options: { validationError?: string; rawOutput?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.validationError = options.validationError;
    this.rawOutput = options.rawOutput;
  }

  get status(): number {
    return STATUS[this.code];
  }
}

/** Any thrown value as an {@link AgentError}; what is none already is a fault of the agent's code. */
export function toAgentError(thrown: unknown): AgentError {
  if (thrown instanceof AgentError) return thrown;
  const text = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  return new AgentError("agent_error", text, { cause: thrown });
}

/**
 * The body of an error answer. The message of a fault in the agent's code stays with its owner: such messages hold
 * paths, addresses and now and then a key.
 */
export function toErrorBody(error: AgentError): Record<string, string> {
  const { code, validationError, rawOutput } = error;
  const text = code === "agent_error" ? "the agent's own code failed; its log says why" : error.message;
  return {
    error: truncateUtf8(text.toWellFormed(), ERROR_MAX_BYTES, "…"),
    code,
    ...(validationError === undefined ? {} : { validationError: truncateUtf8(validationError, ERROR_MAX_BYTES, "…") }),
    ...(rawOutput === undefined
      ? {}
      : { rawOutput: truncateUtf8(rawOutput.toWellFormed(), RAW_OUTPUT_MAX_BYTES, "…") }),
  };
}
