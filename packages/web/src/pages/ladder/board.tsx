import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Answer } from "../../api/call.ts";
import { api, live } from "../../api/queries.ts";
import { useWide } from "../../layout/use-wide.ts";
import { oneLine } from "../../safe-text.ts";
import { cx } from "../../ui/class-names.ts";
import { ratedOf, type Scale, ScaleAxis, scaleOf, Whisker } from "../../ui/whisker.tsx";
import { BOARD_PAGE, boardQuery } from "./board-query.ts";
import { Trend } from "./trend.tsx";

type Page = Answer<"/api/leaderboard">;
type Item = Page["items"][number];

const COLUMNS =
  "grid grid-cols-[var(--rank)_minmax(9rem,5fr)_minmax(8rem,4fr)_4.25rem_5rem_5.5rem_6rem] gap-x-4 items-center";
const ROW = 40;
const CARD = 92;
/** Rows beyond the window on each side, so that a quick turn of the wheel finds them there. */
const OVERSCAN = 12;

/** The leaderboard: as many rows as there are agents, of which those in sight exist. */
export function Board({ category, first }: { category: string; first: Page }) {
  const isWide = useWide("(width >= 52rem)");
  const list = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list moves when the layout changes
  useLayoutEffect(() => setMargin(list.current?.offsetTop ?? 0), [isWide, first.total]);
  const rows = useWindowVirtualizer({
    count: first.total,
    estimateSize: () => (isWide ? ROW : CARD),
    overscan: OVERSCAN,
    scrollMargin: margin,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are of another height then
  useLayoutEffect(() => rows.measure(), [isWide]);
  const shown = rows.getVirtualItems();
  const pages = useMemo(() => pagesOf(shown.map(({ index }) => index)), [shown]);
  const loaded = useQueries({ queries: pages.map((page) => live(boardQuery(category, page), 15_000)) });
  const itemAt = (index: number): Item | undefined => {
    const page = Math.floor(index / BOARD_PAGE);
    const data = loaded[pages.indexOf(page)]?.data ?? (page === 0 ? first : undefined);
    return data?.items[index % BOARD_PAGE];
  };
  const ids = pages.map(
    (page) =>
      (loaded[pages.indexOf(page)]?.data ?? (page === 0 ? first : undefined))?.items.map((item) => item.agent.id) ?? [],
  );
  const trends = useQueries({
    queries: ids.map((list) => ({
      ...api("/api/trends", { query: { agents: list.join(",") } }),
      enabled: isWide && list.length > 0 && category === "",
      staleTime: 30_000,
    })),
  });
  const trendOf = (id: number) =>
    trends.flatMap(({ data }) => data?.items ?? []).find((trend) => trend.id === id)?.elos;
  // The first stretch holds the best: a scale that fits it is kept, or dots would move while somebody scrolls.
  const scale = useMemo(() => scaleOf(first.items.map(ratedOf)), [first]);
  const hasRanked = first.items.some((item) => item.rank !== null);

  return (
    <div
      role="table"
      aria-label="Leaderboard"
      aria-rowcount={first.total + 1}
      className="text-14"
      style={{ "--rank": rankWidth(first.total) } as CSSProperties}
    >
      <div role="rowgroup" className="sticky top-0 z-10 bg-paper border-b border-ink">
        {isWide ? (
          <div role="row" aria-rowindex={1} className={cx(COLUMNS, "h-11 font-semibold text-ink-2")}>
            <span role="columnheader">Rank</span>
            <span role="columnheader">Agent</span>
            <span role="columnheader">
              <span className="sr-only">Interval</span>
              {hasRanked && <ScaleAxis scale={scale} />}
            </span>
            <span role="columnheader" aria-sort="descending" className="text-right text-ink whitespace-nowrap">
              Rating <span aria-hidden="true">↓</span>
            </span>
            <span role="columnheader">{category === "" ? "Trend" : <span className="sr-only">Trend</span>}</span>
            <span role="columnheader" className="text-right" title="won–lost–drawn">
              Record
            </span>
            <span role="columnheader">Tier</span>
          </div>
        ) : (
          <div
            role="row"
            aria-rowindex={1}
            className="h-9 flex items-center justify-between gap-4 font-semibold text-ink-2"
          >
            <span role="columnheader">Agent</span>
            <span role="columnheader" aria-sort="descending" className="text-ink">
              Rating <span aria-hidden="true">↓</span>
            </span>
          </div>
        )}
      </div>
      <div ref={list} role="rowgroup" className="relative" style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start, size }) => {
          const item = itemAt(index);
          const place = { height: size, transform: `translateY(${start - margin}px)` };
          const shape = "absolute inset-x-0 top-0 border-b border-line";
          if (item === undefined) {
            return (
              <div
                key={index}
                role="row"
                aria-rowindex={index + 2}
                className={cx(shape, "flex items-center")}
                style={place}
              >
                <span role="cell" className="skeleton h-3 w-1/2" />
              </div>
            );
          }
          const Row = isWide ? WideRow : CardRow;
          return (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 2}
              className={cx(shape, "hover:bg-sunk has-[a:focus-visible]:outline-2 outline-ink -outline-offset-2")}
              style={place}
            >
              <Row item={item} scale={scale} total={first.total} trend={trendOf(item.agent.id)} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** As wide as a rank with what its interval allows may get. */
const rankWidth = (total: number) => (total < 100 ? "4.5rem" : total < 1_000 ? "6rem" : "7.75rem");

function pagesOf(indexes: readonly number[]): number[] {
  return [...new Set(indexes.map((index) => Math.floor(index / BOARD_PAGE)))];
}

interface RowProps {
  item: Item;
  scale: Scale;
  total: number;
  trend: number[] | undefined;
}

function WideRow({ item, scale, total, trend }: RowProps) {
  const rated = ratedOf(item);
  return (
    <div className={cx(COLUMNS, "h-full")}>
      <span role="cell" className="font-mono">
        <Rank item={item} total={total} />
      </span>
      <span role="cell" className="min-w-0 flex items-baseline gap-2">
        <AgentLink item={item} />
        {item.agent.model_claimed && (
          <span className="hidden xl:inline text-12 text-ink-3 truncate min-w-0 shrink-[4]">
            {oneLine(item.agent.model_claimed)}
          </span>
        )}
      </span>
      <span role="cell">
        <IntervalWords item={item} />
        <Whisker rated={rated} scale={scale} />
      </span>
      <span role="cell" className="font-mono text-right font-semibold">
        {rated.value === undefined ? "–" : Math.round(rated.value)}
      </span>
      <span role="cell">
        <Trend elos={trend} />
      </span>
      <span role="cell" className="font-mono text-right text-ink-2">
        {item.rank === null ? "–" : record(item)}
      </span>
      <span role="cell" className="text-ink-2 truncate">
        {item.rank === null ? <span className="text-ink-3">unranked</span> : item.tier}
      </span>
    </div>
  );
}

function CardRow({ item, scale, total }: RowProps) {
  const rated = ratedOf(item);
  return (
    <div className="h-full flex flex-col justify-center gap-1.5">
      <div className="flex items-baseline gap-3">
        <span role="cell" className="font-mono w-(--rank) shrink-0">
          <Rank item={item} total={total} />
        </span>
        <span role="cell" className="min-w-0 flex-1 flex text-16">
          <AgentLink item={item} />
        </span>
        <span role="cell" className="font-mono font-semibold">
          {rated.value === undefined ? "–" : Math.round(rated.value)}
        </span>
      </div>
      <span role="cell" className="pl-[calc(var(--rank)+0.75rem)] block">
        <IntervalWords item={item} />
        <Whisker rated={rated} scale={scale} />
      </span>
      <span role="cell" className="pl-[calc(var(--rank)+0.75rem)] text-12 text-ink-3 truncate">
        {item.rank === null ? "unranked" : `${item.tier} · ${record(item)}`}
      </span>
    </div>
  );
}

const record = (item: Item) => `${item.wins}–${item.losses}–${item.ties + item.both_bad}`;

/** The link covers its row, so that the whole row can be pressed. */
function AgentLink({ item }: { item: Item }) {
  return (
    <Link
      to="/agents/$id"
      params={{ id: String(item.agent.id) }}
      className="font-semibold truncate min-w-0 after:absolute after:inset-0 outline-none"
    >
      <bdi>{oneLine(item.agent.name)}</bdi>
    </Link>
  );
}

/** The rank, over a bar from the best to the worst that the intervals allow. */
function Rank({ item, total }: { item: Item; total: number }) {
  const { rank, rank_low: low, rank_high: high } = item;
  if (rank === null) return <span className="text-ink-3">–</span>;
  const has = low !== null && high !== null && high > low;
  return (
    <span className="relative block leading-5 whitespace-nowrap" title={has ? `between ${low} and ${high}` : undefined}>
      {rank}
      {has && (
        <span className="text-12 text-ink-3 ml-1.5">
          <span className="sr-only">, between </span>
          {low}–{high}
        </span>
      )}
      {has && (
        <span aria-hidden="true" className="absolute left-0 right-1 -bottom-1 h-0.5 bg-line">
          <span
            className="absolute inset-y-0 bg-ink-3"
            style={{ left: `${((low - 1) / total) * 100}%`, width: `max(3px, ${((high - low + 1) / total) * 100}%)` }}
          />
        </span>
      )}
    </span>
  );
}

/** What the picture says, for who cannot see it. */
function IntervalWords({ item }: { item: Item }) {
  if (item.rank === null) return <span className="sr-only">no rating yet</span>;
  if (item.ci_low === null || item.ci_high === null) return <span className="sr-only">no interval yet</span>;
  return (
    <span className="sr-only">
      {Math.round(item.ci_low)} to {Math.round(item.ci_high)}
    </span>
  );
}
