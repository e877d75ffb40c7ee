import type { ProbeExchange, ProbeFailureCode, ProbePorts, ProbeRequest } from "@agon/probes";

/** A request of a check; other than probes, checks also send what no arena would. */
export type CheckRequest = Omit<ProbeRequest, "method"> & { method: string };

/** What checks take from outside. Usable wherever probes are. */
export type CheckPorts = Omit<ProbePorts, "fetch"> & { fetch: (request: CheckRequest) => Promise<ProbeExchange> };

/** How probes reach an endpoint from a person's own machine: without an arena's guard, on localhost too. */
export const plainFetch: CheckPorts["fetch"] = async (request) => {
  const began = performance.now();
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), request.deadlineMs);
  const timings = () => ({ total: performance.now() - began });
  let answer: { status: number; headers: Record<string, string> } | undefined;
  try {
    const response = await send(request, timeout.signal);
    answer = { status: response.status, headers: Object.fromEntries(response.headers) };
    if (request.ignoreBody) {
      await response.body?.cancel();
      return { ok: true, ...answer, body: new Uint8Array(), timings: timings() };
    }
    const encoding = response.headers.get("content-encoding") ?? "identity";
    if (encoding !== "identity") {
      const detail = `The answer is ${encoding}-encoded, though it was asked for as it is.`;
      return { ok: false, cause: "invalid", code: "encoded", detail, ...answer, timings: timings() };
    }
    const body = await readBody(response, request.maxResponseBytes);
    if (body !== undefined) return { ok: true, ...answer, body, timings: timings() };
    const detail = `The answer is longer than ${request.maxResponseBytes} bytes.`;
    return { ok: false, cause: "invalid", code: "too_large", detail, ...answer, timings: timings() };
  } catch (error) {
    const host = new URL(request.url).host;
    const failure = timeout.signal.aborted ? TIMEOUT : toFailure(error, host, answer !== undefined);
    return { ok: false, ...failure, ...answer, timings: timings() };
  } finally {
    clearTimeout(timer);
  }
};

const TIMEOUT = { cause: "timeout", code: "timeout", detail: "There was no whole answer in time." } as const;

function send(request: CheckRequest, timeout: AbortSignal): Promise<Response> {
  const { url, method, headers, body, signal } = request;
  return fetch(url, {
    method,
    redirect: "manual",
    headers: { "accept-encoding": "identity", connection: "close", ...headers },
    signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    ...(body === undefined ? {} : { body }),
  });
}

async function readBody(response: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

type Failure = Pick<Extract<ProbeExchange, { ok: false }>, "cause" | "code" | "detail">;

function toFailure(error: unknown, host: string, hasAnswer: boolean): Failure {
  const codes = listCodes(error);
  const reason = codes.length === 0 ? (error as Error).message : codes.join(", ");
  const unreachable = (code: ProbeFailureCode, detail: string): Failure => {
    return { cause: "unreachable", code, detail: `${detail} (${reason}).` };
  };
  if (codes.some((code) => code === "ENOTFOUND" || code === "EAI_AGAIN")) {
    return unreachable("dns", `The name ${host} could not be resolved`);
  }
  if (codes.includes("ECONNREFUSED")) return unreachable("refused", `${host} refused the connection; nobody listens`);
  if (codes.some((code) => /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|EPROTO/.test(code))) {
    return unreachable("tls", `No secure connection to ${host} could be made`);
  }
  if (codes.some((code) => code.startsWith("HPE_")))
    return unreachable("protocol", `What ${host} sent is not HTTP/1.1`);
  if (codes.some((code) => ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(code))) {
    if (hasAnswer) return unreachable("truncated", `${host} closed the connection in the middle of its answer`);
    return unreachable("reset", `${host} closed the connection without an answer`);
  }
  return unreachable(hasAnswer ? "truncated" : "network", `${host} could not be reached`);
}

/** Codes of an error and of all inside of it: fetch itself says no more than "fetch failed". */
function listCodes(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { code } = error as NodeJS.ErrnoException;
  const inner = error instanceof AggregateError ? error.errors.flatMap(listCodes) : [];
  return [...new Set([...(code === undefined ? [] : [code]), ...inner, ...listCodes(error.cause)])];
}
