import type { Candidate } from "./run-words.tsx";

// Outputs have been checked against their schemas before they were taken, but are typed as unknown: their texts may be
// anything, and of fields that may be left out nothing is known.

interface Claim {
  type: string;
  text: string;
}
export interface Found {
  target_customer: string;
  core_problem: string;
  proposed_solution: string;
  why_now: string;
  claims: Claim[];
  evidence: { kind: string; summary: string }[];
}
type PlanPhase =
  | string
  | {
      title?: string;
      objective?: string;
      outcome?: string;
      reality_check?: string;
      operator_guidance?: string;
      steps?: string[];
    };
export interface Plan {
  execution: { objective: string; first_milestone: string; success_check: string; phases: PlanPhase[] };
}
export interface Verification {
  claim_assessments: { text: string; supported: boolean; confidence: string; note?: string }[];
  evidence_assessments: { summary: string; reliability: string; specificity: string; note?: string }[];
  red_flags: string[];
}
export interface Critique {
  strengths: string[];
  weaknesses: string[];
  verdict: string;
  fatal_flaw: boolean;
  elimination_reason?: string;
}

/** What its scout found; undefined while it is still being fetched. */
export const foundOf = (candidate: Candidate) => (candidate.found ?? undefined) as Found | undefined;
export const verificationsOf = (candidate: Candidate) =>
  candidate.verifications.map((each) => each.output as Verification);
export const critiquesOf = (candidate: Candidate) => candidate.critiques.map((each) => each.output as Critique);

/** The plan that goes on, which is the better one when there are several. */
export function planOf(candidate: Candidate): Plan | undefined {
  const chosen = candidate.plans.find((each) => each.slot_id === candidate.plan_slot_id) ?? candidate.plans[0];
  return chosen?.output as Plan | undefined;
}
