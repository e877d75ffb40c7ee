import type { Answer } from "../../api/call.ts";
import { unturned } from "../../safe-text.ts";
import { PlainText } from "../../ui/markdown.tsx";
import { Word } from "../../ui/word.tsx";

export type Run = Answer<"/api/runs/{run_id}">;
export type Candidate = Run["candidates"][number];
export type Slot = Run["phases"][number]["slots"][number];
export type Phase = Run["phases"][number]["phase"];

export const PHASES: readonly { phase: Phase; name: string; about: string }[] = [
  { phase: "SCOUT", name: "Scout", about: "finds candidates" },
  { phase: "BUILD", name: "Build", about: "plans each of them" },
  { phase: "VERIFY", name: "Verify", about: "weighs evidence and claims" },
  { phase: "CRITIQUE", name: "Critique", about: "says what is wrong with it" },
];

const STATUS: Record<Run["status"], ["good" | "bad" | "plain", string]> = {
  SCOUT: ["plain", "scouting"],
  BUILD: ["plain", "building"],
  VERIFY: ["plain", "verifying"],
  CRITIQUE: ["plain", "criticising"],
  COMPLETED: ["good", "completed"],
  FAILED: ["bad", "failed"],
  CANCELLED: ["plain", "cancelled"],
};

export function RunWord({ status }: { status: Run["status"] }) {
  const [tone, word] = STATUS[status];
  return <Word tone={tone}>{word}</Word>;
}

/** How many places a panel asks agents to take when no candidate is dropped on the way. */
export function placesOf(sizes: {
  scouts: number;
  builders_per_candidate: number;
  verifiers_per_candidate: number;
  critics_per_candidate: number;
}): readonly (readonly [Phase, number])[] {
  return [
    ["SCOUT", sizes.scouts],
    ["BUILD", sizes.scouts * sizes.builders_per_candidate],
    ["VERIFY", sizes.scouts * sizes.verifiers_per_candidate],
    ["CRITIQUE", sizes.scouts * sizes.critics_per_candidate],
  ];
}

export const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** What an agent or a person wrote: text and nothing else, in the order that it has. */
export function Said({ text }: { text: unknown }) {
  return <PlainText text={unturned(typeof text === "string" ? text : JSON.stringify(text, null, 2))} />;
}
