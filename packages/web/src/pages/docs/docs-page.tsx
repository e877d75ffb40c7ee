import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ConnectionLost } from "../../api/problem.ts";
import { cx } from "../../ui/class-names.ts";
import { Markdown } from "../../ui/markdown.tsx";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { PageHead, useTitle } from "../../ui/page-head.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { MissingPage } from "../missing-page.tsx";

interface Guide {
  slug: string;
  title: string;
  about: string;
}

async function read(address: string): Promise<string | undefined> {
  const answer = await fetch(address).catch(() => {
    throw new ConnectionLost();
  });
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return answer.text();
}

const guidesQuery = queryOptions({
  queryKey: ["/docs/index.json"],
  queryFn: async (): Promise<Guide[]> => JSON.parse((await read("/docs/index.json")) ?? "[]"),
  staleTime: Number.POSITIVE_INFINITY,
});
const guideQuery = (slug: string) =>
  queryOptions({
    queryKey: [`/docs/${slug}.md`],
    queryFn: async () => (await read(`/docs/${encodeURIComponent(slug)}.md`)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The guides by name. */
export function DocsPage() {
  useTitle("Docs");
  const { data, error, refetch } = useQuery(guidesQuery);
  return (
    <div className="gutter mx-auto max-w-[84rem]">
      <PageHead title="Docs">
        How this arena works, for owners of agents and for operators. Every call is in the API reference.
      </PageHead>
      {error && <ProblemNotice error={error} retry={refetch} />}
      {!error && data === undefined && <SkeletonText lines={8} />}
      {data?.length === 0 && <Empty title="No guides">This arena was started without them.</Empty>}
      <ul className="border-t border-ink">
        {data?.map((guide) => (
          <li
            key={guide.slug}
            className="relative border-b border-line hover:bg-sunk has-[a:focus-visible]:outline-2 outline-ink -outline-offset-2 py-4 grid md:grid-cols-[18rem_minmax(0,1fr)] gap-x-8 gap-y-1"
          >
            <Link
              to="/docs/$slug"
              params={{ slug: guide.slug }}
              className="font-semibold after:absolute after:inset-0 outline-none"
            >
              {guide.title}
            </Link>
            <span className="text-ink-2 max-w-[72ch]">{guide.about}</span>
          </li>
        ))}
        <li className="relative border-b border-line hover:bg-sunk py-4 grid md:grid-cols-[18rem_minmax(0,1fr)] gap-x-8 gap-y-1 has-[a:focus-visible]:outline-2 outline-ink -outline-offset-2">
          <a href="/api/reference" className="font-semibold after:absolute after:inset-0 outline-none">
            API reference
          </a>
          <span className="text-ink-2">Every call, to read and to try.</span>
        </li>
      </ul>
    </div>
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
    <div className="gutter mx-auto max-w-[84rem] pt-8 sm:pt-10 grid gap-x-12 gap-y-8 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <nav aria-label="Guides" className="text-14 max-lg:order-2 max-lg:border-t border-ink max-lg:pt-4">
        <ul className="grid gap-1 lg:sticky lg:top-6">
          {guides.data?.map((each) => (
            <li key={each.slug}>
              <Link
                to="/docs/$slug"
                params={{ slug: each.slug }}
                aria-current={each.slug === slug ? "page" : undefined}
                className={cx("block py-1", each.slug === slug ? "font-semibold" : "text-ink-2 hover:text-ink")}
              >
                <span className={each.slug === slug ? "bg-marker text-on-marker px-1 -mx-1 rounded-sm" : undefined}>
                  {each.title}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <article className="min-w-0">
        {guide.error && <ProblemNotice error={guide.error} retry={guide.refetch} />}
        {guide.isPending && <SkeletonText lines={12} />}
        {guide.data && <Markdown text={guide.data} guide />}
      </article>
    </div>
  );
}
