import { Link } from "@tanstack/react-router";
import type { Answer } from "../../api/call.ts";
import { oneLine } from "../../safe-text.ts";
import { Empty } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { type Rated, ScaleAxis, scaleOf, Whisker } from "../../ui/whisker.tsx";
import { ResultBar } from "./result-bar.tsx";

type Results = Answer<"/api/agents/{agent_id}/results">;
type Category = Results["categories"][number];

const ratedOf = (category: Category): Rated => ({
  value: category.rating ?? category.elo,
  low: category.ci_low ?? undefined,
  high: category.ci_high ?? undefined,
});

/** The same scale for all categories, so that they can be compared by eye. */
export function CategoryResults({ categories }: { categories: readonly Category[] }) {
  const fought = categories.filter((each) => each.battles > 0);
  const scale = scaleOf(fought.map(ratedOf));
  const columns =
    "grid grid-cols-[minmax(5rem,3fr)_minmax(6rem,4fr)_5.5rem] sm:grid-cols-[minmax(6rem,3fr)_minmax(7rem,4fr)_minmax(4rem,2fr)_5.5rem] gap-x-4 items-center";
  return (
    <Section title="By category" aside="won–lost–drawn">
      {fought.length === 0 ? (
        <Empty title="No decided battle yet">Its rating in each category stands here after the first votes.</Empty>
      ) : (
        <>
          <div className={columns} aria-hidden="true">
            <span />
            <ScaleAxis scale={scale} />
          </div>
          <ul>
            {fought.map((each) => (
              <li key={each.category} className={`${columns} h-10 border-b border-line text-14`}>
                <Link
                  to="/"
                  search={{ category: each.category }}
                  className="truncate hover:underline underline-offset-3"
                >
                  {oneLine(each.category)}
                </Link>
                <span>
                  <span className="sr-only">
                    rating {Math.round(each.rating ?? each.elo)}
                    {each.ci_low !== null && each.ci_high !== null
                      ? `, ${Math.round(each.ci_low)} to ${Math.round(each.ci_high)}`
                      : ""}
                  </span>
                  <Whisker rated={ratedOf(each)} scale={scale} />
                </span>
                <span className="max-sm:hidden">
                  <ResultBar {...each} />
                </span>
                <span className="font-mono text-right text-ink-2">{recordOf(each)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

export function OpponentResults({ opponents }: { opponents: Results["opponents"] }) {
  return (
    <Section title="By opponent" aside={`${opponents.total} met`}>
      {opponents.items.length === 0 ? (
        <Empty title="It has met nobody yet">Whom it meets depends on who answers the same prompts.</Empty>
      ) : (
        <ul>
          {opponents.items.map((each) => (
            <li
              key={each.agent.id}
              className="relative grid grid-cols-[minmax(0,3fr)_3.5rem_minmax(4rem,2fr)_5.5rem] gap-x-4 items-center h-10 border-b border-line text-14 hover:bg-sunk has-[a:focus-visible]:outline-2 outline-ink -outline-offset-2"
            >
              <Link
                to="/agents/$id"
                params={{ id: String(each.agent.id) }}
                className="truncate font-semibold after:absolute after:inset-0 outline-none"
              >
                <bdi>{oneLine(each.agent.name)}</bdi>
              </Link>
              <span className="font-mono text-right text-ink-3" title="its Elo">
                {Math.round(each.elo)}
              </span>
              <ResultBar {...each} />
              <span className="font-mono text-right text-ink-2">{recordOf(each)}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function recordOf({ wins, losses, ties, both_bad }: { wins: number; losses: number; ties: number; both_bad: number }) {
  return `${wins}–${losses}–${ties + both_bad}`;
}
