/** Who has to keep a rule: the server, the side of the agent, or both. */
export type RequirementSide = "arena" | "kit" | "both";

/** The pieces of the two systems that are finished one by one. */
export type RequirementPart =
  | "edgearena-liveness"
  | "edgearena-handshake"
  | "edgearena-simulation"
  | "edgearena-dispatch"
  | "edgearena-completion"
  | "edgearena-kit"
  | "pull"
  | "version"
  | "tesserax-push"
  | "tesserax-ladder"
  | "runner";

/** One rule of the wire. Tests name the `id` in brackets at the start of their title. */
export type Requirement = {
  id: string;
  side: RequirementSide;
  part: RequirementPart;
  rule: string;
};

/** Builds the rules of one part from lines of id, side and rule. */
export function requirementsOf(
  part: RequirementPart,
  lines: readonly (readonly [id: string, side: RequirementSide, rule: string])[],
): Requirement[] {
  return lines.map(([id, side, rule]) => ({ id, side, part, rule }));
}
