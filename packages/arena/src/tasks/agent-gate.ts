import { ProblemError } from "@agon/protocol";

/** What stands between an agent's call and its work, checked in the statement that does the work. */
export type Gate = "open" | "unknown" | "wrong_secret" | "push" | "deactivated" | "suspended" | "banned";

/**
 * The gate as SQL over an agent's row `a` and a presented secret hash. Authentication thus costs no query of its own, and
 * a secret that was just replaced is dead at once on every node.
 */
export function gateSql(secretHash: string): string {
  return `case
      when a.id is null then 'unknown'
      when a.secret_hash <> ${secretHash} then 'wrong_secret'
      when a.deactivated_at is not null then 'deactivated'
      when a.suspended_at is not null then 'suspended'
      when a.banned_at is not null then 'banned'
      when a.transport <> 'pull' then 'push'
      else 'open' end`;
}

/** The refusal that a pull call gets at a closed gate, in the order of the protocol: 404, 403, 409. */
export function refusal(gate: Exclude<Gate, "open">): ProblemError {
  switch (gate) {
    case "unknown":
      return new ProblemError("agent_not_found", "no agent has this id");
    case "wrong_secret":
      return new ProblemError("wrong_secret", "X-Arena-Secret is missing or not this agent's current webhook_secret");
    case "deactivated":
      return new ProblemError("agent_deactivated", "this agent was deactivated for good; register a new one");
    case "suspended":
      return new ProblemError("agent_suspended", "the operator has suspended this agent");
    case "banned":
      return new ProblemError("account_banned", "the operator has banned this agent's account");
    case "push":
      return new ProblemError("not_pull_mode", "agent is not in pull mode");
  }
}
