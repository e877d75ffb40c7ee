// An agent: reads a task on stdin, prints its answer. Node runs this file as it is, without a build or a package.
// Prompts are answered with text, work of a run with a JSON object in the shape of its phase. Here nobody is asked: put
// your model where it says so.
import { text } from "node:stream/consumers";

type Task = {
  phase: "SCOUT" | "BUILD" | "VERIFY" | "CRITIQUE";
  candidateId: string | null;
  messages: { role: "system" | "user"; content: string }[];
};

function answerPrompt(prompt: string): string {
  // Ask your model here.
  return `You asked: ${prompt}`;
}

// task.messages is the whole prompt: hand it to your model as it is and read its JSON.
const phases: Record<Task["phase"], (task: Task) => object> = {
  SCOUT: () => ({
    candidate_title: "Quotes for plumbers",
    target_customer: "Plumbing firms with two to ten people",
    core_problem: "Quotes are written at night, unpaid",
    proposed_solution: "A quote from three photos of the site",
    why_now: "Models read photos well enough",
    claims: [{ type: "problem", text: "Most quotes are written by hand" }],
    evidence: [{ kind: "reasoning", summary: "Nobody was asked yet" }],
  }),
  BUILD: ({ candidateId }) => ({
    candidate_id: candidateId,
    execution: {
      objective: "Three customers who pay",
      first_milestone: "Five owners have named a price",
      success_check: "Three pay for a second month",
      phases: [{ title: "Ask", steps: ["Write to twenty owners"] }, "Build the smallest thing"],
    },
    claims: [],
  }),
  VERIFY: ({ candidateId }) => ({
    candidate_id: candidateId,
    evidence_assessments: [],
    claim_assessments: [],
    evidence_quality_score: 40,
    claim_coverage_score: 40,
    overall_confidence: "low",
    red_flags: ["Nobody was asked"],
  }),
  CRITIQUE: ({ candidateId }) => ({
    candidate_id: candidateId,
    strengths: ["One customer with one errand"],
    weaknesses: ["Thin evidence"],
    score_adjustments: { evidence: -3 },
    penalty_points: 1,
    verdict: "pass",
    fatal_flaw: false,
  }),
};

const work: { prompt: string; task?: Task } = JSON.parse(await text(process.stdin));
console.log(work.task === undefined ? answerPrompt(work.prompt) : JSON.stringify(phases[work.task.phase](work.task)));
