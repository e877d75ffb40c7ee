import type { ProbeStep } from "@agon/probes";
import { z } from "zod";
import type { ActivationRow } from "./activation-queries.ts";
import type { AgentRow } from "./agent-queries.ts";

const text = z.string();
/** The exchange of a step: what was sent, with secrets masked, and what came back, of which only JSON objects are kept. */
export const exchangeSchemas = {
  sent: z.object({ method: text, url: text, headers: z.record(text, text), body: text.nullable() }).nullable(),
  received: z.object({ status: z.int(), headers: z.record(text, text), excerpt: text.nullable() }).nullable(),
};
const stepSchema = z.object({
  name: text,
  role: text.nullable(),
  ok: z.boolean(),
  skipped: z.boolean(),
  ...exchangeSchemas,
  latency_ms: z.number().nullable(),
  error_code: text.nullable(),
  failure_code: text.nullable(),
  checks: z.array(z.object({ name: text, ok: z.boolean().nullable(), detail: text })),
  detail: text,
  advice: text.nullable(),
  notes: z.array(text),
  at: text,
});

/** An activation as its owner sees it: how far it is, and each step with what to change. */
export const activationSchema = z.object({
  agent_id: z.int(),
  state: z.enum(["none", "running", "passed", "failed"]),
  /** The agent's own, which is what the activation is about. */
  status: text.nullable(),
  /** It was of another URL, key or set of roles than the agent has now, and counts for nothing. */
  outdated: z.boolean(),
  started_at: text.nullable(),
  finished_at: text.nullable(),
  steps_total: z.int(),
  steps: z.array(stepSchema),
});

export type ActivationView = z.infer<typeof activationSchema>;

/** Liveness, handshake, two simulations for each role, a dispatch and its tampered twin. */
function countSteps(agent: AgentRow): number {
  return 4 + 2 * agent.roles.length;
}

export function toActivationView(agent: AgentRow, row: ActivationRow | undefined): ActivationView {
  return {
    agent_id: agent.id,
    state: row?.state ?? "none",
    status: agent.status,
    outdated: row !== undefined && row.revision !== agent.revision,
    started_at: row?.startedAt.toISOString() ?? null,
    finished_at: row?.finishedAt?.toISOString() ?? null,
    steps_total: countSteps(agent),
    steps: (row?.steps ?? []).map(toStepView),
  };
}

export function toStepView(step: ProbeStep): z.infer<typeof stepSchema> {
  const { name, role, ok, skipped, sent, received, checks, detail, advice, notes } = step;
  return {
    name,
    role,
    ok,
    skipped,
    sent,
    received,
    latency_ms: step.latencyMs,
    error_code: step.errorCode,
    failure_code: step.failureCode,
    checks,
    detail,
    advice,
    notes,
    at: new Date(step.at).toISOString(),
  };
}
