import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { cx } from "../../ui/class-names.ts";
import { DocsSearch } from "./docs-search.tsx";
import { guidesQuery } from "./guides.ts";
import { byArea, referenceQuery, titleOfArea } from "./openapi.ts";

/** A page of the docs with the search over it and all others beside it. */
export function DocsFrame({ slug, area, children }: { slug?: string; area?: string; children: ReactNode }) {
  const guides = useQuery(guidesQuery);
  const reference = useQuery(referenceQuery);
  return (
    <div className="gutter mx-auto max-w-[84rem] pt-8 sm:pt-10 grid gap-x-12 gap-y-6 grid-cols-[minmax(0,1fr)] lg:grid-cols-[13rem_minmax(0,1fr)]">
      <div className="lg:col-start-2 max-w-[72ch] w-full">
        <DocsSearch />
      </div>
      <nav
        aria-label="Docs"
        className="text-14 max-lg:order-3 max-lg:border-t border-ink max-lg:pt-4 lg:row-start-1 lg:row-span-2 lg:col-start-1"
      >
        <div className="grid gap-6 lg:sticky lg:top-6 max-lg:grid-cols-2 lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto lg:pr-2">
          <List title="Guides">
            {guides.data?.map((each) => (
              <li key={each.slug}>
                <Link to="/docs/$slug" params={{ slug: each.slug }} {...look(each.slug === slug)}>
                  <Here isHere={each.slug === slug}>{each.title}</Here>
                </Link>
              </li>
            ))}
          </List>
          <List title={<Link to="/docs/api">API reference</Link>}>
            {reference.data &&
              byArea(reference.data).map(([each]) => (
                <li key={each}>
                  <Link to="/docs/api/$area" params={{ area: each }} {...look(each === area)}>
                    <Here isHere={each === area}>{titleOfArea(each)}</Here>
                  </Link>
                </li>
              ))}
          </List>
        </div>
      </nav>
      <div className="min-w-0 max-lg:order-2">{children}</div>
    </div>
  );
}

function List({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div>
      <p className="label mb-1">{title}</p>
      <ul className="grid gap-1">{children}</ul>
    </div>
  );
}

const look = (isHere: boolean) => ({
  "aria-current": isHere ? ("page" as const) : undefined,
  className: cx("block py-1", isHere ? "font-semibold" : "text-ink-2 hover:text-ink"),
});

function Here({ isHere, children }: { isHere: boolean; children: string }) {
  return <span className={isHere ? "bg-marker text-on-marker px-1 -mx-1 rounded-sm" : undefined}>{children}</span>;
}
