import { ArenaError } from "./arena-error.ts";

const MEANING: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  EPIPE: "connection closed",
  UND_ERR_SOCKET: "connection closed",
  ENOTFOUND: "host name not found",
  EAI_AGAIN: "host name not found for now",
  ETIMEDOUT: "connection timed out",
  UND_ERR_CONNECT_TIMEOUT: "connection timed out",
  EHOSTUNREACH: "host unreachable",
  ENETUNREACH: "network unreachable",
};

/**
 * The error of a call that got no answer. fetch itself says no more than "fetch failed"; the reason lies in its causes,
 * one for each address where a name has several.
 */
export function toNetworkError(baseUrl: string, cause: unknown): ArenaError {
  const reasons = [...new Set(findReasons(cause))];
  const nextStep = reasons.some((reason) => reason.includes("ECONNREFUSED"))
    ? "Is the arena running, and is the address right?"
    : undefined;
  return new ArenaError("unreachable", `cannot reach ${baseUrl}: ${reasons.join(", ")}`, { nextStep, cause });
}

function findReasons(error: unknown): string[] {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.flatMap(findReasons);
  if (!(error instanceof Error)) return [String(error)];
  if (error.cause !== undefined) return findReasons(error.cause);
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return [error.message];
  const meaning = MEANING[code] ?? error.message;
  return [`${meaning} (${code})`];
}
