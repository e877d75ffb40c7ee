export { type ActivationInput, type ActivationReport, runActivation } from "./activation.ts";
export { type PlannedStep, planActivation, STEP_MAX_AGE_MS, skipReason } from "./activation-plan.ts";
export {
  buildDispatchRequest,
  type DispatchProbe,
  judgeDispatch,
  judgeTampered,
  probeDispatch,
  probeTamperedDispatch,
} from "./dispatch.ts";
export { buildHandshakeRequest, HANDSHAKE_DEADLINE_MS, judgeHandshake, probeHandshake } from "./handshake.ts";
export {
  buildLivenessRequest,
  judgeLiveness,
  LIVENESS_DEADLINE_MS,
  type LivenessKind,
  probeLiveness,
} from "./liveness.ts";
export { buildProbeDispatch, buildSimulation, tamper } from "./probe-payloads.ts";
export type {
  ProbeExchange,
  ProbeFailureCode,
  ProbeFetch,
  ProbeHeaders,
  ProbePorts,
  ProbeRequest,
} from "./probe-port.ts";
export type { Finding, ProbeCheck, ProbeErrorCode, ProbeStep, ProbeStepName } from "./probe-step.ts";
export { type ProbeSigning, signedHeaders } from "./signed-headers.ts";
export { buildSimulationRequest, judgeSimulation, probeSimulation } from "./simulation.ts";
