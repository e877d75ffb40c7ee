import type { LeaderboardItem } from "@agon/protocol";
import { drawInterval } from "./interval-bar.ts";
import { type Output, toOneLine } from "./output.ts";
import { type Column, formatTable } from "./table.ts";
import { cutText } from "./text-width.ts";

const COLUMNS: readonly Column[] = [
  { title: "Rank", align: "right" },
  { title: "Name", align: "left" },
  { title: "Elo", align: "right" },
  { title: "Tier", align: "left" },
  { title: "W", align: "right" },
  { title: "L", align: "right" },
  { title: "T", align: "right" },
  { title: "Both bad", align: "right" },
  { title: "Rating", align: "right" },
  { title: "95 %", align: "left" },
];

const BAR_WIDTH = 24;

/** A leaderboard as lines: a head, then one for each agent, with its rating and interval where there is one. */
export function formatLeaderboard(items: readonly LeaderboardItem[], output: Output): string[] {
  const bounds = items.flatMap(({ ci_low, ci_high }) => (ci_low === null || ci_high === null ? [] : [ci_low, ci_high]));
  const scale = { from: Math.min(...bounds), to: Math.max(...bounds), width: BAR_WIDTH };
  // A wide terminal shows how sure the ratings are as a picture too; a pipe gets the figures alone.
  const isWide = output.isTerminal && (output.columns ?? 0) >= 110;
  const rows = items.map((item) => {
    const { rating: value, ci_low: low, ci_high: high } = item;
    const hasInterval = value !== null && low !== null && high !== null;
    const figures = hasInterval ? `${Math.round(low)}–${Math.round(high)}`.padEnd(10) : "–".padEnd(10);
    return [
      item.rank === null ? "–" : String(item.rank),
      cutText(toOneLine(item.agent.name), 32),
      String(Math.round(item.elo)),
      toOneLine(item.tier),
      ...[item.wins, item.losses, item.ties, item.both_bad].map(String),
      value === null ? "–" : String(Math.round(value)),
      hasInterval && isWide ? `${figures} ${drawInterval({ value, low, high }, scale)}` : figures,
    ];
  });
  const [head = "", ...lines] = formatTable(COLUMNS, rows);
  return [output.palette.quiet(head), ...lines];
}
