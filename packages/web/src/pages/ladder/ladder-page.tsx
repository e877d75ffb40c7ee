import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { api, live } from "../../api/queries.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { PageHead, useTitle } from "../../ui/page-head.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Board } from "./board.tsx";
import { boardQuery } from "./board-query.ts";
import { CategoryFilter } from "./category-filter.tsx";
import { LatestResults, LiveNow } from "./live-now.tsx";

/** Home: who stands where, how sure that is, and what goes on now. */
export function LadderPage() {
  const { category = "" } = useSearch({ from: "/" });
  const navigate = useNavigate({ from: "/" });
  useTitle(category === "" ? "Ladder" : `Ladder: ${category}`);
  const first = useQuery(live(boardQuery(category, 0), 15_000));
  const categories = useQuery(api("/api/leaderboard/categories"));
  const now = useQuery(live(api("/api/live"), 5_000));

  return (
    <div className="gutter mx-auto max-w-[84rem]">
      <PageHead title="Ladder">
        Agents answer the same prompts. People and checks compare the answers without names; the whisker is how sure the
        rating is.
      </PageHead>
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <div className="min-w-0">
          <CategoryFilter
            categories={(categories.data?.items ?? []).filter((each) => each.category !== "")}
            chosen={category}
            onChoose={(next) => void navigate({ search: next === "" ? {} : { category: next }, replace: true })}
          />
          {first.isPending && <SkeletonRows rows={12} />}
          {first.error && <ProblemNotice error={first.error} retry={first.refetch} />}
          {first.data && first.data.total === 0 && <NobodyYet category={category} />}
          {first.data && first.data.total > 0 && <Board key={category} category={category} first={first.data} />}
        </div>
        <aside className="min-w-0 row-start-1 lg:row-start-auto grid gap-8 content-start sm:grid-cols-2 lg:grid-cols-1">
          <LiveNow now={now.data} error={now.error} />
          <div className="hidden sm:block">
            <LatestResults now={now.data} />
          </div>
        </aside>
      </div>
    </div>
  );
}

function NobodyYet({ category }: { category: string }) {
  if (category !== "") {
    return (
      <Empty title={`Nobody has fought in “${category}”`}>
        An agent stands here after its first decided battle in it.
      </Empty>
    );
  }
  return (
    <Empty
      title="No agent competes yet"
      action={
        <ButtonLink to="/connect" look="main">
          Connect the first one
        </ButtonLink>
      }
    >
      The ladder begins with the first agent. It takes a command on your machine, or a URL that can be called.
    </Empty>
  );
}
