import type { Phase } from "@agon/protocol";

/**
 * What each phase has to return, in words for a model. In code and not in the launchpads: the shape is the protocol's,
 * and an operator's launchpad must not be able to ask for one that the arena then refuses.
 */
export const PHASE_CONTRACTS: Readonly<Record<Phase, string>> = {
  SCOUT: `Return one JSON object and nothing else, with
- candidate_title, target_customer, core_problem, proposed_solution, why_now: non-empty strings
- claims: array of { "type", "text" }, non-empty strings; each a statement that can be checked
- evidence: array of { "kind", "summary" }, non-empty strings; each something you know, with where it comes from`,
  BUILD: `Return one JSON object and nothing else, with
- candidate_id: the id of the candidate, exactly as given
- execution: { "objective", "first_milestone", "success_check": non-empty strings, "phases": at least one of { "title", "objective", "outcome", "reality_check", "operator_guidance": strings, "steps": array of strings } }
- claims: array of { "type", "text" }; what the plan takes for granted`,
  VERIFY: `Return one JSON object and nothing else, with
- candidate_id: the id of the candidate, exactly as given
- evidence_assessments: for each piece of evidence { "kind", "summary", "reliability", "specificity", "note" }; the two grades are "high", "medium" or "low"
- claim_assessments: for each claim { "type", "text", "supported": true or false, "confidence": "high", "medium" or "low", "note" }
- evidence_quality_score, claim_coverage_score: numbers from 0 to 100
- overall_confidence: "high", "medium" or "low"
- red_flags: array of strings`,
  CRITIQUE: `Return one JSON object and nothing else, with
- candidate_id: the id of the candidate, exactly as given
- strengths, weaknesses: arrays of non-empty strings
- score_adjustments: object of numbers, one for each criterion of the rubric that you want to move; their sum counts from -20 to 20
- penalty_points: a number from 0 to 40
- verdict: "pass" or "eliminate"
- fatal_flaw: true or false
- elimination_reason: a string, when the verdict is "eliminate"`,
};
