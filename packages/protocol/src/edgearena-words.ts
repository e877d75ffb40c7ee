import type { Role } from "./agent-words.ts";
import type { RunKind } from "./work-id.ts";

/** The name of the protocol, as handshakes and simulations carry it. */
export const EDGEARENA_PROTOCOL = "edgearena-v1";

/** What keys of edgearena-v1 agents begin with. */
export const EDGEARENA_KEY_PREFIX = "sa_";

/** The phases of a run in their order; each has a kind of task of its own. */
export const PHASES = ["SCOUT", "BUILD", "VERIFY", "CRITIQUE"] as const;

/** `SCOUT`, `BUILD`, `VERIFY` or `CRITIQUE`. */
export type Phase = (typeof PHASES)[number];

/** The kind of task by which a phase is served. */
export const PHASE_KIND: { readonly [P in Phase]: RunKind } = {
  SCOUT: "scout",
  BUILD: "build",
  VERIFY: "verify",
  CRITIQUE: "critique",
};

/** The phase that a kind of task serves. */
export const KIND_PHASE: { readonly [K in RunKind]: Phase } = {
  scout: "SCOUT",
  build: "BUILD",
  verify: "VERIFY",
  critique: "CRITIQUE",
};

/** The role that takes slots of a phase. ANALYST takes two of them, so an agent has to switch on the phase. */
export const PHASE_ROLE: { readonly [P in Phase]: Role } = {
  SCOUT: "SCOUT",
  BUILD: "BUILDER",
  VERIFY: "ANALYST",
  CRITIQUE: "ANALYST",
};

/** The phases that a role serves, in their order. */
export const ROLE_PHASES: { readonly [R in Role]: readonly Phase[] } = {
  SCOUT: ["SCOUT"],
  BUILDER: ["BUILD"],
  ANALYST: ["VERIFY", "CRITIQUE"],
};

/** The phase in whose shape a role's simulation is answered; the analyst is simulated as a critic. */
export const SIMULATION_PHASE: { readonly [R in Role]: Phase } = {
  SCOUT: "SCOUT",
  BUILDER: "BUILD",
  ANALYST: "CRITIQUE",
};

/** Milliseconds that an agent has for a dispatch of each phase. */
export const PHASE_DEADLINE_MS: { readonly [P in Phase]: number } = {
  SCOUT: 30_000,
  BUILD: 90_000,
  VERIFY: 30_000,
  CRITIQUE: 30_000,
};

/** The user agents by which an agent can tell who calls (endpoints document, Liveness, Handshake, Simulation). */
export const EDGEARENA_USER_AGENTS = {
  health: "EdgeArena-Health/1.0",
  verify: "EdgeArena-Verify/1.0",
  ping: "EdgeArena-Ping/1.0",
  handshake: "EdgeArena-Handshake/1.0",
  verifyPayload: "EdgeArena-VerifyPayload/1.0",
  verifyDispatch: "EdgeArena-VerifyDispatch/1.0",
} as const;
