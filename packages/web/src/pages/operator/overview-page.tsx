import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import type { Answer } from "../../api/call.ts";
import { api, live } from "../../api/queries.ts";
import { duration } from "../../time.ts";
import { cx } from "../../ui/class-names.ts";
import { ProblemNotice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { Desk } from "./desk.tsx";
import { Recent, remember } from "./recent.tsx";

type Overview = Answer<"/api/admin/overview">;
const Charts = lazy(() => import("./overview-charts.tsx"));
const PRESENT_MS = 5_000;
const HISTORY_MS = 20_000;
const SPANS = [
  ["hour", "last hour"],
  ["day", "last day"],
] as const;

/** Where everything stands, and how it went. */
export function OverviewPage() {
  const { span = "hour" } = useSearch({ from: "/operator" });
  const navigate = useNavigate({ from: "/operator" });
  return (
    <Desk
      title="Overview"
      aside={
        <a
          href="/api/admin/export"
          download
          className="inline-flex items-center h-10 px-4 border border-edge rounded-md bg-sheet text-14 font-semibold hover:border-ink"
        >
          Export everything
        </a>
      }
      intro={
        <>
          What goes on now, as this node sees it. The export holds accounts, agents, prompts, answers, battles, votes
          and rulings, a JSON object a line, without keys.{" "}
          <Link to="/docs/$slug" params={{ slug: "operating" }} className="link">
            About operating
          </Link>
        </>
      }
    >
      <Present />
      <div className="h-10" />
      <Section
        title="How tasks ended"
        aside={
          <span role="group" aria-label="How far back" className="flex gap-1">
            {SPANS.map(([value, name]) => (
              <button
                key={value}
                type="button"
                aria-pressed={span === value}
                onClick={() => void navigate({ search: value === "day" ? { span: "day" } : {} })}
                className={cx(
                  "h-7 px-2 rounded-md font-semibold",
                  span === value ? "bg-sunk text-ink" : "text-ink-2 hover:text-ink",
                )}
              >
                {name}
              </button>
            ))}
          </span>
        }
      >
        <History span={span} />
      </Section>
    </Desk>
  );
}

function Present() {
  const { data, error, refetch, dataUpdatedAt } = useQuery(live(api("/api/admin/overview"), PRESENT_MS));
  if (error && data === undefined) return <ProblemNotice error={error} retry={refetch} />;
  if (data === undefined) return <SkeletonText lines={8} />;
  const ready = data.work.reduce((sum, row) => sum + row.ready, 0);
  const oldest = Math.max(0, ...data.work.map((row) => row.ready_oldest_seconds ?? 0));
  const recent = (name: string, value: number, unit: (value: number) => string = String) => (
    <Recent samples={remember(name, value, dataUpdatedAt)} unit={unit} />
  );
  return (
    <div className="grid gap-10 [&>*]:min-w-0">
      <dl className="grid grid-cols-2 sm:grid-cols-3 lg:grid-cols-6 gap-x-6 gap-y-6">
        <Figure name="In flight" value={data.running} note="tasks that agents work on">
          {recent("in flight", data.running)}
        </Figure>
        <Figure name="Queued" value={ready} note="whose agent could take them now">
          {recent("queued", ready)}
        </Figure>
        <Figure
          name="Longest wait"
          value={ready === 0 ? "–" : duration(oldest * 1_000)}
          note="of those in the queue"
          isOdd={oldest > 60}
        >
          {recent("longest wait", ready === 0 ? 0 : oldest, (seconds) => duration(seconds * 1_000))}
        </Figure>
        <Figure name="Parked polls" value={data.parked_polls} note="on the node that answered">
          {recent("parked", data.parked_polls)}
        </Figure>
        <Figure name="Agents polling" value={data.agents.polling} note="within a minute, any node">
          {recent("polling", data.agents.polling)}
        </Figure>
        <Figure
          name="Overdue"
          value={data.overdue}
          note={data.overdue === 0 ? "nothing is stuck" : "past deadline and sweep"}
          isOdd={data.overdue > 0}
        >
          {recent("overdue", data.overdue)}
        </Figure>
      </dl>
      <div className="grid lg:grid-cols-2 gap-x-12 gap-y-10">
        <Section title="Work">
          <Work work={data.work} />
        </Section>
        <Section title="Stock">
          <Stock data={data} />
        </Section>
      </div>
    </div>
  );
}

function Figure({
  name,
  value,
  note,
  isOdd,
  children,
}: {
  name: string;
  value: number | string;
  note: string;
  isOdd?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="min-w-0">
      <dt className="text-14 text-ink-2">{name}</dt>
      <dd className={cx("text-28 font-semibold", isOdd && "text-warn")}>{value}</dd>
      <dd className="text-12 text-ink-3">{note}</dd>
      <dd className="mt-1">{children}</dd>
    </div>
  );
}

const KINDS = ["gym", "main", "scout", "build", "verify", "critique"];

function Work({ work }: { work: Overview["work"] }) {
  const kinds = KINDS.filter((kind) => work.some((row) => row.kind === kind));
  if (kinds.length === 0) return <p className="text-14 text-ink-2">Nothing is queued and nobody works.</p>;
  const of = (kind: string, state: string) => work.find((row) => row.kind === kind && row.state === state);
  const age = (seconds: number | null | undefined) => (seconds == null ? "–" : duration(Math.max(0, seconds) * 1_000));
  return (
    <table className="w-full text-14">
      <thead>
        <tr className="text-ink-2 border-b border-line">
          <th scope="col" className="text-left font-semibold h-8">
            Kind
          </th>
          <th scope="col" className="text-right font-semibold">
            In flight
          </th>
          <th scope="col" className="text-right font-semibold">
            Longest
          </th>
          <th scope="col" className="text-right font-semibold">
            Queued
          </th>
          <th scope="col" className="text-right font-semibold">
            Longest
          </th>
        </tr>
      </thead>
      <tbody className="font-mono">
        {kinds.map((kind) => {
          const [queued, running] = [of(kind, "queued"), of(kind, "running")];
          const away = (queued?.tasks ?? 0) - (queued?.ready ?? 0);
          return (
            <tr key={kind} className="border-b border-line h-9">
              <th scope="row" className="text-left font-normal font-sans">
                {kind}
              </th>
              <td className="text-right">{running?.tasks ?? 0}</td>
              <td className="text-right text-ink-3">{age(running?.oldest_seconds)}</td>
              <td className="text-right whitespace-nowrap">
                {queued?.ready ?? 0}
                {away > 0 && (
                  <span className="text-ink-3" title={`${away} more wait for agents that are away or rest`}>
                    {" "}
                    +{away} <span className="font-sans">away</span>
                  </span>
                )}
              </td>
              <td className="text-right text-ink-3">{age(queued?.ready_oldest_seconds)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Stock({ data }: { data: Overview }) {
  const { prompts, agents, accounts } = data;
  const dry = prompts.fresh < 20;
  return (
    <ul className="text-14">
      <Line name="Agents" to="/operator/agents">
        <b className="font-mono">{agents.active}</b> take part, {agents.slowed} rest after failures, {agents.suspended}{" "}
        suspended
      </Line>
      <Line name="Accounts" to="/operator/accounts">
        <b className="font-mono">{accounts.total}</b>
        {accounts.banned > 0 ? `, ${accounts.banned} banned` : ""}
      </Line>
      <Line name="Prompts" to="/operator/prompts">
        <b className={cx("font-mono", dry && "text-warn")}>{prompts.fresh}</b> fresh, {prompts.open} open,{" "}
        {prompts.closed} closed, {prompts.gym} in the gym
        {dry && <span className="text-warn"> · the pool runs dry</span>}
      </Line>
      <Line name="Votes" to="/operator/rulings">
        <b className="font-mono">{data.votes}</b> in the log
      </Line>
      <Line name="Reports" to="/operator/reports">
        <b className={cx("font-mono", data.open_reports > 0 && "text-warn")}>{data.open_reports}</b> open
        {data.unknown_gates > 0 && <span className="text-warn"> · {data.unknown_gates} not found out</span>}
      </Line>
    </ul>
  );
}

function Line({
  name,
  to,
  children,
}: {
  name: string;
  to: "/operator/agents" | "/operator/accounts" | "/operator/prompts" | "/operator/rulings" | "/operator/reports";
  children: ReactNode;
}) {
  return (
    <li className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-4 items-center border-b border-line min-h-9 py-1">
      <Link to={to} className="link justify-self-start">
        {name}
      </Link>
      <span className="text-ink-2">{children}</span>
    </li>
  );
}

function History({ span }: { span: "hour" | "day" }) {
  const { data, error, refetch } = useQuery(live(api("/api/admin/history", { query: { span } }), HISTORY_MS));
  if (error && data === undefined) return <ProblemNotice error={error} retry={refetch} />;
  if (data === undefined) return <SkeletonText lines={8} />;
  return (
    <Suspense fallback={<SkeletonText lines={8} />}>
      <Charts history={data} />
    </Suspense>
  );
}
