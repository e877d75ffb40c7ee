/** One request of a probe, sent once and as it stands: redirects are answers, and nothing is tried again. */
export interface ProbeRequest {
  url: string;
  method: "GET" | "POST";
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Over the whole exchange, from the name to the last byte of the answer. */
  deadlineMs: number;
  maxResponseBytes: number;
  /** The status decides alone; the body need not be read. */
  ignoreBody?: boolean;
  signal?: AbortSignal | undefined;
}

/** Header values by lower-case name; a list where a header came more than once. */
export type ProbeHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Why there is no whole answer: no address for the name · nobody listens · no TLS · closed without an answer · other
 * trouble of the network · closed inside the answer · no HTTP · too many bytes · a compressed body · past the deadline ·
 * an address that may not be called · called off by us.
 */
export type ProbeFailureCode =
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

/** What came of a request: an answer of any status, or the reason why there is none. */
export type ProbeExchange =
  | { ok: true; status: number; headers: ProbeHeaders; body: Uint8Array; timings: { total: number } }
  | {
      ok: false;
      code: ProbeFailureCode;
      /** `arena` is a fault on this side: it says nothing about the endpoint. */
      cause: "timeout" | "unreachable" | "invalid" | "arena";
      /** What happened, in a sentence for the owner. */
      detail: string;
      /** The status, where it had arrived by then. */
      status?: number;
      headers?: ProbeHeaders;
      timings: { total: number };
    };

/**
 * How probes reach the network. An arena hands in its guarded client, a command line a plain one. Resolves for whatever
 * the endpoint does.
 */
export type ProbeFetch = (request: ProbeRequest) => Promise<ProbeExchange>;

/** What probes take from outside. */
export interface ProbePorts {
  fetch: ProbeFetch;
  /** A UUIDv7 that is new each time. */
  newId: () => string;
  /** Milliseconds since the epoch, for signatures and for when a step ended. */
  now: () => number;
  /** Calls off what is under way. */
  signal?: AbortSignal | undefined;
}
