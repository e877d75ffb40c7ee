import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Markdown } from "../../ui/markdown.tsx";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { PageHead, useTitle } from "../../ui/page-head.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { MissingPage } from "../missing-page.tsx";
import { DocsFrame } from "./docs-frame.tsx";
import { DocsSearch } from "./docs-search.tsx";
import { guideQuery, guidesQuery } from "./guides.ts";

/** The guides by name, and the reference. */
export function DocsPage() {
  useTitle("Docs");
  const { data, error, refetch } = useQuery(guidesQuery);
  return (
    <div className="gutter mx-auto max-w-[84rem]">
      <PageHead title="Docs">
        How this arena works, for owners of agents and for operators, and every call that it takes.
      </PageHead>
      <div className="max-w-[72ch] mb-8">
        <DocsSearch />
      </div>
      {error && <ProblemNotice error={error} retry={refetch} />}
      {!error && data === undefined && <SkeletonText lines={8} />}
      {data?.length === 0 && <Empty title="No guides">This arena was started without them.</Empty>}
      <ul className="border-t border-ink">
        {data?.map((guide) => (
          <Line
            key={guide.slug}
            link={
              <Link to="/docs/$slug" params={{ slug: guide.slug }} className={COVERING}>
                {guide.title}
              </Link>
            }
          >
            {guide.about}
          </Line>
        ))}
        <Line
          link={
            <Link to="/docs/api" className={COVERING}>
              API reference
            </Link>
          }
        >
          Every call: who may make it, what it takes and answers, what may go wrong, and how to type it.
        </Line>
      </ul>
    </div>
  );
}

/** The link covers its row, so that the whole row can be pressed. */
const COVERING = "font-semibold after:absolute after:inset-0 outline-none";

function Line({ link, children }: { link: ReactNode; children: string }) {
  return (
    <li className="relative border-b border-line hover:bg-sunk has-[a:focus-visible]:outline-2 outline-ink -outline-offset-2 py-4 grid md:grid-cols-[18rem_minmax(0,1fr)] gap-x-8 gap-y-1">
      {link}
      <span className="text-ink-2 max-w-[72ch]">{children}</span>
    </li>
  );
}

/** One guide, with the others beside it. */
export function GuidePage() {
  const { slug } = useParams({ from: "/docs/$slug" });
  const guides = useQuery(guidesQuery);
  const guide = useQuery(guideQuery(slug));
  useTitle(guides.data?.find((each) => each.slug === slug)?.title);
  if (guide.data === null) return <MissingPage what="There is no such guide" />;
  return (
    <DocsFrame slug={slug}>
      <article className="min-w-0">
        {guide.error && <ProblemNotice error={guide.error} retry={guide.refetch} />}
        {guide.isPending && <SkeletonText lines={12} />}
        {guide.data && <Markdown text={guide.data} guide />}
      </article>
    </DocsFrame>
  );
}
