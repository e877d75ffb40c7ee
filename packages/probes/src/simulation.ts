import {
  EDGEARENA_USER_AGENTS,
  parseOutput,
  type Role,
  SIMULATION_CHECKS,
  SIMULATION_GRACE_MS,
  SIMULATION_PHASE,
  SIMULATION_REQUIRED_KEYS,
  type SimulationCheckName,
  type SimulationPayload,
} from "@agon/protocol";
import { judgeFailure, judgeStatus } from "./exchange-failure.ts";
import { readJsonObject } from "./json-object.ts";
import { buildSimulation } from "./probe-payloads.ts";
import type { ProbeExchange, ProbePorts, ProbeRequest } from "./probe-port.ts";
import { type Finding, type ProbeCheck, type ProbeStep, toStep } from "./probe-step.ts";
import { type ProbeSigning, signedHeaders } from "./signed-headers.ts";

/** The POST of a simulation; signed when `signing` is given. */
export function buildSimulationRequest(
  url: string,
  payload: SimulationPayload,
  signing?: ProbeSigning,
): ProbeRequest & { body: string } {
  const body = JSON.stringify(payload);
  return {
    url,
    method: "POST",
    headers:
      signing === undefined
        ? { "content-type": "application/json", "user-agent": EDGEARENA_USER_AGENTS.verifyPayload }
        : signedHeaders(signing, payload.task_id, body),
    body,
    // Longer than is advertised, so that an answer which is merely late can be told from none.
    deadlineMs: payload.deadline_ms + SIMULATION_GRACE_MS,
    maxResponseBytes: 1_048_576,
  };
}

/** Judges by the five checks, each by itself; a check that an earlier one leaves nothing to look at is null. */
export function judgeSimulation(payload: SimulationPayload, exchange: ProbeExchange, outerMs: number): Finding {
  const checks = new Map<SimulationCheckName, ProbeCheck>();
  const note = (name: SimulationCheckName, ok: boolean, detail: string) => checks.set(name, { name, ok, detail });
  const conclude = (finding: Finding): Finding => ({
    ...finding,
    checks: SIMULATION_CHECKS.map(
      (name) => checks.get(name) ?? { name, ok: null, detail: "There was nothing to look at." },
    ),
  });

  const { status } = exchange;
  if (status === undefined) {
    const finding = judgeFailure(exchange as Extract<ProbeExchange, { ok: false }>, outerMs);
    note("reachable", false, finding.detail);
    return conclude(finding);
  }
  note("reachable", true, `It answered after ${Math.round(exchange.timings.total)} ms.`);
  const bad = judgeStatus(status, exchange.ok ? exchange.body : undefined);
  note("accepts-post", bad === undefined, bad?.detail ?? `It answered ${status}.`);
  const timing = judgeTiming(exchange.timings.total, payload.deadline_ms);
  note("timing", timing.ok, timing.detail);
  if (bad !== undefined) return conclude({ ...bad, advice: postAdvice(status, bad) });
  if (!exchange.ok) {
    const finding = judgeFailure(exchange, outerMs);
    note("returns-json", false, finding.detail);
    return conclude(finding);
  }
  const object = readJsonObject(exchange.body);
  if (!object.ok) {
    note("returns-json", false, object.detail);
    return conclude({ ok: false, errorCode: "non-json", detail: object.detail, advice: object.advice });
  }
  note("returns-json", true, "The body is a JSON object.");
  const fields = judgeFields(payload.role, object.value);
  note("required-fields", fields.ok, fields.detail);
  if (!fields.ok) return conclude(fields);
  return conclude({ ...timing, notes: schemaNotes(payload, object.value) });
}

/** One simulation; signed with a key, as it is at activation, or unsigned. */
export async function probeSimulation(
  ports: ProbePorts,
  input: { url: string; role: Role; key?: string },
): Promise<ProbeStep> {
  const { url, role, key } = input;
  const payload = buildSimulation(role, ports.newId);
  const request = buildSimulationRequest(
    url,
    payload,
    key === undefined ? undefined : { url, key, nowMs: ports.now() },
  );
  const exchange = await ports.fetch({ ...request, signal: ports.signal });
  const finding = judgeSimulation(payload, exchange, request.deadlineMs);
  const isRefused = key !== undefined && exchange.status === 401;
  const judged = isRefused ? { ...finding, errorCode: "key-missing" as const, advice: KEY_ADVICE } : finding;
  const name = key === undefined ? "simulation" : "signed-simulation";
  return toStep({ name, role, at: ports.now() }, request, exchange, judged);
}

/** What an agent lacks that refuses what is rightly signed. */
export const KEY_ADVICE =
  "Install this agent's key, which was shown when it was registered, restart the agent and try again; if it is there, give the agent the URL by which the arena calls it, since host and path are signed.";

function judgeTiming(latencyMs: number, deadlineMs: number): Finding {
  if (latencyMs <= deadlineMs) {
    return { ok: true, detail: `It answered after ${Math.round(latencyMs)} of ${deadlineMs} ms.` };
  }
  return {
    ok: false,
    errorCode: "timing",
    detail: `It answered after ${Math.round(latencyMs)} ms; ${deadlineMs} ms are allowed.`,
    advice: "Answer faster: take a quicker model, or let it write less.",
  };
}

function judgeFields(role: Role, output: Record<string, unknown>): Finding {
  const missing = SIMULATION_REQUIRED_KEYS[role].filter((key) => !Object.hasOwn(output, key));
  if (missing.length === 0) return { ok: true, detail: "The required fields are there." };
  const names = missing.join(", ");
  const isWrapped = typeof output.output === "object" && output.output !== null;
  return {
    ok: false,
    errorCode: "required-fields",
    detail: `The answer lacks ${names}.`,
    advice: isWrapped
      ? "Answer simulations with the role's output itself; only dispatches get the envelope { output, … }."
      : `Put ${names} at the top level of the answer.`,
  };
}

function postAdvice(status: number, bad: Finding): string {
  if (status === 405 || status === 404 || status === 501) return "Add a POST handler at exactly the registered URL.";
  return bad.advice ?? "";
}

/** The wizard asks for little; what a real dispatch would be refused for is worth a word now. */
function schemaNotes(payload: SimulationPayload, output: Record<string, unknown>): string[] {
  const candidateId = payload.role === "SCOUT" ? null : payload.candidate.id;
  const parsed = parseOutput(SIMULATION_PHASE[payload.role], output, candidateId);
  return parsed.ok ? [] : [`A dispatch would fail with this output: ${parsed.detail}.`];
}
