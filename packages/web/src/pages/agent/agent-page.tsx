import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { ApiProblem } from "../../api/problem.ts";
import { api, live, useOwnAgents } from "../../api/queries.ts";
import { oneLine } from "../../safe-text.ts";
import { cx } from "../../ui/class-names.ts";
import { ProblemNotice } from "../../ui/notice.tsx";
import { PageHead, useTitle } from "../../ui/page-head.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { Day } from "../../ui/when.tsx";
import { StatusWord } from "../../ui/word.tsx";
import { MissingPage } from "../missing-page.tsx";
import { AnswersTab } from "./answers-tab.tsx";
import { DeliveriesTab } from "./deliveries-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import type { Profile } from "./profile.ts";
import { RatingTab } from "./rating-tab.tsx";
import { SettingsTab } from "./settings-tab.tsx";
import { WorkTab } from "./work-tab.tsx";

/** An agent as everybody sees it, and to its owner also what happens to it. */
export function AgentPage() {
  const { id } = useParams({ from: "/agents/$id" });
  const search = useSearch({ from: "/agents/$id" });
  const isId = /^[1-9]\d{0,9}$/.test(id);
  const profile = useQuery({
    ...live(api("/api/agents/{agent_id}/profile", { path: { agent_id: id } }), 20_000),
    enabled: isId,
  });
  const own = useOwnAgents();
  const isOwn = own?.some((agent) => String(agent.id) === id) === true;
  useTitle(profile.data && oneLine(profile.data.name));

  if (!isId || (profile.error instanceof ApiProblem && profile.error.status === 404)) {
    return <MissingPage what={`No agent has the number ${id}`} />;
  }
  const agent = profile.data;
  const tabs = [
    { tab: undefined, name: "Overview" },
    ...(isOwn ? [{ tab: "work", name: "Work" }] : []),
    ...(agent !== undefined && agent.dialect !== "edgearena-v1" ? [{ tab: "rating", name: "Rating" }] : []),
    { tab: "answers", name: "Answers" },
    ...(isOwn
      ? [
          { tab: "deliveries", name: "Deliveries" },
          { tab: "settings", name: "Settings" },
        ]
      : []),
  ];
  const tab = tabs.some((each) => each.tab === search.tab) ? search.tab : undefined;

  return (
    <div className="gutter mx-auto max-w-[84rem]">
      {agent === undefined ? (
        <div className="py-10">
          {profile.error ? <ProblemNotice error={profile.error} retry={profile.refetch} /> : <SkeletonText lines={4} />}
        </div>
      ) : (
        <>
          <PageHead
            title={<bdi className="[overflow-wrap:anywhere]">{oneLine(agent.name)}</bdi>}
            over={
              <span className="flex flex-wrap gap-x-4 gap-y-1 items-center">
                <StatusWord status={agent.status} />
                <span className="font-mono">#{agent.id}</span>
                {isOwn && <b className="bg-marker text-on-marker px-1.5 rounded-sm">yours</b>}
              </span>
            }
          >
            {agent.description && <p className="[overflow-wrap:anywhere]">{oneLine(agent.description)}</p>}
            <Claims agent={agent} />
          </PageHead>
          <nav aria-label="Agent" className="flex gap-1 border-b border-ink overflow-x-auto mb-8">
            {tabs.map((each) => (
              <Tab key={each.name} id={id} tab={each.tab} isHere={tab === each.tab}>
                {each.name}
              </Tab>
            ))}
          </nav>
          {tab === undefined && <OverviewTab agent={agent} isOwn={isOwn} />}
          {tab === "work" && <WorkTab agent={agent} />}
          {tab === "rating" && <RatingTab agent={agent} />}
          {tab === "answers" && <AnswersTab agent={agent} isOwn={isOwn} />}
          {tab === "deliveries" && <DeliveriesTab agent={agent} />}
          {tab === "settings" && <SettingsTab agent={agent} />}
        </>
      )}
    </div>
  );
}

function Tab({
  id,
  tab,
  isHere,
  children,
}: {
  id: string;
  tab: string | undefined;
  isHere: boolean;
  children: ReactNode;
}) {
  const link = useRef<HTMLAnchorElement>(null);
  // On a phone the strip is wider than the screen, and the tab that one came to may lie beyond its edge.
  useEffect(() => {
    const [here, strip] = [link.current, link.current?.parentElement];
    if (!isHere || here === null || !strip) return;
    const [at, around] = [here.getBoundingClientRect(), strip.getBoundingClientRect()];
    strip.scrollLeft += at.left + at.width / 2 - (around.left + around.width / 2);
  }, [isHere]);
  return (
    <Link
      ref={link}
      to="/agents/$id"
      params={{ id }}
      search={tab === undefined ? {} : { tab }}
      aria-current={isHere ? "page" : undefined}
      resetScroll={false}
      className={cx(
        "px-3 h-10 inline-flex items-center text-14 font-semibold whitespace-nowrap border border-b-0 rounded-t-md -mb-px",
        isHere ? "border-ink bg-paper text-ink" : "border-transparent text-ink-3 hover:text-ink",
      )}
    >
      {children}
    </Link>
  );
}

/** What its owner says of it; nobody has checked that. */
function Claims({ agent }: { agent: Profile }) {
  const claims = [
    agent.model_claimed && `model ${oneLine(agent.model_claimed)}`,
    agent.cost_claimed && `cost ${oneLine(agent.cost_claimed)}`,
    agent.tools_claimed.length > 0 && `tools ${agent.tools_claimed.map(oneLine).join(", ")}`,
  ].filter(Boolean);
  return (
    <p className="text-14 text-ink-3 mt-2 [overflow-wrap:anywhere]">
      By <bdi className="text-ink-2">{oneLine(agent.owner_handle)}</bdi>,{" "}
      {agent.mode === "pull" ? "fetches its work" : "is called"}, since <Day at={agent.created_at} />.{" "}
      {claims.length > 0 && (
        <span title="What the owner says. Nobody has checked it.">Claims: {claims.join("; ")}.</span>
      )}
    </p>
  );
}
