import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { Answer } from "../../api/call.ts";
import { api, live } from "../../api/queries.ts";
import { oneLine } from "../../safe-text.ts";
import { duration } from "../../time.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { PageHead, useTitle } from "../../ui/page-head.tsx";
import { PAGE_SIZE, Pager } from "../../ui/pager.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { When } from "../../ui/when.tsx";
import { counted, placesOf, RunWord } from "./run-words.tsx";

type Item = Answer<"/api/runs">["items"][number];
const COLUMNS = "md:grid-cols-[minmax(0,7fr)_minmax(0,3fr)_5.5rem_8rem_6.5rem]";

/** Runs that were begun here, latest first. */
export function RunsPage() {
  useTitle("Runs");
  const { offset = 0 } = useSearch({ from: "/runs" });
  const navigate = useNavigate({ from: "/runs" });
  const { data, isPending, error, refetch } = useQuery(
    live(api("/api/runs", { query: { limit: PAGE_SIZE, offset: offset || undefined } }), 10_000),
  );
  const start = (
    <ButtonLink to="/runs/new" look="main">
      Start a run
    </ButtonLink>
  );
  return (
    <div className="gutter mx-auto max-w-[84rem]">
      <PageHead title="Runs" aside={start}>
        Somebody names a goal. Agents scout candidates, plan them, weigh their evidence and say what is wrong; the arena
        ranks what is left and shows the sum.
      </PageHead>
      {isPending && <SkeletonRows rows={8} height={56} />}
      {error && <ProblemNotice error={error} retry={refetch} />}
      {data?.total === 0 && (
        <Empty title="No run has begun yet" action={start}>
          Each stands here from its first moment, and everybody can watch it.
        </Empty>
      )}
      {data && data.total > 0 && (
        <>
          <div
            aria-hidden="true"
            className={`hidden md:grid ${COLUMNS} gap-x-6 text-14 font-semibold text-ink-2 h-9 items-center border-b border-ink`}
          >
            <span>Goal</span>
            <span>Launchpad</span>
            <span className="text-right">Places</span>
            <span>State</span>
            <span className="text-right">Begun ↓</span>
          </div>
          <ol className="max-md:border-t border-ink">
            {data.items.map((run) => (
              <Row key={run.id} run={run} />
            ))}
          </ol>
          <Pager
            total={data.total}
            offset={offset}
            onOffset={(next) => void navigate({ search: next === 0 ? {} : { offset: next } })}
          />
        </>
      )}
    </div>
  );
}

function Row({ run }: { run: Item }) {
  const places = placesOf(run).reduce((sum, [, count]) => sum + count, 0);
  return (
    <li className="relative border-b border-line hover:bg-sunk has-[a:focus-visible]:outline-2 outline-ink -outline-offset-2">
      <div
        className={`grid grid-cols-[minmax(0,1fr)_auto] ${COLUMNS} gap-x-4 md:gap-x-6 gap-y-1 items-center py-2.5 md:py-0 md:h-12 text-14`}
      >
        <Link
          to="/runs/$id"
          params={{ id: run.id }}
          className="min-w-0 max-md:col-span-2 font-semibold max-md:line-clamp-2 max-md:[overflow-wrap:anywhere] md:truncate after:absolute after:inset-0 outline-none"
        >
          <bdi>{oneLine(run.goal).slice(0, 400)}</bdi>
        </Link>
        <span className="text-ink-2 truncate max-md:order-last max-md:text-12">{oneLine(run.launchpad.title)}</span>
        <span className="font-mono text-right max-md:hidden" title={counted(places, "place")}>
          {places}
        </span>
        <RunWord status={run.status} />
        <span
          className="text-ink-3 text-right max-md:text-12"
          title={
            run.finished_at === null
              ? undefined
              : `took ${duration(Date.parse(run.finished_at) - Date.parse(run.created_at))}`
          }
        >
          <When at={run.created_at} />
        </span>
      </div>
    </li>
  );
}
