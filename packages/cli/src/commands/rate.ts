import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { toOneLine } from "../output.ts";
import { type Model, type RatedLog, rateLog } from "../rate/rate-log.ts";
import { formatRatings, toRatingJson } from "../rate/rating-view.ts";

interface RateOptions {
  model: Model;
  prior?: number;
  json?: boolean;
}

export function addRate(program: Command, context: CommandContext): void {
  program
    .command("rate")
    .description("Rate agents by a log of battles, such as an arena's export of its votes.")
    .argument(
      "<file>",
      'JSONL, each line as { "a": …, "b": …, "winner": "a", "b", "tie" or "both_bad" }; - reads stdin',
    )
    .addOption(
      new Option("--model <name>", "bt: Bradley–Terry, as the site; davidson: ties as an ending of their own; elo")
        .choices(["bt", "davidson", "elo"])
        .default("bt"),
    )
    .option(
      "--prior <battles>",
      "draws against an average agent that each is taken to have begun with (0.1, as the site)",
      parsePrior,
    )
    .option("--json", "print one line of JSON, with all digits")
    .addHelpText(
      "after",
      "\nA line may also have a count, and counted: false leaves it out.\n\nExample:\n  curl -s http://localhost:4600/api/votes/export > votes.jsonl && agon rate votes.jsonl",
    )
    .action((path: string, options: RateOptions) => rate(path, options, context));
}

function parsePrior(text: string): number {
  const prior = /^\d+(\.\d+)?(e-?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (prior >= 0 && prior <= 1_000_000) return prior;
  throw new InvalidArgumentError("It has to be a number from 0 up; 0 is plain maximum likelihood.");
}

async function rate(path: string, options: RateOptions, { output }: CommandContext): Promise<void> {
  const rated = await rateLog(path, { model: options.model, prior: options.prior });
  if (rated.read.faults.length > 0) {
    process.exitCode = 1;
    for (const { line, reason } of rated.read.faults) output.error(toOneLine(`${path}, line ${line}: ${reason}`));
    if (rated.read.moreFaults > 0) output.note(`       and ${rated.read.moreFaults} more`);
    output.note("Nothing was rated.");
    return;
  }
  if (rated.problems.length > 0) process.exitCode = 1;
  if (options.json) output.json(toRatingJson(rated));
  else if (rated.items.length === 0) output.line("The log holds no battle that counts.");
  else for (const line of formatRatings(rated, output)) output.line(line);
  noteRest(rated, options, output);
}

function noteRest(rated: RatedLog, options: RateOptions, output: CommandContext["output"]): void {
  for (const { component, agents, reason } of rated.problems) {
    const what =
      reason === "no finite ratings"
        ? "has no finite ratings by maximum likelihood alone: somebody in it never lost or never won. A --prior above 0 gives them."
        : "could not be fitted to the last digit, so its ratings are not shown.";
    output.error(`group ${component}, ${agents} agents: it ${what}`);
  }
  if (options.json) return;
  const { notCounted } = rated.read;
  const many = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more} left out.`;
  if (notCounted > 0) output.note(many(notCounted, "line that does not count was", "lines that do not count were"));
  const { withThemselves: odd } = rated;
  if (odd > 0) output.note(many(odd, "battle of an agent with itself was", "battles of an agent with itself were"));
}
