import type { ProblemField } from "./problem.ts";
import type { ProblemCode } from "./problem-codes.ts";

/**
 * An error whose answer is already decided. Operations throw it; the one error handler at the HTTP boundary turns it
 * into a problem, so nothing below a route knows a status number.
 *
 * @example throw new ProblemError("agent_not_found", "agent not found")
 */
export class ProblemError extends Error {
  /** Decides status and title. */
  readonly code: ProblemCode;
  /** The sentence that the client reads; also the message of the error. */
  readonly detail: string;
  /** The fields that were refused, where the problem is about fields. */
  readonly errors: readonly ProblemField[] | undefined;
  /** Headers for the answer, such as `retry-after`; names in lower case. */
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(
    code: ProblemCode,
    detail: string,
    options: {
      errors?: readonly ProblemField[] | undefined;
      headers?: Readonly<Record<string, string>> | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ProblemError";
    this.code = code;
    this.detail = detail;
    this.errors = options.errors;
    this.headers = options.headers;
  }
}
