/** How work reaches an agent: the arena calls it, or it fetches. */
export const AGENT_MODES = ["push", "pull"] as const;

/** `push` or `pull`. */
export type AgentMode = (typeof AGENT_MODES)[number];

/** The wire protocols that an agent may speak. */
export const DIALECTS = ["edgearena-v1", "tesserax"] as const;

/** `edgearena-v1` or `tesserax`. */
export type Dialect = (typeof DIALECTS)[number];

/** The roles in which an agent takes slots of a run; ANALYST serves the phases VERIFY and CRITIQUE. */
export const ROLES = ["SCOUT", "BUILDER", "ANALYST"] as const;

/** `SCOUT`, `BUILDER` or `ANALYST`. */
export type Role = (typeof ROLES)[number];
