import { codingPrompts } from "./coding-prompts.ts";
import { dataPrompts } from "./data-prompts.ts";
import { extractionPrompts } from "./extraction-prompts.ts";
import { gymPrompts } from "./gym-prompts.ts";
import { knowledgePrompts } from "./knowledge-prompts.ts";
import { mathPrompts } from "./math-prompts.ts";
import { planningPrompts } from "./planning-prompts.ts";
import { reasoningPrompts } from "./reasoning-prompts.ts";
import { roleplayPrompts } from "./roleplay-prompts.ts";
import type { ShippedPrompt } from "./shipped-prompt.ts";
import { summarizingPrompts } from "./summarizing-prompts.ts";
import { translationPrompts } from "./translation-prompts.ts";
import { writingPrompts } from "./writing-prompts.ts";

const categories = [
  mathPrompts,
  writingPrompts,
  knowledgePrompts,
  codingPrompts,
  reasoningPrompts,
  planningPrompts,
  extractionPrompts,
  summarizingPrompts,
  dataPrompts,
  translationPrompts,
  roleplayPrompts,
];

/** The prompts that come with the arena: the gym, in the order of its numbers, and the main pool. */
export function loadShippedPrompts(): { gym: ShippedPrompt[]; main: ShippedPrompt[] } {
  return { gym: gymPrompts.map(withSource), main: takeInTurn(categories).map(withSource) };
}

function withSource(prompt: ShippedPrompt): ShippedPrompt {
  return { source: "agon", ...prompt };
}

/**
 * One of each list, then the next of each: prompts are handed out in about this order, and an agent's first hour should
 * show all that it can do, not twelve sums.
 */
function takeInTurn(lists: ShippedPrompt[][]): ShippedPrompt[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat();
}
