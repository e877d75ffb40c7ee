import { COMPLETION_REQUIREMENTS } from "./completion-requirements.ts";
import { EDGEARENA_REQUIREMENTS } from "./edgearena-requirements.ts";
import type { Requirement, RequirementPart } from "./requirement.ts";
import { TESSERAX_REQUIREMENTS } from "./tesserax-requirements.ts";

/**
 * Every rule of the two protocols, once. They are data so that a check can count which of them a passing test proves.
 */
export const REQUIREMENTS: readonly Requirement[] = [
  ...EDGEARENA_REQUIREMENTS,
  ...COMPLETION_REQUIREMENTS,
  ...TESSERAX_REQUIREMENTS,
];

/** Parts that are done: each of their rules needs a passing test, or the check of the requirements fails. */
export const FINISHED_PARTS: readonly RequirementPart[] = [
  "pull",
  "version",
  "runner",
  "tesserax-ladder",
  "tesserax-push",
  "edgearena-liveness",
  "edgearena-handshake",
  "edgearena-simulation",
  "edgearena-dispatch",
  "edgearena-completion",
  "edgearena-kit",
];
