import type { Role } from "@agon/protocol";
import { type PlannedStep, planActivation, skipReason } from "./activation-plan.ts";
import { type DispatchProbe, probeDispatch, probeTamperedDispatch } from "./dispatch.ts";
import { probeHandshake } from "./handshake.ts";
import { probeLiveness } from "./liveness.ts";
import type { ProbePorts } from "./probe-port.ts";
import { type ProbeStep, skippedStep } from "./probe-step.ts";
import { probeSimulation } from "./simulation.ts";

/** What an activation found. It passes when every step did. */
export interface ActivationReport {
  ok: boolean;
  steps: ProbeStep[];
  /** Names and roles of steps that were taken over from the earlier report. */
  kept: { name: string; role: Role | null }[];
}

/** What {@link runActivation} needs. */
export interface ActivationInput {
  url: string;
  key: string;
  roles: readonly Role[];
  /** The steps of the last activation, if it was of the same URL, key and roles. */
  earlier?: readonly ProbeStep[] | undefined;
  maxAgeMs?: number;
  /** Where the later answer to a dispatch may go; sent in `x-agon-complete-url`. */
  completeUrl?: (taskId: string) => string;
  /** Hears each step's end, with all steps so far and how many there will be. */
  onStep?: (step: ProbeStep, progress: { steps: readonly ProbeStep[]; total: number }) => void;
}

/**
 * Runs all steps of an activation one after the other: an agent that is asked everything at once would be measured
 * under a load that it never has to bear.
 *
 * @throws what the signal was aborted with, between two steps
 */
export async function runActivation(ports: ProbePorts, input: ActivationInput): Promise<ActivationReport> {
  const { roles, earlier, maxAgeMs } = input;
  const plan = planActivation({ roles, earlier, nowMs: ports.now(), ...(maxAgeMs === undefined ? {} : { maxAgeMs }) });
  const steps: ProbeStep[] = [];
  for (const planned of plan) {
    ports.signal?.throwIfAborted();
    const step = planned.kept ?? (await takeStep(ports, input, planned, steps));
    steps.push(step);
    input.onStep?.(step, { steps, total: plan.length });
  }
  const kept = plan.filter((planned) => planned.kept !== undefined).map(({ name, role }) => ({ name, role }));
  return { ok: steps.every(({ ok }) => ok), steps, kept };
}

function takeStep(
  ports: ProbePorts,
  { url, key, completeUrl }: ActivationInput,
  planned: PlannedStep,
  before: readonly ProbeStep[],
): Promise<ProbeStep> | ProbeStep {
  const { name } = planned;
  const reason = skipReason(planned, before);
  if (reason !== undefined) return skippedStep({ name, role: planned.role, at: ports.now() }, reason);
  if (name === "liveness") return probeLiveness(ports, { url, kind: "verify" });
  if (name === "handshake") return probeHandshake(ports, { url });
  const role = planned.role as Role;
  if (name === "simulation") return probeSimulation(ports, { url, role });
  if (name === "signed-simulation") return probeSimulation(ports, { url, role, key });
  const probe: DispatchProbe = { url, key, role, completeUrl };
  return name === "dispatch" ? probeDispatch(ports, probe) : probeTamperedDispatch(ports, probe);
}
