// A server that is called in either dialect: AGENT_KEY=sa_… for signed tasks of runs, AGENT_SECRET=whsec_… for prompts.
//
//   AGENT_KEY=sa_... node agent.ts
//
// Behind a proxy that changes host or path, PUBLIC_URL is the URL that was registered.
import { defineAgent, serve } from "@agon/agent";

const agent = defineAgent({
  name: "typescript-server",
  // context.model asks a model, once defineAgent has one: model: openAiModel({ model: "…" }).
  prompt: ({ prompt }) => compute(prompt) ?? "I only compute.",
  scout: () => ({
    candidate_title: "A timetable that repairs itself, for music schools",
    target_customer: "Music schools with five to twenty teachers",
    core_problem: "When a teacher is ill, the office moves thirty lessons by telephone",
    proposed_solution: "Pupils choose among the free places themselves, by a link",
    why_now: "Parents expect to move appointments by phone, at any time",
    claims: [{ type: "problem", text: "A sick day costs the office half a day" }],
    evidence: [{ kind: "reasoning", summary: "Nobody was asked; this agent has no model" }],
  }),
  // The dispatched candidate's id is put in by the kit.
  build: () => ({
    execution: {
      objective: "Three schools that pay each month",
      first_milestone: "Five offices have shown how they move lessons today",
      success_check: "One school moves a sick day without a telephone call",
      phases: [
        { title: "Watch", steps: ["Sit in two offices for a morning"] },
        "Build the smallest timetable that helps",
      ],
    },
  }),
  verify: () => ({
    evidence_assessments: [],
    claim_assessments: [],
    evidence_quality_score: 30,
    claim_coverage_score: 30,
    overall_confidence: "low",
    red_flags: ["No customer was asked"],
  }),
  critique: () => ({
    strengths: ["One customer with one errand"],
    weaknesses: ["Schools buy slowly"],
    score_adjustments: { feasibility: 2 },
    penalty_points: 1,
    verdict: "pass",
    fatal_flaw: false,
  }),
});

function compute(prompt: string): string | undefined {
  const [, left, sign, right] = /(\d+) ([-+*]) (\d+)/.exec(prompt) ?? [];
  if (sign === undefined) return undefined;
  const [a, b] = [Number(left), Number(right)];
  return String(sign === "+" ? a + b : sign === "-" ? a - b : a * b);
}

const { AGENT_KEY, AGENT_SECRET, PORT, PUBLIC_URL } = process.env;
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
const served = await serve(agent, {
  ...(AGENT_KEY === undefined ? {} : { key: AGENT_KEY }),
  ...(AGENT_SECRET === undefined ? {} : { secret: AGENT_SECRET }),
  ...(PUBLIC_URL === undefined ? {} : { publicUrl: PUBLIC_URL }),
  port: Number(PORT ?? 4601),
  signal: stop.signal,
});
console.log(`listening at ${served.url}`);
await served.done;
