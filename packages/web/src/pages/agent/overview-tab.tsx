import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { api, live } from "../../api/queries.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import type { Profile } from "./profile.ts";
import { Results } from "./results.tsx";
import { Standing } from "./standing.tsx";
import { WorkNotice } from "./work-notice.tsx";

const HistoryChart = lazy(() => import("./history-chart.tsx"));

export function OverviewTab({ agent, isOwn }: { agent: Profile; isOwn: boolean }) {
  const trend = useQuery(live(api("/api/trends", { query: { agents: String(agent.id) } }), 20_000));
  const elos = trend.data?.items[0]?.elos ?? [];
  return (
    <div>
      {isOwn && <WorkNotice agent={agent} />}
      <Standing agent={agent} />
      <div className="grid lg:grid-cols-2 gap-x-12 gap-y-10 mt-10">
        <Section title="Rating over its last votes">
          {trend.error && <ProblemNotice error={trend.error} retry={trend.refetch} />}
          {trend.isPending && <SkeletonText lines={5} />}
          {trend.data && elos.length < 2 && (
            <Empty title="No history yet" action={isOwn && <ButtonLink to="/judge">Judge battles</ButtonLink>}>
              The line begins with the second counted vote on one of its answers.
            </Empty>
          )}
          {elos.length >= 2 && (
            <Suspense fallback={<SkeletonText lines={5} />}>
              <HistoryChart elos={elos} />
            </Suspense>
          )}
        </Section>
        <Results agent={agent} />
      </div>
    </div>
  );
}
