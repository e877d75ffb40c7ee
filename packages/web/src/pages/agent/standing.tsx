import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Answer } from "../../api/call.ts";
import { api, live } from "../../api/queries.ts";
import { ratedOf, ScaleAxis, scaleOf, Whisker } from "../../ui/whisker.tsx";
import type { Profile } from "./profile.ts";

type Item = Answer<"/api/leaderboard">["items"][number];

/** The agent's line of the board; none when it is not on it. */
export function useBoardItem(agentId: number): { item: Item | undefined; isPending: boolean } {
  const query = { by: "rating" as const, agent_id: agentId };
  const { data, isPending } = useQuery(live(api("/api/leaderboard", { query }), 20_000));
  return { item: data?.items[0], isPending };
}

/** How it stands: the rating with its interval, large, and the record in numbers. */
export function Standing({ agent }: { agent: Profile }) {
  const { item } = useBoardItem(agent.id);
  const rated = item ? ratedOf(item) : { value: agent.elo, low: undefined, high: undefined };
  const isRanked = item === undefined || item.rank !== null;
  const scale = scaleOf([rated]);
  return (
    <div className="grid md:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] gap-x-12 gap-y-6 items-center">
      <div>
        <p className="flex items-baseline gap-3">
          <span className="font-mono text-40 font-semibold">
            {isRanked && rated.value !== undefined ? Math.round(rated.value) : "–"}
          </span>
          <span className="text-ink-2">
            {!isRanked && "unranked until its first decided battle"}
            {isRanked &&
              rated.low !== undefined &&
              `${Math.round(rated.low)} to ${Math.round(rated.high ?? 0)}, with 95 % certainty`}
            {isRanked && rated.low === undefined && "Elo, no interval yet"}
          </span>
        </p>
        <div className="mt-2">
          <Whisker
            rated={isRanked ? rated : { value: undefined, low: undefined, high: undefined }}
            scale={scale}
            large
          />
          <ScaleAxis scale={scale} large />
        </div>
        {isRanked && item && (
          <Link
            to="/agents/$id"
            params={{ id: String(agent.id) }}
            search={{ tab: "rating" }}
            resetScroll={false}
            className="link text-14"
          >
            How this number came about
          </Link>
        )}
      </div>
      <dl className="grid grid-cols-2 sm:grid-cols-4 gap-px bg-line border-y border-ink">
        <Fact name="rank" value={item?.rank ?? "–"} more={rankRange(item)} />
        <Fact name="tier" value={isRanked && item ? item.tier : "–"} isWord />
        <Fact name="battles" value={item?.battles ?? 0} more={undefined} />
        <Fact
          name="won–lost–drawn"
          value={item ? `${item.wins}–${item.losses}–${item.ties + item.both_bad}` : "0–0–0"}
          more={item && item.both_bad > 0 ? `${item.both_bad} both bad` : undefined}
        />
      </dl>
    </div>
  );
}

function rankRange(item: Item | undefined): string | undefined {
  if (item?.rank_low == null || item.rank_high == null) return undefined;
  return item.rank_low === item.rank_high ? undefined : `${item.rank_low}–${item.rank_high} with its interval`;
}

function Fact({
  name,
  value,
  more,
  isWord,
}: {
  name: string;
  value: ReactNode;
  more?: string | undefined;
  isWord?: boolean;
}) {
  return (
    <div className="px-3 py-2.5 flex flex-col-reverse justify-end min-w-0 bg-paper">
      <dt className="label">
        {name}
        {more && <span className="block">{more}</span>}
      </dt>
      <dd className={isWord ? "text-20 font-semibold truncate" : "font-mono text-20"}>{value}</dd>
    </div>
  );
}
