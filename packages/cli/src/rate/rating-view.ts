import { drawInterval } from "../interval-bar.ts";
import { type Output, toOneLine } from "../output.ts";
import { type Column, formatTable } from "../table.ts";
import { cutText } from "../text-width.ts";
import type { RatedLog } from "./rate-log.ts";

const COLUMNS: readonly Column[] = [
  { title: "Rank", align: "right" },
  { title: "", align: "left" },
  { title: "Name", align: "left" },
  { title: "Rating", align: "right" },
  { title: "95 %", align: "left" },
  { title: "Battles", align: "right" },
  { title: "W", align: "right" },
  { title: "L", align: "right" },
  { title: "T", align: "right" },
  { title: "Both bad", align: "right" },
];

const BAR_WIDTH = 24;

/** What a log came to, as one JSON value. */
export function toRatingJson(rated: RatedLog) {
  return {
    model: rated.model,
    ...(rated.prior === undefined ? {} : { prior: rated.prior }),
    items: rated.items.map((item) => ({
      name: item.name,
      rating: item.rating,
      se: item.se,
      se_model: item.seModel,
      ci_low: item.ciLow,
      ci_high: item.ciHigh,
      rank: item.rank,
      rank_low: item.rankLow,
      rank_high: item.rankHigh,
      games: item.games,
      wins: item.wins,
      losses: item.losses,
      ties: item.ties,
      both_bad: item.bothBad,
      component: item.component,
    })),
    log_likelihood: Number.isFinite(rated.logLikelihood) ? rated.logLikelihood : null,
    ...(rated.tieParameter === undefined ? {} : { tie_parameter: rated.tieParameter }),
    left_out: { not_counted: rated.read.notCounted, with_themselves: rated.withThemselves },
    ...(rated.problems.length === 0 ? {} : { problems: rated.problems }),
  };
}

/** What a log came to, as lines of a table, a table for each group. */
export function formatRatings(rated: RatedLog, output: Output): string[] {
  const bounds = rated.items.flatMap(({ ciLow, ciHigh }) => (ciLow === null || ciHigh === null ? [] : [ciLow, ciHigh]));
  const scale = { from: Math.min(...bounds), to: Math.max(...bounds), width: BAR_WIDTH };
  const isWide = output.isTerminal && (output.columns ?? 0) >= 110;
  const rows = rated.items.map((item) => {
    const { rating: value, ciLow: low, ciHigh: high } = item;
    const hasInterval = value !== null && low !== null && high !== null;
    const figures = hasInterval ? `${Math.round(low)}–${Math.round(high)}`.padEnd(10) : "–".padEnd(10);
    return [
      item.rank === null ? "–" : String(item.rank),
      item.rankLow === null || item.rankLow === item.rankHigh ? "" : `(${item.rankLow}–${item.rankHigh})`,
      cutText(toOneLine(item.name), 32),
      value === null ? "–" : String(Math.round(value)),
      hasInterval && isWide ? `${figures} ${drawInterval({ value, low, high }, scale)}` : figures,
      ...[item.games, item.wins, item.losses, item.ties, item.bothBad].map(String),
    ];
  });
  const [head = "", ...lines] = formatTable(COLUMNS, rows);
  const groups = new Set(rated.items.map((item) => item.component)).size;
  return [
    output.palette.quiet(head),
    ...lines.flatMap((line, index) => {
      const { component } = rated.items[index] as RatedLog["items"][number];
      const isFirst = index === 0 || rated.items[index - 1]?.component !== component;
      if (groups === 1 || !isFirst) return [line];
      const title =
        component === null ? "without a battle" : `group ${component}: no battle compares it with another group`;
      return [output.palette.quiet(title), line];
    }),
  ];
}
