/** Header values by lower-case name; a list where a header came more than once. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Whose fault a failure is: `timeout`, `unreachable` and `invalid` are the endpoint's, `arena` is ours and must touch
 * neither health nor rating.
 */
export type FailureCause = "timeout" | "unreachable" | "invalid" | "arena";

/**
 * What happened: no address for the name · nobody listens · no TLS · the connection ended before an answer · any other
 * trouble of the network · it ended inside the answer · that was no HTTP · too many bytes · a compressed body · past
 * the deadline · not let through by the guard · called off by us.
 */
export type FailureCode =
  | "dns"
  | "refused"
  | "tls"
  | "reset"
  | "network"
  | "truncated"
  | "protocol"
  | "too_large"
  | "encoded"
  | "timeout"
  | "address_refused"
  | "aborted";

/** Milliseconds, each stage by itself. A stage that was not reached, or not needed on a kept connection, is absent. */
export interface ExchangeTimings {
  dns?: number;
  connect?: number;
  tls?: number;
  /** From the request on the wire to the first byte of an answer. */
  firstByte?: number;
  total: number;
}

interface ExchangeFacts {
  /** When the exchange began, in ms since the epoch by the arena's clock. */
  startedAt: number;
  timings: ExchangeTimings;
  /** The address that was connected to. */
  remoteAddress?: string;
  /**
   * The request went out on a connection kept from an earlier one. A `reset` there says little: the other side may
   * have closed it while nobody was using it. Nothing is sent again here.
   */
  reusedSocket: boolean;
}

export interface ExchangeAnswer extends ExchangeFacts {
  ok: true;
  status: number;
  headers: ResponseHeaders;
  /** Complete. Empty with `ignoreBody`. */
  body: Buffer;
}

export interface ExchangeFailure extends ExchangeFacts {
  ok: false;
  cause: FailureCause;
  code: FailureCode;
  /** A sentence for the owner of the endpoint. */
  detail: string;
  /** What had arrived by then. An excerpt is for looking at: it may end anywhere and is never an answer. */
  status?: number;
  headers?: ResponseHeaders;
  bodyExcerpt?: string;
  /** How long our own event loop was blocked when the deadline passed, where that was long enough to matter. */
  loopLagMs?: number;
}

/** One HTTP exchange: an answer of any status, or the reason why there is none. */
export type ExchangeResult = ExchangeAnswer | ExchangeFailure;

/** The value of a header; the first where there are several. */
export function headerOf(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
