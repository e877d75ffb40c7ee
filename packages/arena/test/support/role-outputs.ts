/** An output of each phase that its whole schema takes. */
export function roleOutput(phase: string, candidateId: string | null = null): Record<string, unknown> {
  switch (phase) {
    case "SCOUT":
      return {
        candidate_title: "Invoices from timesheets",
        target_customer: "Small service firms",
        core_problem: "Hours of copying each week",
        proposed_solution: "One click from hours to invoice",
        why_now: "Accounting APIs have settled",
        claims: [{ type: "market", text: "Firms of five copy by hand" }],
        evidence: [{ kind: "interview", summary: "Three owners said so" }],
      };
    case "BUILD":
      return {
        candidate_id: candidateId,
        execution: {
          objective: "Ten paying firms",
          first_milestone: "One invoice sent",
          success_check: "Ten payments in a month",
          phases: ["Talk to owners", { title: "Build", steps: ["Import", "Send"] }],
        },
        claims: [],
      };
    case "VERIFY":
      return {
        candidate_id: candidateId,
        evidence_assessments: [
          { kind: "interview", summary: "Three owners", reliability: "medium", specificity: "low" },
        ],
        claim_assessments: [{ type: "market", text: "By hand", supported: true, confidence: "medium" }],
        evidence_quality_score: 61,
        claim_coverage_score: 70,
        overall_confidence: "medium",
        red_flags: [],
      };
    default:
      return {
        candidate_id: candidateId,
        strengths: ["Narrow"],
        weaknesses: ["Crowded"],
        score_adjustments: { novelty: -2 },
        penalty_points: 3,
        verdict: "pass",
        fatal_flaw: false,
      };
  }
}

/** What an agent that is well answers to any of the four requests of edgearena-v1. */
export function roleAnswer(request: Record<string, unknown> | undefined): Record<string, unknown> {
  if (request === undefined || request.type === "handshake") return { ok: true, protocol: "edgearena-v1" };
  const candidate = request.candidate as { id: string } | undefined;
  if (request.type === "scout_task") return roleOutput("SCOUT");
  if (request.type === "build_task") return roleOutput("BUILD", candidate?.id);
  if (request.type === "analyst_task") return roleOutput("CRITIQUE", candidate?.id);
  const output = roleOutput(request.phase as string, request.candidateId as string | null);
  return { output, promptTokens: 11, completionTokens: 7, modelId: "stub-1" };
}
