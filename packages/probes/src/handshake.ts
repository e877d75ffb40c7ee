import { EDGEARENA_PROTOCOL, EDGEARENA_USER_AGENTS, type HandshakePayload } from "@agon/protocol";
import { judgeFailure, judgeStatus } from "./exchange-failure.ts";
import { readJsonObject } from "./json-object.ts";
import type { ProbeExchange, ProbePorts, ProbeRequest } from "./probe-port.ts";
import { type Finding, type ProbeStep, toStep } from "./probe-step.ts";

/** Milliseconds over the whole exchange, the body included (endpoints document, Handshake). */
export const HANDSHAKE_DEADLINE_MS = 5_000;

/** The POST of a handshake. */
export function buildHandshakeRequest(
  url: string,
  requestId: string,
  deadlineMs = HANDSHAKE_DEADLINE_MS,
): ProbeRequest & { body: string } {
  const payload: HandshakePayload = { type: "handshake", protocol: EDGEARENA_PROTOCOL, request_id: requestId };
  return {
    url,
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": EDGEARENA_USER_AGENTS.handshake },
    body: JSON.stringify(payload),
    deadlineMs,
    maxResponseBytes: 262_144,
  };
}

/** Passes for 2xx with a JSON object; otherwise one of the five codes, and what the owner can change. */
export function judgeHandshake(exchange: ProbeExchange, deadlineMs: number): Finding {
  if (!exchange.ok) return judgeFailure(exchange, deadlineMs);
  const bad = judgeStatus(exchange.status, exchange.body);
  if (bad !== undefined) return bad;
  const object = readJsonObject(exchange.body);
  if (!object.ok) return { ok: false, errorCode: "non-json", detail: object.detail, advice: object.advice };
  return { ok: true, detail: `It answered ${exchange.status} with a JSON object.` };
}

/** One handshake. */
export async function probeHandshake(
  ports: ProbePorts,
  input: { url: string; deadlineMs?: number },
): Promise<ProbeStep> {
  const request = buildHandshakeRequest(input.url, ports.newId(), input.deadlineMs);
  const exchange = await ports.fetch({ ...request, signal: ports.signal });
  const finding = judgeHandshake(exchange, request.deadlineMs);
  return toStep({ name: "handshake", at: ports.now() }, request, exchange, finding);
}
