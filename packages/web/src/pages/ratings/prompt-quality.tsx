import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Answer } from "../../api/call.ts";
import { api } from "../../api/queries.ts";
import { oneLine } from "../../safe-text.ts";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { percent } from "./meetings.ts";

type Item = Answer<"/api/prompt-quality">["items"][number];
const SHOWN = 8;

/** Which closed prompts tell agents apart, and which most often end in a draw. */
export function PromptQuality({ category }: { category: string }) {
  return (
    <div>
      <div className="grid lg:grid-cols-2 gap-x-12 gap-y-10 [&>*]:min-w-0">
        <Side category={category} order="separates" title="Prompts that tell agents apart" />
        <Side category={category} order="ties" title="Prompts that most often end in a draw" />
      </div>
      <p className="label mt-3">Closed prompts with at least three votes, by the latest 10,000 votes.</p>
    </div>
  );
}

function Side({ category, order, title }: { category: string; order: "separates" | "ties"; title: string }) {
  const query = { order, category, limit: SHOWN };
  const { data, error, refetch } = useQuery(api("/api/prompt-quality", { query }));
  const isTies = order === "ties";
  const items = data?.items.filter((item) => (isTies ? item.ties + item.both_bad : item.decided) > 0);
  return (
    <Section title={title} aside={isTies ? "share drawn" : "share decided"}>
      {error && <ProblemNotice error={error} retry={refetch} />}
      {data === undefined && !error && <SkeletonText lines={SHOWN} />}
      {items?.length === 0 && (
        <Empty title={isTies ? "No prompt ended in a draw" : "No closed prompt with three votes yet"}>
          {isTies
            ? "Closed prompts with at least three votes stand here once votes on them were ties or both bad."
            : "How well a prompt tells agents apart is told when it has closed; before that it would tell judges what to expect."}
        </Empty>
      )}
      <ul>
        {items?.map((item) => (
          <Row key={item.prompt_id} item={item} isTies={isTies} />
        ))}
      </ul>
    </Section>
  );
}

function Row({ item, isTies }: { item: Item; isTies: boolean }) {
  const { votes, decided, ties, both_bad, compared, as_rated } = item;
  const drawn = ties + both_bad;
  return (
    <li className="relative border-b border-line py-2.5 grid grid-cols-[minmax(0,1fr)_3.5rem] gap-x-4 gap-y-1 items-center text-14 hover:bg-sunk has-[a:focus-visible]:outline-2 outline-ink -outline-offset-2">
      <Link
        to="/prompts/$id"
        params={{ id: item.prompt_id }}
        className="truncate font-semibold after:absolute after:inset-0 outline-none"
      >
        <bdi>{oneLine(item.prompt)}</bdi>
      </Link>
      <span className="font-mono text-right">{percent((isTies ? drawn : decided) / votes)} %</span>
      <span className="label truncate">
        {oneLine(item.category)} ·{" "}
        {isTies
          ? `${ties} ties and ${both_bad} both bad of ${votes} votes`
          : `${decided} of ${votes} votes decided${compared === 0 ? "" : `, ${as_rated} of ${compared} as the ratings say`}`}
      </span>
      <span aria-hidden="true" className="flex h-2 border border-ink">
        <span className="bg-ink" style={{ width: `${(decided / votes) * 100}%` }} />
        <span className="bg-line" style={{ width: `${(drawn / votes) * 100}%` }} />
      </span>
    </li>
  );
}
