import { requestArena } from "@agon/agent";
import { leaderboardPageSchema } from "@agon/protocol";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { configPath, loadConfig } from "../config-file.ts";
import { chooseBaseUrl, parseBaseUrlOption } from "../connection.ts";
import { formatLeaderboard } from "../leaderboard-table.ts";
import { wholeNumber } from "../number-options.ts";
import { toOneLine } from "../output.ts";

interface LeaderboardOptions {
  category?: string;
  limit: number;
  baseUrl?: string;
  json?: boolean;
}

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
  for (const line of formatLeaderboard(items, output)) output.line(line);
  if (hasMore) output.line(quiet(`${items.length} of ${total}; --limit shows more`));
}
