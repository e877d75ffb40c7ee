import { EDGEARENA_USER_AGENTS } from "@agon/protocol";
import { judgeFailure, judgeStatus } from "./exchange-failure.ts";
import type { ProbeExchange, ProbePorts, ProbeRequest } from "./probe-port.ts";
import { type Finding, type ProbeStep, toStep } from "./probe-step.ts";

/** Periodic · the owner's one-shot · before registration. */
export type LivenessKind = "health" | "verify" | "ping";

/** Milliseconds that each waits (endpoints document, Liveness). */
export const LIVENESS_DEADLINE_MS: { readonly [K in LivenessKind]: number } = {
  health: 4_000,
  verify: 5_000,
  ping: 5_000,
};

/** The GET of a liveness probe: exactly the registered URL, no body, no credentials. */
export function buildLivenessRequest(
  url: string,
  kind: LivenessKind,
  deadlineMs = LIVENESS_DEADLINE_MS[kind],
): ProbeRequest {
  return {
    url,
    method: "GET",
    headers: { "user-agent": EDGEARENA_USER_AGENTS[kind] },
    deadlineMs,
    maxResponseBytes: 65_536,
    ignoreBody: true,
  };
}

/** Judges by the status alone: 2xx, or anything below 500 before registration. */
export function judgeLiveness(kind: LivenessKind, exchange: ProbeExchange, deadlineMs: number): Finding {
  const { status } = exchange;
  // A body that broke off, or was compressed, is ignored like any other; a status is all that is asked for.
  const isStatusEnough = exchange.ok || (exchange.cause !== "timeout" && exchange.cause !== "arena");
  if (status === undefined || !isStatusEnough) {
    return exchange.ok ? { ok: true, detail: "It answered." } : judgeFailure(exchange, deadlineMs);
  }
  if (kind === "ping" && status < 500) {
    const notes = status < 300 ? [] : [`A registered agent has to answer GET with 2xx; this was ${status}.`];
    return { ok: true, detail: `It answered ${status}.`, notes };
  }
  const bad = judgeStatus(status);
  if (bad === undefined) return { ok: true, detail: `It answered ${status}.` };
  const isGetMissing = status === 405 || status === 404 || status === 501;
  return isGetMissing ? { ...bad, advice: "Add a GET handler at exactly the registered URL that returns 200." } : bad;
}

/** One liveness probe. */
export async function probeLiveness(
  ports: ProbePorts,
  input: { url: string; kind: LivenessKind; deadlineMs?: number },
): Promise<ProbeStep> {
  const request = buildLivenessRequest(input.url, input.kind, input.deadlineMs);
  const exchange = await ports.fetch({ ...request, signal: ports.signal });
  const name = input.kind === "ping" ? "ping" : "liveness";
  return toStep({ name, at: ports.now() }, request, exchange, judgeLiveness(input.kind, exchange, request.deadlineMs));
}
