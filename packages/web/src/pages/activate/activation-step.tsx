import type { Answer } from "../../api/call.ts";
import { unturned } from "../../safe-text.ts";
import { duration } from "../../time.ts";
import { sentence } from "../../ui/notice.tsx";
import { When } from "../../ui/when.tsx";
import { Step, type StepState } from "../connect/step.tsx";
import { Checks, Details, ExchangeWire } from "./exchange.tsx";

export type TakenStep = Answer<"/api/agents/{agent_id}/activation">["steps"][number];

/** One step with its sentence, what to change, and the exchange itself. */
export function ActivationStep({
  number,
  title,
  role,
  step,
  isNow,
}: {
  number: string;
  title: string;
  role: string | null;
  step: TakenStep | undefined;
  isNow: boolean;
}) {
  const isFailed = step !== undefined && !step.ok && !step.skipped;
  const state: StepState = isNow ? "now" : step?.ok ? "done" : isFailed ? "failed" : "later";
  const fault = step?.failure_code ?? step?.error_code;
  return (
    <Step
      number={number}
      state={state}
      title={
        <>
          {title}
          {role !== null && <span className="font-mono text-14 text-ink-3 font-normal ml-2">{role}</span>}
        </>
      }
    >
      {(isNow || step) && (
        <div className="grid gap-2 text-14 min-w-0 arrive" aria-live="polite">
          {isNow && <p className="text-ink-2">Asking it now…</p>}
          {step && (
            <p className={isFailed ? "text-bad" : "text-ink-2"}>
              <span className="[overflow-wrap:anywhere]">{sentence(unturned(step.detail))}</span>{" "}
              {step.latency_ms !== null && <span className="label font-mono">{duration(step.latency_ms)} </span>}
              {fault && <span className="label font-mono">{fault}</span>}
            </p>
          )}
          {step?.advice && (
            <p className="border-l-4 border-warn pl-3">
              <span className="font-semibold">What to change</span> {unturned(step.advice)}
            </p>
          )}
          {step?.notes.map((note) => (
            <p key={note} className="text-ink-3 [overflow-wrap:anywhere]">
              {unturned(note)}
            </p>
          ))}
          {step && (step.sent || step.received || step.checks.length > 0) && (
            <Details title="What was sent, what came back">
              <Checks checks={step.checks} />
              <ExchangeWire exchange={step} />
              <p className="label">
                Tried <When at={step.at} />
              </p>
            </Details>
          )}
        </div>
      )}
    </Step>
  );
}
