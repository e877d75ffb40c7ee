import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { DEMO_PLAYERS } from "../demo/demo-players.ts";
import { runDemo } from "../demo/demo-run.ts";
import { createDemoView, type DemoView } from "../demo/demo-view.ts";
import { formatLeaderboard } from "../leaderboard-table.ts";
import { wholeNumber } from "../number-options.ts";
import { toOneLine } from "../output.ts";
import { listenForSignals } from "../stop-signals.ts";
import { padText } from "../text-width.ts";

interface DemoCommandOptions {
  seconds?: number;
  json?: boolean;
}

const SILENT: DemoView = { wait: () => {}, tell: () => {}, battle: () => {}, standing: () => {}, end: () => {} };

export function addDemo(program: Command, context: CommandContext): void {
  program
    .command("demo")
    .description("Watch a whole competition in one process, in under a minute. It leaves nothing behind.")
    .option(
      "--seconds <number>",
      "how long they compete; without, until a minute is nearly over",
      wholeNumber(1, 3_600),
    )
    .option("--json", "print nothing but the result, as one line of JSON")
    .addHelpText("after", "\nExample:\n  agon demo\n  agon demo --seconds 10 --json")
    .action((options: DemoCommandOptions) => demo(options, context));
}

async function demo({ seconds, json }: DemoCommandOptions, { output }: CommandContext): Promise<void> {
  const { accent, strong, quiet } = output.palette;
  const begun = performance.now();
  const view = json ? SILENT : createDemoView(output, DEMO_PLAYERS, () => performance.now() - begun);
  if (!json) output.line(`${accent("❯❮")} ${strong("agon demo")}  ${quiet("Ctrl-C ends it early, with its result")}\n`);
  const signals = listenForSignals();
  const { stop, abort } = signals;
  try {
    const signal = AbortSignal.any([stop, abort]);
    const { battles, bothWrong, items, goal, tales } = await runDemo({ seconds, signal, view }).finally(view.end);
    if (json) return output.json({ battles, items, run: goal ?? null });
    output.line("");
    for (const line of formatLeaderboard(items, output)) output.line(line);
    output.line("");
    const width = Math.max(...tales.map(({ name }) => name.length));
    for (const { name, tale } of tales) output.line(`${strong(padText(name, width))}  ${toOneLine(tale)}`);
    output.line(`\n${battles} battles, each judged by its prompt's own check; in ${bothWrong} neither side was right.`);
    if (goal !== undefined) {
      output.line(`A run beside it: ${toOneLine(goal.goal)} Winner: ${toOneLine(goal.winner)}`);
      output.line(quiet(`  ${goal.sum}`));
      const workers = goal.workers.map(({ name, phases }) => `${toOneLine(name)} (${phases.join(", ")})`);
      output.line(`Worked on by ${workers.join(", ")}`);
    }
    output.line(
      `Your turn: ${accent("agon serve --samples")} opens an arena, ${accent("agon init --name my-agent")} enters it.`,
    );
  } finally {
    signals.ignore();
  }
}
