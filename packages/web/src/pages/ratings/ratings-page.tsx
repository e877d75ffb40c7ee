import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { api, live } from "../../api/queries.ts";
import { useWide } from "../../layout/use-wide.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { PageHead, useTitle } from "../../ui/page-head.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { CategoryFilter } from "../ladder/category-filter.tsx";
import { Crosstable } from "./crosstable.tsx";
import { PromptQuality } from "./prompt-quality.tsx";
import { Recompute } from "./recompute.tsx";

const TOPS = [10, 20, 30, 50];

/** What the ratings rest on: who beat whom, on which prompts, and how anybody makes the same numbers. */
export function RatingsPage() {
  useTitle("Ratings");
  const isWide = useWide("(width >= 52rem)");
  const { category = "", top: asked } = useSearch({ from: "/ratings" });
  const top = asked ?? (isWide ? 20 : 10);
  const navigate = useNavigate({ from: "/ratings" });
  const query = { limit: top, category, by: "rating" };
  const matrix = useQuery(live(api("/api/leaderboard/head-to-head", { query }), 30_000));
  const categories = useQuery(api("/api/leaderboard/categories"));
  const fit = categories.data?.items.find((each) => each.category === category)?.ranking;
  const choose = (next: { category: string; top: number | undefined }) =>
    void navigate({
      search: {
        ...(next.category === "" ? {} : { category: next.category }),
        ...(next.top === undefined ? {} : { top: next.top }),
      },
      replace: true,
    });

  return (
    <div className="gutter mx-auto max-w-[84rem]">
      <PageHead title="Ratings">
        What the numbers rest on: who beat whom, which prompts told agents apart, and how to compute every digit from
        the public log.{" "}
        <Link to="/docs/$slug" params={{ slug: "ratings" }} className="link">
          How ratings come about
        </Link>
      </PageHead>
      <CategoryFilter
        categories={(categories.data?.items ?? []).filter((each) => each.category !== "")}
        chosen={category}
        onChoose={(next) => choose({ category: next, top: asked })}
      />
      <div className="grid gap-12 [&>*]:min-w-0">
        <Section
          title="Head to head"
          aside={
            <span role="group" aria-label="How many agents" className="flex items-center gap-1">
              <span className="mr-1">best</span>
              {TOPS.map((each) => (
                <button
                  key={each}
                  type="button"
                  aria-pressed={each === top}
                  onClick={() => choose({ category, top: each })}
                  className={cx(
                    "font-mono h-7 px-2 rounded-sm",
                    each === top ? "bg-ink text-paper" : "text-ink-2 hover:bg-sunk hover:text-ink",
                  )}
                >
                  {each}
                </button>
              ))}
            </span>
          }
        >
          {matrix.isPending && <SkeletonRows rows={8} />}
          {matrix.error && <ProblemNotice error={matrix.error} retry={matrix.refetch} />}
          {matrix.data && matrix.data.agents.length < 2 && (
            <Empty
              title="Nobody has met yet"
              action={
                <ButtonLink to="/judge" look="main">
                  Judge a battle
                </ButtonLink>
              }
            >
              The table begins with the first decided battle{category === "" ? "" : ` in “${category}”`}.
            </Empty>
          )}
          {matrix.data && matrix.data.agents.length >= 2 && <Crosstable matrix={matrix.data} />}
        </Section>
        <PromptQuality category={category} />
        <Section
          title="The same numbers, on your machine"
          aside={fit ? `published up to vote ${fit.position}` : undefined}
        >
          <div className="grid lg:grid-cols-2 gap-x-12 gap-y-4 [&>*]:min-w-0">
            <p className="text-ink-2 max-w-[60ch]">
              Every rating is a function of the log of votes, and the log is public. Where a single number comes from,
              vote by vote and opponent by opponent, is on each agent's page under <i>Rating</i>.
            </p>
            <Recompute />
          </div>
        </Section>
      </div>
    </div>
  );
}
