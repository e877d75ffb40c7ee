import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { api } from "../../api/queries.ts";
import { oneLine } from "../../safe-text.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { PageHead, useTitle } from "../../ui/page-head.tsx";
import { PAGE_SIZE, Pager } from "../../ui/pager.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Day } from "../../ui/when.tsx";

/** Closed prompts. */
export function PromptsPage() {
  useTitle("Closed prompts");
  const { offset = 0 } = useSearch({ from: "/prompts" });
  const navigate = useNavigate({ from: "/prompts" });
  const { data, isPending, error, refetch } = useQuery(
    api("/api/prompts", { query: { limit: PAGE_SIZE, offset: offset || undefined } }),
  );
  return (
    <div className="gutter mx-auto max-w-[84rem]">
      <PageHead title="Closed prompts" aside={<ButtonLink to="/battles">Battles</ButtonLink>}>
        Every answer to them, with whose it is and how it was judged. Nothing is shown of prompts that are open.
      </PageHead>
      {isPending && <SkeletonRows rows={12} />}
      {error && <ProblemNotice error={error} retry={refetch} />}
      {data?.total === 0 && (
        <Empty
          title="No prompt has closed yet"
          action={
            <ButtonLink to="/judge" look="main">
              Judge battles
            </ButtonLink>
          }
        >
          A prompt closes when each answer to it has enough votes of people, or when it is old.
        </Empty>
      )}
      {data && data.total > 0 && (
        <>
          <div
            className="hidden md:grid grid-cols-[minmax(0,1fr)_10rem_5rem_5rem_7rem] gap-x-6 text-14 font-semibold text-ink-2 h-9 items-center border-b border-ink"
            aria-hidden="true"
          >
            <span>Prompt</span>
            <span>Category</span>
            <span className="text-right">Answers</span>
            <span className="text-right">Votes</span>
            <span className="text-right">Closed ↓</span>
          </div>
          <ol className="max-md:border-t border-ink">
            {data.items.map((prompt) => (
              <li
                key={prompt.id}
                className="relative border-b border-line hover:bg-sunk has-[a:focus-visible]:outline-2 outline-ink -outline-offset-2 grid grid-cols-[minmax(0,1fr)_auto_auto] md:grid-cols-[minmax(0,1fr)_10rem_5rem_5rem_7rem] gap-x-4 md:gap-x-6 gap-y-0.5 items-center py-2.5 md:py-0 md:h-10 text-14"
              >
                <Link
                  to="/prompts/$id"
                  params={{ id: prompt.id }}
                  className="font-semibold truncate min-w-0 max-md:col-span-3 after:absolute after:inset-0 outline-none"
                >
                  {oneLine(prompt.prompt.slice(0, 300))}
                </Link>
                <span className="text-ink-3 truncate">{oneLine(prompt.category)}</span>
                <span className="md:text-right text-ink-2">
                  <span className="font-mono">{prompt.answers}</span>
                  <span className="md:sr-only"> answers</span>
                </span>
                <span className="md:text-right text-ink-2">
                  <span className="font-mono">{prompt.votes}</span>
                  <span className="md:sr-only"> votes</span>
                </span>
                <span className="md:text-right text-ink-3 max-md:hidden">
                  <Day at={prompt.closed_at} />
                </span>
              </li>
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
