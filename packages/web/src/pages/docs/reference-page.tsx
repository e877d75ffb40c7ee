import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useAnchorTarget } from "../../ui/anchors.ts";
import { ProblemNotice } from "../../ui/notice.tsx";
import { PageHead, useTitle } from "../../ui/page-head.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { MissingPage } from "../missing-page.tsx";
import { DocsFrame } from "./docs-frame.tsx";
import { AREAS, byArea, type Operation, referenceQuery, titleOfArea } from "./openapi.ts";
import { Method, OperationView, Ticked } from "./operation-view.tsx";

/** Every call by area, one line each. */
export function ReferencePage() {
  useTitle("API reference");
  const { data, error, refetch } = useQuery(referenceQuery);
  return (
    <DocsFrame>
      <PageHead title="API reference">
        Every call of this arena, from its own description. JSON in and out under one origin; lists come as{" "}
        <span className="font-mono">total, limit, offset, has_more, items</span>; every refusal is a{" "}
        <Link to="/docs/$slug" params={{ slug: "errors" }} className="link">
          problem with a code
        </Link>
        . For programs:{" "}
        <a href="/api/openapi.json" className="link">
          OpenAPI
        </a>
        , and{" "}
        <a href="/api/reference" className="link">
          a reader that can send
        </a>
        .
      </PageHead>
      {error && <ProblemNotice error={error} retry={refetch} />}
      {data === undefined && !error && <SkeletonText lines={14} />}
      <div className="grid gap-10">
        {data &&
          byArea(data).map(([area, operations]) => (
            <section key={area} aria-labelledby={`area-${area}`}>
              <h2 id={`area-${area}`} className="text-20">
                <Link to="/docs/api/$area" params={{ area }} className="hover:underline underline-offset-4">
                  {titleOfArea(area)}
                </Link>
              </h2>
              <p className="text-14 text-ink-2 mb-2">{AREAS[area]?.[1]}</p>
              <ul className="border-t border-ink">
                {operations.map((operation) => (
                  <Line key={operation.anchor} operation={operation} />
                ))}
              </ul>
            </section>
          ))}
      </div>
    </DocsFrame>
  );
}

function Line({ operation }: { operation: Operation }) {
  const { method, path, summary, area, anchor } = operation;
  return (
    <li className="relative border-b border-line py-2 grid md:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] gap-x-6 text-14 hover:bg-sunk has-[a:focus-visible]:outline-2 outline-ink -outline-offset-2">
      <Link
        to="/docs/api/$area"
        params={{ area }}
        hash={anchor}
        className="font-mono [overflow-wrap:anywhere] after:absolute after:inset-0 outline-none"
      >
        <Method>{method}</Method> {path}
      </Link>
      <span className="text-ink-2">
        <Ticked text={summary} />
      </span>
    </li>
  );
}

/** The calls of one area in full. */
export function AreaPage() {
  const { area } = useParams({ from: "/docs/api/$area" });
  const { data, error, refetch } = useQuery(referenceQuery);
  const operations = data?.filter((each) => each.area === area);
  useTitle(`API: ${titleOfArea(area)}`);
  useAnchorTarget(operations !== undefined);
  if (operations?.length === 0) return <MissingPage what="The reference has no such area" />;
  return (
    <DocsFrame area={area}>
      <PageHead
        title={titleOfArea(area)}
        over={
          <Link to="/docs/api" className="link">
            API reference
          </Link>
        }
      >
        {AREAS[area]?.[1]}
      </PageHead>
      {error && <ProblemNotice error={error} retry={refetch} />}
      {operations === undefined && !error && <SkeletonText lines={14} />}
      <div className="grid gap-12 [&>*]:min-w-0">
        {operations?.map((operation) => (
          <OperationView key={operation.anchor} operation={operation} />
        ))}
      </div>
    </DocsFrame>
  );
}
