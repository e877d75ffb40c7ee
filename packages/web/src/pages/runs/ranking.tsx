import { oneLine } from "../../safe-text.ts";
import { cx } from "../../ui/class-names.ts";
import type { Candidate, Run } from "./run-words.tsx";

/** Who stands where, and the sum that put it there, term by term. */
export function Ranking({ run }: { run: Run }) {
  return (
    <ol className="-mt-3">
      {run.ranking.map((place) => {
        const candidate = run.candidates.find((each) => each.id === place.candidate_id);
        return (
          <li
            key={place.candidate_id}
            className="border-b border-line py-3 grid grid-cols-[2.5rem_minmax(0,1fr)] gap-x-2"
          >
            <span className="font-mono text-28 leading-8">{place.rank}</span>
            <div className="min-w-0">
              <p className="font-semibold [overflow-wrap:anywhere]">
                {place.candidate_id === run.winner_id && (
                  <span className="bg-marker text-on-marker px-1.5 mr-2 rounded-sm">winner</span>
                )}
                <bdi>{oneLine(place.title)}</bdi>
              </p>
              {candidate?.terms && <Sum terms={candidate.terms} />}
              {candidate?.terms && <Terms run={run} terms={candidate.terms} />}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

type Full = NonNullable<Candidate["terms"]>;

function Sum({ terms }: { terms: Full }) {
  const sign = terms.adjustment < 0 ? "−" : "+";
  const parts: [sign: string, value: number, name: string][] = [
    ["", terms.evidence, "evidence"],
    ["−", terms.penalty, "penalty"],
    [sign, Math.abs(terms.adjustment), "adjustment"],
    ["−", terms.verdict, "verdict"],
    ["=", terms.score, "score"],
  ];
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-1 mt-1 text-14">
      {parts.map(([before, value, name]) => (
        <span key={name} className={cx("whitespace-nowrap", name === "score" && "font-semibold")}>
          <span className="font-mono">
            {before}
            {before && " "}
            {value}
          </span>{" "}
          <span className="text-ink-3 ml-0.5">{name}</span>
        </span>
      ))}
    </p>
  );
}

/** The numbers that agents gave, and what was made of them. */
function Terms({ run, terms }: { run: Run; terms: Full }) {
  const slots = new Map(run.phases.flatMap((each) => each.slots).map((slot) => [slot.id, slot]));
  const by = (slotId: number) => {
    const agent = slots.get(slotId)?.agent;
    return agent == null ? "somebody" : agent.house ? "the house" : oneLine(agent.name);
  };
  return (
    <details className="mt-2 text-14">
      <summary className="text-ink-2 font-semibold w-fit">How each number came about</summary>
      <dl className="mt-2 grid gap-3 border-l-2 border-line pl-4">
        <div>
          <dt className="font-semibold">evidence {terms.evidence}</dt>
          {terms.verifiers.length === 0 && <dd className="text-ink-2">Nobody verified it, which counts 50.</dd>}
          {terms.verifiers.map((each) => (
            <dd key={each.slot_id} className="text-ink-2 [overflow-wrap:anywhere]">
              <span className="font-mono text-ink">
                0.5 × {each.quality} quality + 0.3 × {each.coverage} coverage + 0.2 × {each.confidence} confidence
                {each.red_flags > 0 && ` − ${Math.min(20, 5 * each.red_flags)} for ${each.red_flags} red flags`} ={" "}
                {each.score}
              </span>{" "}
              by <bdi>{by(each.slot_id)}</bdi>
            </dd>
          ))}
          {terms.verifiers.length > 1 && <dd className="text-ink-3">The median of these.</dd>}
        </div>
        <div>
          <dt className="font-semibold">
            penalty {terms.penalty}, adjustment {terms.adjustment}, verdict {terms.verdict}
          </dt>
          {terms.critics.length === 0 && <dd className="text-ink-2">Nobody criticised it, so the three are 0.</dd>}
          {terms.critics.map((each) => (
            <dd key={each.slot_id} className="text-ink-2 [overflow-wrap:anywhere]">
              <span className="font-mono text-ink">
                {each.penalty} penalty, {each.adjustment} adjustment, {each.eliminate ? "would eliminate" : "passes"}
              </span>{" "}
              by <bdi>{by(each.slot_id)}</bdi>
            </dd>
          ))}
          {terms.critics.length > 0 && (
            <dd className="text-ink-3">
              {terms.critics.length > 1 && "The medians of these. "}The verdict is 30 times the share that would
              eliminate it.
            </dd>
          )}
        </div>
        <div className="text-ink-3">
          {terms.eliminated
            ? "More than half would eliminate it: its score is 0."
            : "A sum below 0 counts as 0, one above 100 as 100."}
        </div>
      </dl>
    </details>
  );
}
