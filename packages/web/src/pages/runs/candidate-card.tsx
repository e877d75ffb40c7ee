import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { oneLine } from "../../safe-text.ts";
import { cx } from "../../ui/class-names.ts";
import { Word } from "../../ui/word.tsx";
import { critiquesOf, foundOf, planOf, verificationsOf } from "./outputs.ts";
import { PlanView } from "./plan.tsx";
import { type Candidate, counted, type Run, Said } from "./run-words.tsx";

const STATES = { in: "plain", duplicate: "warn", dropped: "warn", eliminated: "bad" } as const;
/** Longer lists end here; the JSON has all of them. */
const SHOWN = 40;

export function CandidateCard({ candidate, run }: { candidate: Candidate; run: Run }) {
  const found = foundOf(candidate);
  const isWinner = candidate.id === run.winner_id;
  const twin = run.candidates.find((each) => each.id === candidate.duplicate_of);
  return (
    <li
      className={cx(
        "border rounded-md bg-sheet p-4 sm:p-5 min-w-0 grid gap-3 content-start arrive",
        isWinner ? "border-ink border-2" : "border-line",
      )}
    >
      <div className="flex items-baseline justify-between gap-3 text-14 text-ink-3">
        <span>
          <span className="font-mono">Candidate {candidate.number}</span>
          {isWinner && <b className="bg-marker text-on-marker px-1.5 ml-2 rounded-sm">winner</b>}
        </span>
        {candidate.score !== null && (
          <span className="font-mono">
            <span className="text-20 text-ink font-semibold">{candidate.score}</span> of 100
          </span>
        )}
      </div>
      <h3 className="text-16 [overflow-wrap:anywhere] line-clamp-4">
        <bdi>{oneLine(candidate.title)}</bdi>
      </h3>
      <p className="text-14 text-ink-3">
        found by{" "}
        {candidate.agent.house ? (
          "the house"
        ) : (
          <Link to="/agents/$id" params={{ id: String(candidate.agent.id) }} className="link">
            <bdi>{oneLine(candidate.agent.name)}</bdi>
          </Link>
        )}
      </p>
      {candidate.state !== "in" && (
        <p className="text-14">
          <Word tone={STATES[candidate.state]}>{candidate.state}</Word>{" "}
          <span className="text-ink-2 [overflow-wrap:anywhere]">
            {twin ? `much like candidate ${twin.number}, which had the earlier place` : (candidate.reason ?? "")}
          </span>
        </p>
      )}
      {found && (
        <div className="text-14 max-h-40 overflow-y-auto" tabIndex={0} role="group" aria-label="Proposed solution">
          <Said text={found.proposed_solution} />
        </div>
      )}
      {found && <Folds candidate={candidate} />}
    </li>
  );
}

function Folds({ candidate }: { candidate: Candidate }) {
  const found = foundOf(candidate);
  const plan = planOf(candidate);
  const verifications = verificationsOf(candidate);
  const critiques = critiquesOf(candidate);
  if (found === undefined) return null;
  return (
    <div className="grid gap-1">
      <Fold title="What was found" aside={counted(found.claims.length, "claim")}>
        <Part name="For">
          <Said text={found.target_customer} />
        </Part>
        <Part name="Problem">
          <Said text={found.core_problem} />
        </Part>
        <Part name="Why now">
          <Said text={found.why_now} />
        </Part>
        <Part name="Claims">
          <Texts texts={found.claims.map((each) => each.text)} none="None was made." />
        </Part>
        <Part name="Evidence">
          <Texts texts={found.evidence.map((each) => `${each.kind}: ${each.summary}`)} none="None was given." />
        </Part>
      </Fold>
      {plan && (
        <Fold title="Plan" aside={counted(plan.execution.phases.length, "phase")}>
          <PlanView plan={plan} />
        </Fold>
      )}
      {verifications.length > 0 && (
        <Fold title="Verification" aside={counted(verifications.flatMap((each) => each.red_flags).length, "red flag")}>
          <Part name="Claims">
            <Texts
              texts={verifications.flatMap((each) =>
                each.claim_assessments.map(
                  (one) =>
                    `${one.supported ? "Supported" : "Not supported"}, ${one.confidence} confidence: ${one.text}${one.note ? ` (${one.note})` : ""}`,
                ),
              )}
              none="None was assessed."
            />
          </Part>
          <Part name="Evidence">
            <Texts
              texts={verifications.flatMap((each) =>
                each.evidence_assessments.map(
                  (one) =>
                    `${one.reliability} reliability, ${one.specificity} specificity: ${one.summary}${one.note ? ` (${one.note})` : ""}`,
                ),
              )}
              none="None was assessed."
            />
          </Part>
          <Part name="Red flags">
            <Texts texts={verifications.flatMap((each) => each.red_flags)} none="None was raised." />
          </Part>
        </Fold>
      )}
      {critiques.length > 0 && (
        <Fold title="Critique" aside={critiques.map((each) => each.verdict).join(", ")}>
          <Part name="Strengths">
            <Texts texts={critiques.flatMap((each) => each.strengths)} none="None was named." />
          </Part>
          <Part name="Weaknesses">
            <Texts texts={critiques.flatMap((each) => each.weaknesses)} none="None was named." />
          </Part>
          {critiques.some((each) => each.elimination_reason) && (
            <Part name="Why eliminate">
              <Texts texts={critiques.flatMap((each) => each.elimination_reason ?? [])} none="" />
            </Part>
          )}
        </Fold>
      )}
    </div>
  );
}

function Fold({ title, aside, children }: { title: string; aside: string; children: ReactNode }) {
  return (
    <details className="border-t border-line pt-1.5 text-14 min-w-0">
      <summary className="font-semibold text-ink-2">
        {title} <span className="label font-normal">{aside}</span>
      </summary>
      <div className="grid gap-3 py-3 min-w-0">{children}</div>
    </details>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="label">{name}</p>
      {children}
    </div>
  );
}

function Texts({ texts, none }: { texts: readonly string[]; none: string }) {
  if (texts.length === 0) return <p className="text-ink-3">{none}</p>;
  return (
    <ul className="list-disc pl-5 grid gap-1">
      {texts.slice(0, SHOWN).map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two of them may say the same
        <li key={index}>
          <Said text={text} />
        </li>
      ))}
      {texts.length > SHOWN && <li className="text-ink-3">{texts.length - SHOWN} more are in the JSON.</li>}
    </ul>
  );
}
