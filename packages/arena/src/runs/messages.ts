import {
  type BuildOutput,
  type ChatMessage,
  DISPATCH_BODY_MAX_BYTES,
  type Phase,
  type ScoutOutput,
  type VerifyOutput,
} from "@agon/protocol";
import type { Random } from "../ports.ts";
import type { Launchpad } from "./launchpad-file.ts";
import { PHASE_CONTRACTS } from "./phase-contracts.ts";
import { describeData, fitData, quoteData } from "./quoted-data.ts";

/** What a slot works on: what earlier phases made of a candidate. */
export interface Material {
  candidateId: string;
  found: ScoutOutput;
  plan: BuildOutput | undefined;
  verifications: readonly VerifyOutput[];
}

export interface MessageContext {
  goal: string;
  launchpad: Pick<Launchpad, "title" | "rubric" | "phases">;
  phase: Phase;
  /** Which of how many scouts; the others look at the same time. */
  place: { position: number; of: number };
  material: Material | undefined;
}

/** What the payload's other fields take: ids, names, and the goal a second time. */
const REST_MAX_BYTES = 80_000;

/**
 * The prompt of a slot: complete by itself, so that an agent forwards it and adds nothing. What other agents wrote stands
 * in one marked block of the user message and nowhere else.
 */
export function buildMessages(context: MessageContext, random: Random): ChatMessage[] {
  const nonce = Buffer.from(random.bytes(16)).toString("hex");
  const { phase, goal, launchpad, material } = context;
  const system = [launchpad.phases[phase], rubricText(launchpad), `## What to return\n\n${PHASE_CONTRACTS[phase]}`];
  if (phase === "SCOUT" && context.place.of > 1) {
    const { position, of } = context.place;
    system.push(
      `## Others\n\nThis is search ${position + 1} of ${of}. The others look at the same time; near-identical candidates are merged, so leave the most obvious idea to search 1 and go further from it the higher your number.`,
    );
  }
  if (material === undefined) {
    return [
      { role: "system", content: system.join("\n\n") },
      { role: "user", content: `Goal:\n${goal}` },
    ];
  }
  system.push(`## Data\n\n${describeData(nonce)}`);
  return fitData(toData(phase, material), DISPATCH_BODY_MAX_BYTES - REST_MAX_BYTES, (data) => [
    { role: "system" as const, content: system.join("\n\n") },
    {
      role: "user" as const,
      content: `Goal:\n${goal}\n\nCandidate id: ${material.candidateId}\n\n${quoteData(data, nonce)}`,
    },
  ]);
}

function rubricText({ rubric }: Pick<Launchpad, "rubric">): string {
  const lines = rubric.map(({ name, weight, question }) => `- ${name} (weight ${weight}): ${question}`);
  return `## Rubric\n\n${lines.join("\n")}`;
}

/** Known fields only: what an agent adds to its output does not travel on. */
function toData(phase: Phase, { candidateId, found, plan, verifications }: Material): unknown {
  const candidate = {
    id: candidateId,
    title: found.candidate_title,
    target_customer: found.target_customer,
    core_problem: found.core_problem,
    proposed_solution: found.proposed_solution,
    why_now: found.why_now,
    claims: found.claims.map(({ type, text }) => ({ type, text })),
    evidence: found.evidence.map(({ kind, summary }) => ({ kind, summary })),
  };
  if (phase === "BUILD") return { candidate };
  const data = { candidate, plan: plan === undefined ? null : toPlan(plan) };
  return phase === "VERIFY" ? data : { ...data, verifications: verifications.map(toVerification) };
}

function toPlan({ execution, claims }: BuildOutput) {
  return {
    objective: execution.objective,
    first_milestone: execution.first_milestone,
    success_check: execution.success_check,
    phases: execution.phases.map((each) => {
      if (typeof each === "string") return each;
      const { title, objective, outcome, reality_check, operator_guidance, steps } = each;
      return { title, objective, outcome, reality_check, operator_guidance, steps };
    }),
    claims: claims.map(({ type, text }) => ({ type, text })),
  };
}

function toVerification(output: VerifyOutput) {
  return {
    evidence_quality_score: output.evidence_quality_score,
    claim_coverage_score: output.claim_coverage_score,
    overall_confidence: output.overall_confidence,
    red_flags: output.red_flags,
    unsupported_claims: output.claim_assessments
      .filter((each) => !each.supported)
      .map(({ type, text, note }) => ({ type, text, note })),
  };
}
