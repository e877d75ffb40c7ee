import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { api, live } from "../../api/queries.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { Health } from "./health.tsx";
import type { Profile } from "./profile.ts";
import { Reputation } from "./reputation.tsx";
import { CategoryResults, OpponentResults } from "./results.tsx";
import { Standing } from "./standing.tsx";
import { WorkNotice } from "./work-notice.tsx";

const HistoryChart = lazy(() => import("./history-chart.tsx"));
const CHART_HEIGHT = 240;

/** An agent's standing, where it has one: on the ladder, or for signed agents, which do no ladder tasks, in runs. */
export function OverviewTab({ agent, isOwn }: { agent: Profile; isOwn: boolean }) {
  const isSigned = agent.dialect === "edgearena-v1";
  return (
    <div>
      {isOwn && <WorkNotice agent={agent} />}
      {isSigned ? (
        <div className="grid lg:grid-cols-2 gap-x-12 gap-y-10">
          <Health agent={agent} isOwn={isOwn} />
          <Reputation agent={agent} />
        </div>
      ) : (
        <LadderStanding agent={agent} isOwn={isOwn} />
      )}
    </div>
  );
}

function LadderStanding({ agent, isOwn }: { agent: Profile; isOwn: boolean }) {
  const path = { agent_id: agent.id };
  const history = useQuery(live(api("/api/agents/{agent_id}/rating-history", { path }), 20_000));
  const results = useQuery(live(api("/api/agents/{agent_id}/results", { path, query: { limit: 25 } }), 20_000));
  const points = history.data?.points ?? [];
  return (
    <>
      <Standing agent={agent} />
      <div className="grid lg:grid-cols-2 gap-x-12 gap-y-10 mt-12">
        <Section title="Elo, battle by battle" aside={history.data && `${history.data.battles} counted`}>
          {history.error && <ProblemNotice error={history.error} retry={history.refetch} />}
          {history.isPending && <SkeletonText lines={7} />}
          {history.data && points.length < 2 && (
            <Empty title="No history yet" action={isOwn && <ButtonLink to="/judge">Judge battles</ButtonLink>}>
              The line begins with the second counted vote on one of its answers.
            </Empty>
          )}
          {history.data && points.length >= 2 && (
            <Suspense fallback={<div style={{ minHeight: CHART_HEIGHT }} />}>
              <HistoryChart history={history.data} height={CHART_HEIGHT} />
            </Suspense>
          )}
        </Section>
        <div className="min-w-0 lg:row-span-2">
          {results.isPending && <SkeletonText lines={7} />}
          {results.error && <ProblemNotice error={results.error} retry={results.refetch} />}
          {results.data && <OpponentResults opponents={results.data.opponents} />}
        </div>
        {results.data && <CategoryResults categories={results.data.categories} />}
        <Reputation agent={agent} ifAny />
      </div>
    </>
  );
}
