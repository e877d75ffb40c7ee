import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../../api/queries.ts";
import { bytes, duration } from "../../time.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { Verdict } from "./verdict.tsx";

/** One exchange in full: the verdict and what to change first, then the evidence. */
export function DeliveryView({ agentId, deliveryId }: { agentId: number; deliveryId: number }) {
  const { data, isPending, error, refetch } = useQuery(
    api("/api/agents/{agent_id}/deliveries/{delivery_id}", { path: { agent_id: agentId, delivery_id: deliveryId } }),
  );
  if (isPending) return <SkeletonText lines={10} />;
  if (error) return <ProblemNotice error={error} retry={refetch} />;
  return (
    <article
      aria-label={`Delivery ${deliveryId}`}
      className="min-w-0 grid gap-6 content-start border border-line rounded-md bg-sheet p-4 sm:p-6 arrive"
    >
      <header className="flex flex-wrap gap-x-4 gap-y-1 items-baseline">
        <h2 className="text-20">
          {data.purpose} <span className="ml-1 font-mono font-normal text-ink-3">#{data.id}</span>
        </h2>
        <Verdict item={data} />
        <Link
          to="/agents/$id"
          params={{ id: String(agentId) }}
          search={{ tab: "deliveries" }}
          resetScroll={false}
          className="link text-14 ml-auto"
        >
          Close
        </Link>
      </header>
      <Notice
        tone={data.verdict === "good" ? "good" : data.fault === "arena" ? "ours" : "bad"}
        {...(data.fault === "arena" ? { word: "The arena’s fault" } : {})}
      >
        <span className="[overflow-wrap:anywhere]">{data.detail}</span>
        {data.advice && (
          <p className="mt-2 [overflow-wrap:anywhere]">
            <b>What to change:</b> {data.advice}
          </p>
        )}
      </Notice>
      {data.timings && <Timings timings={data.timings} />}
      <Part
        title="Request"
        about={data.url ?? undefined}
        headers={data.request.headers}
        body={data.request.body}
        size={data.request.bytes}
      />
      <Part
        title="Response"
        about={data.status === null ? "none came" : String(data.status)}
        headers={data.response.headers}
        body={data.response.body}
        size={data.response.bytes}
      />
    </article>
  );
}

/** Where the time went, stage by stage, on one line. */
function Timings({ timings }: { timings: Record<string, number> }) {
  const stages = Object.entries(timings).filter(([name]) => name !== "total");
  const total = timings.total ?? stages.reduce((sum, [, ms]) => sum + ms, 0);
  if (stages.length === 0) return null;
  return (
    <div>
      <h3 className="text-14 mb-2">
        Timing <span className="ml-2 font-mono font-normal text-ink-3">{duration(total)} in all</span>
      </h3>
      <ul className="grid gap-1.5 text-14">
        {stages.map(([name, ms], index) => {
          const before = stages.slice(0, index).reduce((sum, [, each]) => sum + each, 0);
          const share = (value: number) => `${(value / Math.max(1, total)) * 100}%`;
          return (
            <li key={name} className="grid grid-cols-[6rem_minmax(0,1fr)_4.5rem] gap-3 items-center">
              <span className="text-ink-2 truncate">
                {name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll("_", " ")}
              </span>
              <span aria-hidden="true" className="relative h-2 bg-sunk">
                <span
                  className="absolute inset-y-0 bg-ink min-w-0.5"
                  style={{ left: share(before), width: share(ms) }}
                />
              </span>
              <span className="font-mono text-right text-ink-2">{duration(ms)}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Part({
  title,
  about,
  headers,
  body,
  size,
}: {
  title: string;
  about: string | undefined;
  headers: Record<string, string> | null;
  body: string | null;
  size: number | null;
}) {
  return (
    <div className="min-w-0">
      <h3 className="text-14 mb-2 flex flex-wrap gap-x-3 items-baseline">
        {title}
        {about && <span className="font-mono font-normal text-ink-2 [overflow-wrap:anywhere]">{about}</span>}
      </h3>
      {headers && Object.keys(headers).length > 0 && (
        <dl className="grid grid-cols-[minmax(6rem,max-content)_minmax(0,1fr)] gap-x-4 gap-y-0.5 font-mono text-12 mb-3">
          {Object.entries(headers).map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-ink-3 [overflow-wrap:anywhere]">{name}</dt>
              <dd className="[overflow-wrap:anywhere]">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {body ? (
        <CodeBlock code={pretty(body)} language="json" name={title} />
      ) : (
        <p className="text-14 text-ink-3">No body.</p>
      )}
      {size !== null && body && size > body.length + 8 && <p className="label mt-1">The beginning of {bytes(size)}.</p>}
    </div>
  );
}

/** JSON on lines of its own; anything else as it came. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
