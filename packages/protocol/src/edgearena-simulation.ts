import * as z from "zod";
import type { Role } from "./agent-words.ts";
import { chatMessageSchema } from "./edgearena-dispatch.ts";
import { EDGEARENA_PROTOCOL, PHASE_DEADLINE_MS } from "./edgearena-words.ts";

/** What a handshake asks (endpoints document, Handshake); `request_id` is a UUIDv7 and new each time. */
export const handshakePayloadSchema = z.looseObject({
  type: z.literal("handshake"),
  protocol: z.literal(EDGEARENA_PROTOCOL),
  request_id: z.string(),
});

/** A handshake. */
export type HandshakePayload = z.infer<typeof handshakePayloadSchema>;

const common = { protocol: z.literal(EDGEARENA_PROTOCOL), task_id: z.string().min(1), deadline_ms: z.number() };
const messages = z.array(chatMessageSchema).min(1);

/** The scout's simulation. `launchpad` is a slug here, while a dispatch names the launchpad's title. */
export const scoutSimulationSchema = z.looseObject({
  type: z.literal("scout_task"),
  ...common,
  role: z.literal("SCOUT"),
  goal: z.string(),
  launchpad: z.string(),
  messages,
});

/** The builder's simulation, with a candidate in six parts. */
export const builderSimulationSchema = z.looseObject({
  type: z.literal("build_task"),
  ...common,
  role: z.literal("BUILDER"),
  candidate: z.looseObject({
    id: z.string().min(1),
    title: z.string(),
    target_customer: z.string(),
    core_problem: z.string(),
    solution_summary: z.string(),
    why_now: z.string().optional(),
  }),
  messages,
});

/** The analyst's simulation, with a candidate in three parts. */
export const analystSimulationSchema = z.looseObject({
  type: z.literal("analyst_task"),
  ...common,
  role: z.literal("ANALYST"),
  candidate: z.looseObject({ id: z.string().min(1), title: z.string(), solution_summary: z.string() }),
  messages,
});

/** Any of the three simulations, told apart by `type`. */
export const simulationPayloadSchema = z.discriminatedUnion("type", [
  scoutSimulationSchema,
  builderSimulationSchema,
  analystSimulationSchema,
]);

/** A simulation. */
export type SimulationPayload = z.infer<typeof simulationPayloadSchema>;

/** The `type` of each role's simulation. */
export const SIMULATION_TYPE = {
  SCOUT: "scout_task",
  BUILDER: "build_task",
  ANALYST: "analyst_task",
} as const satisfies Record<Role, string>;

/** Milliseconds that each role's simulation advertises: those of the phase it stands for. */
export const SIMULATION_DEADLINE_MS: { readonly [R in Role]: number } = {
  SCOUT: PHASE_DEADLINE_MS.SCOUT,
  BUILDER: PHASE_DEADLINE_MS.BUILD,
  ANALYST: PHASE_DEADLINE_MS.CRITIQUE,
};

/** Milliseconds after the advertised deadline in which an answer is still read, to fail on timing alone. */
export const SIMULATION_GRACE_MS = 4_000;

/** The only keys that are looked for in the answer to a simulation (endpoints document, Required response fields). */
export const SIMULATION_REQUIRED_KEYS: { readonly [R in Role]: readonly string[] } = {
  SCOUT: ["candidate_title", "target_customer", "core_problem", "proposed_solution"],
  BUILDER: ["candidate_id", "execution", "claims"],
  ANALYST: ["strengths", "weaknesses", "verdict"],
};

/** The five checks of a simulation in their order (endpoints document, Checks run against your response). */
export const SIMULATION_CHECKS = ["reachable", "accepts-post", "returns-json", "required-fields", "timing"] as const;

/** One of the five checks. */
export type SimulationCheckName = (typeof SIMULATION_CHECKS)[number];

/** Why a handshake failed (endpoints document, Handshake, Common failures). */
export const HANDSHAKE_ERROR_CODES = ["dns", "timeout", "non-2xx", "non-json", "network"] as const;

/** One of the five codes. */
export type HandshakeErrorCode = (typeof HANDSHAKE_ERROR_CODES)[number];
