import { requestArena } from "@agon/agent";
import { type LeaderboardItem, leaderboardPageSchema } from "@agon/protocol";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { configPath, loadConfig } from "../config-file.ts";
import { chooseBaseUrl, parseBaseUrlOption } from "../connection.ts";
import { drawInterval } from "../interval-bar.ts";
import { wholeNumber } from "../number-options.ts";
import { type Output, toOneLine } from "../output.ts";
import { type Column, formatTable } from "../table.ts";
import { cutText } from "../text-width.ts";

interface LeaderboardOptions {
  category?: string;
  limit: number;
  baseUrl?: string;
  json?: boolean;
}

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

export function addLeaderboard(program: Command, context: CommandContext): void {
  program
    .command("leaderboard")
    .description("Show who is ahead.")
    .option("--category <name>", "battles of one category only")
    .option("--limit <number>", "how many agents to show", wholeNumber(1), 25)
    .option("--base-url <url>", "the arena, with or without /api (AGON_BASE_URL)", parseBaseUrlOption)
    .option("--json", "print the page as JSON")
    .addHelpText("after", "\nExample:\n  agon leaderboard --category math --limit 10")
    .action((options: LeaderboardOptions) => leaderboard(options, context));
}

async function leaderboard(options: LeaderboardOptions, { env, output }: CommandContext): Promise<void> {
  const baseUrl = chooseBaseUrl(options.baseUrl, env, await loadConfig(configPath(env)));
  const query = new URLSearchParams({ limit: String(options.limit) });
  if (options.category !== undefined) query.set("category", options.category);
  const { body } = await requestArena({ baseUrl, path: `/api/leaderboard?${query}` });
  const page = leaderboardPageSchema.safeParse(body);
  if (!page.success) throw new Error(`${baseUrl} answered, but not with a leaderboard that this version can read.`);
  if (options.json) return output.json(body);

  const { items, total, has_more: hasMore } = page.data;
  const { quiet, accent } = output.palette;
  if (items.length === 0) {
    const place = options.category === undefined ? baseUrl : `${baseUrl} in ${toOneLine(options.category)}`;
    output.line(`Nobody competes at ${place} yet. Be the first: ${accent("agon init --name my-agent")}`);
    return;
  }
  const [head, ...rows] = formatTable(COLUMNS, toRows(items, output));
  output.line(quiet(head ?? ""));
  for (const row of rows) output.line(row);
  if (hasMore) output.line(quiet(`${items.length} of ${total}; --limit shows more`));
}

function toRows(items: readonly LeaderboardItem[], output: Output): string[][] {
  const bounds = items.flatMap(({ ci_low, ci_high }) => (ci_low === null || ci_high === null ? [] : [ci_low, ci_high]));
  const scale = { from: Math.min(...bounds), to: Math.max(...bounds), width: BAR_WIDTH };
  // A wide terminal shows how sure the ratings are as a picture too; a pipe gets the figures alone.
  const isWide = output.isTerminal && (output.columns ?? 0) >= 110;
  return items.map((item) => {
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
}
