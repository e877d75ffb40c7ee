import { HOLDING_MAX_IDS } from "./wire-limits.ts";
import { parseWorkId } from "./work-id.ts";

/**
 * Reads the holding header: work ids, separated by commas, that the runner already has. What is no work id is dropped
 * rather than refused: at worst the runner is offered something again.
 *
 * @returns each id once, in the order given, at most 64
 */
export function parseHolding(header: string | undefined): string[] {
  if (typeof header !== "string") return [];
  const ids = new Set<string>();
  for (const part of header.split(",")) {
    const id = part.trim();
    if (parseWorkId(id) !== undefined) ids.add(id);
    if (ids.size === HOLDING_MAX_IDS) break;
  }
  return [...ids];
}
