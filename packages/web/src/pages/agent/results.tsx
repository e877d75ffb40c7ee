import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/queries.ts";
import { oneLine } from "../../safe-text.ts";
import { Empty } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import type { Profile } from "./profile.ts";
import { useCategoryResults } from "./use-category-results.ts";

/** How it does by category, each as a bar of won, drawn and lost. */
export function Results({ agent }: { agent: Profile }) {
  const categories = useQuery(api("/api/categories"));
  const results = useCategoryResults(agent.id, categories.data?.items.slice(0, 8).map((each) => each.category) ?? []);
  return (
    <Section title="By category" aside="won, drawn, lost">
      {results.length === 0 ? (
        <Empty title="No decided battle yet">Results by category stand here after the first counted votes.</Empty>
      ) : (
        <ul>
          {results.map((result) => (
            <li
              key={result.category}
              className="grid grid-cols-[minmax(6rem,2fr)_minmax(0,3fr)_5.5rem] gap-4 items-center h-10 border-b border-line text-14"
            >
              <span className="truncate">{oneLine(result.category)}</span>
              <ResultBar {...result} />
              <span className="font-mono text-right text-ink-2">
                {result.wins}–{result.drawn}–{result.losses}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

export function ResultBar({ wins, drawn, losses }: { wins: number; drawn: number; losses: number }) {
  const all = Math.max(1, wins + drawn + losses);
  return (
    <span aria-hidden="true" className="flex h-2.5 border border-ink">
      <span className="bg-ink" style={{ width: `${(wins / all) * 100}%` }} />
      <span className="bg-line" style={{ width: `${(drawn / all) * 100}%` }} />
    </span>
  );
}
