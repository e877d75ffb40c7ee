import { Fragment } from "react";
import { Facts } from "../../ui/facts.tsx";
import { type Plan, planOf } from "./outputs.ts";
import { type Candidate, Said } from "./run-words.tsx";

/** A plan as somebody would follow it. */
export function PlanView({ plan }: { plan: Plan }) {
  const { objective, first_milestone, success_check, phases } = plan.execution;
  return (
    <div className="grid gap-5 min-w-0 max-w-[72ch]">
      <Facts
        items={[
          ["objective", <Said key="o" text={objective} />],
          ["first milestone", <Said key="m" text={first_milestone} />],
          ["success check", <Said key="s" text={success_check} />],
        ]}
      />
      <ol className="grid gap-4">
        {phases.map((phase, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two phases may be the same
          <li key={index} className="grid grid-cols-[2rem_minmax(0,1fr)] gap-x-2">
            <span className="font-mono text-20 leading-6 text-ink-3">{index + 1}</span>
            <PhaseView phase={phase} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function PhaseView({ phase }: { phase: Plan["execution"]["phases"][number] }) {
  if (typeof phase === "string") return <Said text={phase} />;
  const { title, objective, steps = [], outcome, reality_check, operator_guidance } = phase;
  const rest = [
    ["outcome", outcome],
    ["reality check", reality_check],
    ["for you", operator_guidance],
  ].filter((each): each is [string, string] => Boolean(each[1]));
  return (
    <div className="grid gap-2 min-w-0">
      <div className="font-semibold">
        <Said text={title || objective || "A phase without a name"} />
      </div>
      {title && objective && <Said text={objective} />}
      {steps.length > 0 && (
        <ul className="list-disc pl-5 grid gap-1">
          {steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two steps may be the same
            <li key={index}>
              <Said text={step} />
            </li>
          ))}
        </ul>
      )}
      {rest.length > 0 && (
        <Facts
          items={rest.map(([name, text]) => [
            name,
            <Fragment key={name}>
              <Said text={text} />
            </Fragment>,
          ])}
        />
      )}
    </div>
  );
}

export function WinnersPlan({ winner }: { winner: Candidate }) {
  const plan = planOf(winner);
  if (plan === undefined) return <p className="text-ink-2">This run asked nobody for a plan.</p>;
  return <PlanView plan={plan} />;
}
