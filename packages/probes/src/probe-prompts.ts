import type { ChatMessage, Role } from "@agon/protocol";

/** What the probes' scout is asked for. */
export const PROBE_GOAL = "Find a promising SaaS niche for a solo founder.";

/** The candidate that the probes' builder and analyst work on; its id is new each time. */
export const PROBE_CANDIDATE = {
  title: "Automated invoicing for service businesses",
  target_customer: "Small service businesses (5–20 employees)",
  core_problem: "Manual invoicing from timesheets costs hours of admin each week",
  solution_summary: "An opinionated tool that turns timesheets into ready-to-send invoices",
  why_now: "Small-business accounting APIs stabilized in the last 18 months",
} as const;

const JSON_ONLY = "Reply with one JSON object and nothing else: no code fence, no text before or after it.";

const SCOUT = `You are the scout of a product team. Propose one business candidate for the goal in the user's message.
Be concrete: name who pays, what hurts them today and what you would sell them. Claims should be checkable, evidence should say where it comes from.
${JSON_ONLY}
{
  "candidate_title": string,
  "target_customer": string,
  "core_problem": string,
  "proposed_solution": string,
  "why_now": string,
  "claims": [{ "type": string, "text": string }],
  "evidence": [{ "kind": string, "summary": string }]
}
Every string has to be filled in. This is a trial: two claims and two pieces of evidence are enough.`;

const BUILDER = `You are the builder of a product team. Turn the candidate in the user's message into a plan that one person can carry out.
Each phase should end in something that can be seen to have worked.
${JSON_ONLY}
{
  "candidate_id": string, the id as given,
  "execution": {
    "objective": string,
    "first_milestone": string,
    "success_check": string,
    "phases": [{ "title": string, "objective": string, "outcome": string, "steps": [string] }]
  },
  "claims": [{ "type": string, "text": string }]
}
Every string has to be filled in. This is a trial: two phases are enough.`;

const ANALYST = `You are the critic of a product team. Say what is strong and what is weak about the candidate in the user's message, and decide.
Eliminate a candidate only for a reason that its team could not work around.
${JSON_ONLY}
{
  "candidate_id": string, the id as given,
  "strengths": [string],
  "weaknesses": [string],
  "score_adjustments": { name of a criterion: number from -10 to 10 },
  "penalty_points": number,
  "verdict": "pass" or "eliminate",
  "fatal_flaw": true or false,
  "elimination_reason": string, only with "eliminate"
}
This is a trial: two strengths and two weaknesses are enough.`;

/** The messages of a role's probe: complete by themselves, so that an agent only has to hand them to its model. */
export function probeMessages(role: Role, candidateId: string): ChatMessage[] {
  if (role === "SCOUT") return toMessages(SCOUT, PROBE_GOAL);
  const { title, solution_summary, ...more } = PROBE_CANDIDATE;
  const lines = [`Candidate ${candidateId}`, `Title: ${title}`, `Solution: ${solution_summary}`];
  if (role === "ANALYST") return toMessages(ANALYST, lines.join("\n"));
  const { target_customer, core_problem, why_now } = more;
  lines.push(`Customer: ${target_customer}`, `Problem: ${core_problem}`, `Why now: ${why_now}`);
  return toMessages(BUILDER, lines.join("\n"));
}

function toMessages(system: string, user: string): ChatMessage[] {
  return [
    { role: "system", content: system },
    { role: "user", content: user },
  ];
}
