import { type DispatchPayload, PHASE_DEADLINE_MS, parseAnswer, parseOutput, type Role } from "@agon/protocol";
import { judgeFailure, judgeStatus } from "./exchange-failure.ts";
import { readJsonObject } from "./json-object.ts";
import { buildProbeDispatch, tamper } from "./probe-payloads.ts";
import type { ProbeExchange, ProbePorts, ProbeRequest } from "./probe-port.ts";
import { type Finding, type ProbeStep, toStep } from "./probe-step.ts";
import { type ProbeSigning, signedHeaders } from "./signed-headers.ts";
import { KEY_ADVICE } from "./simulation.ts";

/** What the two dispatches of an activation need. */
export interface DispatchProbe {
  url: string;
  key: string;
  role: Role;
  completeUrl?: ((taskId: string) => string) | undefined;
}

/** The POST of a signed dispatch, shaped as a run's. Tampered: signed first, and then one letter is changed. */
export function buildDispatchRequest(
  payload: DispatchPayload,
  signing: ProbeSigning,
  isTampered: boolean,
): ProbeRequest & { body: string } {
  const body = JSON.stringify(payload);
  return {
    url: signing.url,
    method: "POST",
    headers: signedHeaders(signing, payload.taskId, body),
    body: isTampered ? tamper(payload) : body,
    deadlineMs: PHASE_DEADLINE_MS[payload.phase],
    maxResponseBytes: 1_048_576,
  };
}

/** Passes for a 2xx with the envelope, and for a 202 by which an agent says that it will call back. */
export function judgeDispatch(payload: DispatchPayload, exchange: ProbeExchange, deadlineMs: number): Finding {
  const { status } = exchange;
  if (status === 401) {
    return {
      ok: false,
      errorCode: "key-missing",
      detail: "It refused the signature of a right dispatch.",
      advice: KEY_ADVICE,
    };
  }
  if (!exchange.ok) return judgeFailure(exchange, deadlineMs);
  const bad = judgeStatus(exchange.status, exchange.body);
  if (bad !== undefined) return bad;
  const isEmpty = exchange.body.every((byte) => byte <= 0x20);
  if (status === 202 && isEmpty) return { ok: true, detail: "It will call back." };
  const object = readJsonObject(exchange.body);
  if (!object.ok) return { ok: false, errorCode: "non-json", detail: object.detail, advice: object.advice };
  const answer = parseAnswer(object.value);
  if (answer.ok) return { ok: true, detail: "It answered with the envelope.", notes: answerNotes(payload, answer) };
  if (status === 202) return { ok: true, detail: "It will call back." };
  return {
    ok: false,
    errorCode: "no-envelope",
    detail: "The answer holds no output.",
    advice: "Answer dispatches with { output, promptTokens, completionTokens, modelId }, the role's output inside.",
  };
}

/** Passes for 4xx alone: whoever works on a forged request would do so for anybody. */
export function judgeTampered(exchange: ProbeExchange, deadlineMs: number): Finding {
  const { status } = exchange;
  if (status !== undefined && status >= 400 && status < 500) {
    return { ok: true, detail: `It refused a forged dispatch with ${status}.` };
  }
  if (status === undefined) {
    const finding = judgeFailure(exchange as Extract<ProbeExchange, { ok: false }>, deadlineMs);
    if (finding.errorCode !== "timeout") return finding;
    return {
      ...finding,
      advice: "Verify the signature before any work, so that a forged dispatch is refused at once.",
    };
  }
  if (status >= 200 && status < 300) {
    return {
      ok: false,
      errorCode: "tampered-accepted",
      detail: `It answered ${status} to a dispatch that was changed after signing.`,
      advice: "Verify x-edgearena-signature over the raw body before any work, and answer 401 when it does not hold.",
    };
  }
  return {
    ok: false,
    errorCode: "tampered-status",
    detail: `It answered ${status} to a dispatch that was changed after signing.`,
    advice: "Answer 401 when a signature does not hold, and nothing else.",
  };
}

/** A dispatch that is rightly signed. */
export function probeDispatch(ports: ProbePorts, input: DispatchProbe): Promise<ProbeStep> {
  return sendDispatch(ports, input, false);
}

/** Its twin with one letter changed after signing, with ids and a signature of its own. */
export function probeTamperedDispatch(ports: ProbePorts, input: DispatchProbe): Promise<ProbeStep> {
  return sendDispatch(ports, input, true);
}

async function sendDispatch(ports: ProbePorts, input: DispatchProbe, isTampered: boolean): Promise<ProbeStep> {
  const { role, ...target } = input;
  const payload = buildProbeDispatch(role, ports.newId);
  const request = buildDispatchRequest(payload, { ...target, nowMs: ports.now() }, isTampered);
  const exchange = await ports.fetch({ ...request, signal: ports.signal });
  const finding = isTampered
    ? judgeTampered(exchange, request.deadlineMs)
    : judgeDispatch(payload, exchange, request.deadlineMs);
  const name = isTampered ? "tampered-dispatch" : "dispatch";
  return toStep({ name, role, at: ports.now() }, request, exchange, finding);
}

function answerNotes(payload: DispatchPayload, answer: { output: unknown; notes: string[] }): string[] {
  const parsed = parseOutput(payload.phase, answer.output, payload.candidateId);
  return parsed.ok ? answer.notes : [`A run would not take this output: ${parsed.detail}.`, ...answer.notes];
}
