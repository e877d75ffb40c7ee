import type {
  BuildOutput,
  CritiqueOutput,
  DispatchPayload,
  PhaseOutput,
  ScoutOutput,
  VerifyOutput,
} from "@agon/protocol";
import { readQuotedData } from "../quoted-data.ts";
import { SCOUT_TEMPLATES } from "./scout-templates.ts";

/**
 * The house's answer without a model: always in shape, the same for the same task, and honest about what it is. It looks
 * at how much there is, never at what a text says: nothing that an agent writes into its candidate moves a grade here,
 * and whoever judged words without understanding them could be steered by words.
 */
export function answerFromTemplate(payload: DispatchPayload): PhaseOutput[keyof PhaseOutput] {
  switch (payload.phase) {
    case "SCOUT":
      return scout(payload);
    case "BUILD":
      return build(payload);
    case "VERIFY":
      return verify(payload);
    case "CRITIQUE":
      return critique(payload);
  }
}

interface Given {
  candidate?: {
    title?: string;
    target_customer?: string;
    claims?: { type: string; text: string }[];
    evidence?: { kind: string; summary: string }[];
  };
  plan?: { phases?: unknown[]; claims?: { type: string; text: string }[] } | null;
}

const EXCERPT = 90;

function scout({ goal, messages }: DispatchPayload): ScoutOutput {
  const system = messages.find((each) => each.role === "system")?.content ?? "";
  const search = Number(/This is search (\d+) of \d+/.exec(system)?.[1] ?? 1);
  const template = SCOUT_TEMPLATES[(search - 1) % SCOUT_TEMPLATES.length] as (typeof SCOUT_TEMPLATES)[number];
  return template(excerpt(goal));
}

function build({ candidateId, messages }: DispatchPayload): BuildOutput {
  const title = excerpt(given(messages).candidate?.title ?? "the candidate");
  return {
    candidate_id: candidateId ?? "",
    execution: {
      objective: `Within sixty days ten people have used "${title}" and three of them would be sorry to lose it.`,
      first_milestone: "Within two weeks it was done by hand for one person, who said what was missing.",
      success_check: "Did three people come back without being asked?",
      phases: [
        {
          title: "Ask before making",
          objective: "Learn whether the problem is there and what it costs.",
          steps: ["List twenty people who should have the problem.", "Ask ten of them how they deal with it today."],
          outcome: "Ten answers in their own words.",
          reality_check: "If fewer than four have the problem, stop here.",
        },
        {
          title: "Do it once by hand",
          objective: "Give one person the result without building anything.",
          steps: ["Agree on what they get and when.", "Do it, and write down every step and minute."],
          outcome: "One result, and a list of what it took.",
          reality_check: "If it takes more than it is worth to them, change what is promised.",
        },
        {
          title: "Make the second easier than the first",
          objective: "Repeat it for three more people with less effort each time.",
          steps: [
            "Turn the list of steps into a routine.",
            "Ask each of them whether they would come back, and for what.",
          ],
          outcome: "Four people served, and a routine.",
          reality_check: "If nobody comes back, the problem was not worth solving this way.",
        },
      ],
    },
    claims: [{ type: "assumption", text: "The people who have the problem can be reached and will talk about it." }],
  };
}

function verify({ candidateId, messages }: DispatchPayload): VerifyOutput {
  const { candidate, plan } = given(messages);
  const evidence = candidate?.evidence ?? [];
  const claims = [...(candidate?.claims ?? []), ...(plan?.claims ?? [])];
  const covered = Math.min(evidence.length, claims.length);
  return {
    candidate_id: candidateId ?? "",
    evidence_assessments: evidence.map(({ kind, summary }) => ({
      kind,
      summary,
      reliability: "medium",
      specificity: "medium",
      note: "Counted, not checked: this answer comes from a template.",
    })),
    claim_assessments: claims.map(({ type, text }, index) => ({
      type,
      text,
      supported: index < covered,
      confidence: "low",
      note: "Supported means that there is a piece of evidence for each claim up to this one.",
    })),
    evidence_quality_score: 20 + 10 * Math.min(evidence.length, 4),
    claim_coverage_score: claims.length === 0 ? 0 : Math.round((100 * covered) / claims.length),
    overall_confidence: "low",
    red_flags: [],
  };
}

function critique({ candidateId, messages }: DispatchPayload): CritiqueOutput {
  const { candidate, plan } = given(messages);
  const evidence = candidate?.evidence?.length ?? 0;
  const phases = plan?.phases?.length ?? 0;
  return {
    candidate_id: candidateId ?? "",
    strengths: [`It names whom it is for, and comes with ${count(candidate?.claims?.length ?? 0, "claim")} to check.`],
    weaknesses: [
      `There ${evidence === 1 ? "is" : "are"} ${count(evidence, "piece")} of evidence; nobody has looked behind them for this answer, which comes from a template.`,
      `The plan has ${count(phases, "phase")}; whether its first step tests the riskiest assumption is for a person to say.`,
    ],
    score_adjustments: { evidence: Math.min(evidence, 3) - 1, feasibility: Math.min(phases, 3) - 1 },
    penalty_points: evidence === 0 ? 15 : 5,
    verdict: "pass",
    fatal_flaw: false,
  };
}

function given(messages: DispatchPayload["messages"]): Given {
  return (readQuotedData(messages) ?? {}) as Given;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function excerpt(text: string): string {
  const points = [...text.replace(/\s+/g, " ").trim()];
  return points.length <= EXCERPT ? points.join("") : `${points.slice(0, EXCERPT - 1).join("")}…`;
}
