import { requestArena } from "@agon/agent";
import type { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { configPath, loadConfig } from "../config-file.ts";
import { chooseApiKey, chooseBaseUrl, parseBaseUrlOption, requireHeaderText } from "../connection.ts";
import { wholeNumber } from "../number-options.ts";
import { type Output, toOneLine } from "../output.ts";
import { UsageError } from "../usage-error.ts";
import { followRun, type RunProgress } from "./run-goal-events.ts";
import { createRunGoalView } from "./run-goal-view.ts";

interface RunGoalOptions {
  launchpad: string;
  scouts?: number;
  builders?: number;
  verifiers?: number;
  critics?: number;
  baseUrl?: string;
  json?: boolean;
  markdown?: boolean;
}

export function addRunGoal(program: Command, context: CommandContext): void {
  program
    .command("run-goal")
    .description("Have agents find, plan, verify and criticise candidates for a goal.")
    .argument("<goal>", "what they are to find; goal and result are public")
    .option("--launchpad <name>", "what it is about; GET /api/launchpads lists them", "make-money")
    .option("--scouts <number>", "searches (3)", wholeNumber(1, 10))
    .option("--builders <number>", "plans of each candidate (1)", wholeNumber(0, 5))
    .option("--verifiers <number>", "verifications of each candidate (1)", wholeNumber(0, 5))
    .option("--critics <number>", "critiques of each candidate (1)", wholeNumber(0, 5))
    .option("--base-url <url>", "the arena, with or without /api (AGON_BASE_URL)", parseBaseUrlOption)
    .option("--json", "print the whole run as JSON when it is over")
    .option("--markdown", "print the report as Markdown when it is over")
    .addHelpText(
      "after",
      '\nExample:\n  agon run-goal "Find a promising SaaS niche for a solo founder." --launchpad make-money\n  agon run-goal "Learn to repair bicycles" --launchpad learn-a-skill --markdown > report.md',
    )
    .action((goal: string, options: RunGoalOptions) => runGoal(goal, options, context));
}

async function runGoal(goal: string, options: RunGoalOptions, { env, output }: CommandContext): Promise<void> {
  if (options.json && options.markdown) throw new UsageError("--json and --markdown exclude each other.");
  const config = await loadConfig(configPath(env));
  const baseUrl = chooseBaseUrl(options.baseUrl, env, config);
  const apiKey = chooseApiKey(env, config, baseUrl);
  if (apiKey === undefined) {
    throw new UsageError(
      `A run needs an account at ${baseUrl}: agon login --base-url ${baseUrl}, or set AGON_API_KEY.`,
    );
  }
  const { scouts, builders, verifiers, critics } = options;
  const { body } = await requestArena({
    baseUrl,
    path: "/api/runs",
    method: "POST",
    headers: { authorization: `Bearer ${requireHeaderText(apiKey)}` },
    body: {
      goal,
      launchpad: options.launchpad,
      ...(scouts === undefined ? {} : { scouts }),
      ...(builders === undefined ? {} : { builders_per_candidate: builders }),
      ...(verifiers === undefined ? {} : { verifiers_per_candidate: verifiers }),
      ...(critics === undefined ? {} : { critics_per_candidate: critics }),
    },
  });
  const { id } = z.looseObject({ id: z.string() }).parse(body);
  const isQuiet = options.json === true || options.markdown === true;
  if (!isQuiet) output.line(output.palette.quiet(`run ${id} at ${baseUrl}; it goes on if you leave`));
  const last = await watch(baseUrl, id, isQuiet ? undefined : output);
  if (options.json) output.json((await requestArena({ baseUrl, path: `/api/runs/${id}` })).body);
  else if (options.markdown) output.write(await loadReport(baseUrl, id));
  else printResult(last, baseUrl, output);
  if (last.status !== "COMPLETED") process.exitCode = 1;
}

async function watch(baseUrl: string, id: string, output: Output | undefined): Promise<RunProgress> {
  const view = output === undefined ? undefined : createRunGoalView(output);
  try {
    // Without a signal it ends with the run alone.
    return (await followRun(baseUrl, id, (progress) => view?.show(progress))) as RunProgress;
  } finally {
    view?.end();
  }
}

async function loadReport(baseUrl: string, id: string): Promise<string> {
  const response = await fetch(`${baseUrl}/api/runs/${id}/report`, { redirect: "manual" });
  if (!response.ok) throw new Error(`${baseUrl} has no report of run ${id}: it answered ${response.status}`);
  return response.text();
}

function printResult(run: RunProgress, baseUrl: string, output: Output): void {
  const { palette } = output;
  output.line("");
  if (run.ranking.length === 0) {
    const found = run.candidates.length;
    const word = run.status === "COMPLETED" ? palette.good(run.status) : palette.bad(run.status);
    output.line(
      `${word}  ${run.reason ?? `${found} ${found === 1 ? "candidate" : "candidates"}, and nobody was asked to judge them`}`,
    );
  }
  for (const { rank, title, score, sum } of run.ranking) {
    const line = `${String(rank).padStart(2)}  ${score.toFixed(2).padStart(6)}  ${toOneLine(title)}`;
    output.line(rank === 1 ? palette.strong(line) : line);
    output.line(palette.quiet(`            ${sum}`));
  }
  output.line("");
  output.line(palette.quiet(`report: ${baseUrl}/api/runs/${run.id}/report`));
}
