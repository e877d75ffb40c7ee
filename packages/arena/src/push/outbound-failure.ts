import { AddressRefusedError } from "./address-guard-refusal.ts";
import type { FailureCause, FailureCode } from "./outbound-result.ts";

/** How far an exchange has got. */
export type ExchangeStage = "dns" | "connect" | "tls" | "connected" | "sent" | "body";

export interface Failure {
  cause: FailureCause;
  code: FailureCode;
  detail: string;
}

/** A failure that the exchange itself declares, on its way through the error handling of the client library. */
export class ExchangeFault extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.detail);
    this.name = "ExchangeFault";
    this.failure = failure;
  }
}

const CLOSED = new Set([
  "ECONNRESET",
  "EPIPE",
  "ECONNABORTED",
  "UND_ERR_SOCKET",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
]);

/**
 * Says what an error of the client library or of Node means for the owner of the endpoint. The same error has another
 * meaning at another stage: a closed connection is no answer, or half of one, or a failed handshake.
 */
export function toFailure(error: unknown, at: { stage: ExchangeStage; host: string; received: number }): Failure {
  if (error instanceof ExchangeFault) return error.failure;
  const { stage, host } = at;
  if (error instanceof AddressRefusedError) {
    return { cause: "unreachable", code: "address_refused", detail: error.message };
  }
  const reasons = ` (${listReasons(error).join("; ")})`;
  const unreachable = (code: FailureCode, sentence: string): Failure => {
    return { cause: "unreachable", code, detail: `${sentence}${reasons}.` };
  };
  if (stage === "dns") return unreachable("dns", `The name ${host} could not be resolved`);
  if (stage === "tls") return unreachable("tls", `No secure connection to ${host} could be made`);

  const codes = listCodes(error);
  if (codes.includes("ECONNREFUSED")) return unreachable("refused", `${host} refused the connection; nobody listens`);
  if (codes.includes("UND_ERR_HEADERS_OVERFLOW")) {
    return { cause: "invalid", code: "too_large", detail: `${host} sent more header bytes than are read${reasons}.` };
  }
  if (error instanceof Error && (error.message === "bad response" || error.message === "bad upgrade")) {
    return unreachable("protocol", `${host} sent 100 or 101, which nobody asked for, instead of an answer`);
  }
  if (isNotHttp(error, stage)) return unreachable("protocol", `What ${host} sent is not HTTP/1.1`);
  if (codes.some((code) => CLOSED.has(code)) || isParserError(error)) {
    if (stage !== "body") return unreachable("reset", `${host} closed the connection without an answer`);
    return unreachable("truncated", `${host} closed the connection after ${at.received} bytes of an unfinished answer`);
  }
  return unreachable("network", `${host} could not be reached`);
}

/** Told by name and message: the parser's errors should carry a code and, in the version in use, do not. */
function isParserError(error: unknown): error is Error {
  return error instanceof Error && error.name === "HTTPParserError";
}

function isNotHttp(error: unknown, stage: ExchangeStage): boolean {
  // An end in the middle is reported by the parser too, but says that the connection was closed.
  if (isParserError(error)) return !error.message.includes("EOF");
  if (!(error instanceof Error)) return false;
  // Before the body begins, only a head that contradicts itself has a wrong length.
  return stage !== "body" && (error as NodeJS.ErrnoException).code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH";
}

/** Every error inside, outermost first: undici wraps, and Node bundles one error per address under an empty message. */
function flatten(error: unknown): unknown[] {
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [];
  const cause = error instanceof Error && error.cause !== undefined ? [error.cause] : [];
  return [error, ...[...inner, ...cause].flatMap(flatten)];
}

function listCodes(error: unknown): string[] {
  return flatten(error).flatMap((each) => {
    const code = (each as NodeJS.ErrnoException | null)?.code;
    return typeof code === "string" ? [code] : [];
  });
}

function listReasons(error: unknown): string[] {
  const reasons = flatten(error).map(describe);
  return [...new Set(reasons.filter((reason) => reason !== ""))];
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A bundle says nothing that its parts do not say better.
  if (error instanceof AggregateError && error.errors.length > 0) return "";
  const { code, syscall, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code !== undefined && address !== undefined) return `${code} at ${address} port ${port}`;
  // The message of a system error repeats its code; that of TLS names the trouble with the certificate.
  if (code !== undefined && syscall !== undefined) return code;
  const message = error.message.replaceAll(/\s+/g, " ").trim().slice(0, 300);
  return code === undefined ? message : `${code}: ${message}`;
}
