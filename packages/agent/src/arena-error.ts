/**
 * Why a call to an arena brought no result:
 * `refused` the arena said no and would again (4xx) · `busy` it asks for patience (429, 408, 425) · `unavailable` it
 * failed (5xx) · `unreachable` no connection, or a broken one · `timeout` nothing came in time · `not-arena` something
 * answered that is no arena: a redirect, a web page, JSON of another shape.
 */
export type ArenaErrorKind = "refused" | "busy" | "unavailable" | "unreachable" | "timeout" | "not-arena";

/** A call to an arena that brought no result. The message is the arena's own sentence and what to do about it. */
export class ArenaError extends Error {
  override readonly name = "ArenaError";
  readonly kind: ArenaErrorKind;
  /** What happened: the problem's `detail` where the arena sent one. */
  readonly detail: string;
  /** What the agent's owner can do, where there is something. */
  readonly nextStep: string | undefined;
  /** HTTP status, where there was an answer. */
  readonly status: number | undefined;
  /** The problem's `code`, where the arena sent one. */
  readonly code: string | undefined;
  /** The problem's `request_id`, by which an operator finds the call in the arena's log. */
  readonly requestId: string | undefined;
  /** Milliseconds the arena asked to wait, bounded. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: ArenaErrorKind,
    detail: string,
    options: {
      nextStep?: string | undefined;
      status?: number | undefined;
      code?: string | undefined;
      requestId?: string | undefined;
      retryAfterMs?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(
      options.nextStep === undefined ? detail : `${toSentence(detail)} ${options.nextStep}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.kind = kind;
    this.detail = detail;
    this.nextStep = options.nextStep;
    this.status = options.status;
    this.code = options.code;
    this.requestId = options.requestId;
    this.retryAfterMs = options.retryAfterMs;
  }
}

function toSentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
