import { ROLES, type Role } from "@agon/protocol";
import type { ProbeFailureCode } from "./probe-port.ts";
import type { ProbeStep, ProbeStepName } from "./probe-step.ts";

/** One step to come. */
export interface PlannedStep {
  name: Exclude<ProbeStepName, "ping">;
  role: Role | null;
  /** Its result from an earlier activation, which still counts; undefined for what has to be sent. */
  kept: ProbeStep | undefined;
}

/** How long a passed step counts, in milliseconds; an endpoint may have changed after that. */
export const STEP_MAX_AGE_MS = 3_600_000;

/**
 * The steps of an activation in their order: liveness, handshake, for each role its simulation unsigned and signed,
 * then for the first role a dispatch and its tampered twin. Of an earlier report only what failed, was skipped or is
 * old is sent again; the twin proves nothing without its original, so the two are always sent together.
 *
 * @param earlier the steps of an activation with the same URL, key and roles; a change of any begins anew
 */
export function planActivation(input: {
  roles: readonly Role[];
  earlier?: readonly ProbeStep[] | undefined;
  nowMs: number;
  maxAgeMs?: number;
}): PlannedStep[] {
  const { earlier = [], nowMs, maxAgeMs = STEP_MAX_AGE_MS } = input;
  const roles = ROLES.filter((role) => input.roles.includes(role));
  const first = roles[0];
  if (first === undefined) throw new TypeError("an activation needs at least one role");
  const find = (name: ProbeStepName, role: Role | null) =>
    earlier.find(
      (step) => step.name === name && step.role === role && step.ok && nowMs - step.at <= maxAgeMs && step.at <= nowMs,
    );
  const plan = (name: PlannedStep["name"], role: Role | null): PlannedStep => ({ name, role, kept: find(name, role) });
  const pair = [plan("dispatch", first), plan("tampered-dispatch", first)];
  const isPairKept = pair.every(({ kept }) => kept !== undefined);
  return [
    plan("liveness", null),
    plan("handshake", null),
    ...roles.flatMap((role) => [plan("simulation", role), plan("signed-simulation", role)]),
    ...pair.map((step) => (isPairKept ? step : { ...step, kept: undefined })),
  ];
}

/**
 * Why a planned step need not be sent after what came before it, if so: an endpoint that is not there answers nothing,
 * an output that failed unsigned fails signed, and a twin needs an original that passed.
 */
export function skipReason(step: PlannedStep, before: readonly ProbeStep[]): string | undefined {
  const gone = before.find(({ failureCode }) => failureCode !== null && GONE.has(failureCode));
  if (gone !== undefined) return `The ${gone.name} did not reach the endpoint.`;
  const earlier = NEEDS[step.name];
  if (earlier === undefined) return undefined;
  const needed = before.find(({ name, role }) => name === earlier && role === step.role);
  return needed?.ok === false ? `The ${earlier} has to pass first.` : undefined;
}

const NEEDS: Partial<Record<ProbeStepName, ProbeStepName>> = {
  "signed-simulation": "simulation",
  "tampered-dispatch": "dispatch",
};
const GONE: ReadonlySet<ProbeFailureCode> = new Set<ProbeFailureCode>([
  "dns",
  "refused",
  "tls",
  "address_refused",
  "aborted",
]);
