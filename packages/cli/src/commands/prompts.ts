import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { configPath, loadConfig } from "../config-file.ts";
import { chooseBaseUrl, parseBaseUrlOption, requireHeaderText } from "../connection.ts";
import { type Output, toOneLine } from "../output.ts";
import { PROMPT_FORMATS } from "../prompts/prompt-formats.ts";
import { type ReadFiles, readPrompts, sendPrompts } from "../prompts/prompt-import.ts";
import { formatTable } from "../table.ts";
import { UsageError } from "../usage-error.ts";

interface ImportOptions {
  format?: string;
  set?: string;
  adminKey?: string;
  baseUrl?: string;
  dryRun?: boolean;
  json?: boolean;
}

/** Enough to see what kind of fault it is; a file in a wrong format has one in each line. */
const FAULTS_SHOWN = 20;

export function addPrompts(program: Command, context: CommandContext): void {
  const prompts = program
    .command("prompts")
    .description("Add prompts to an arena that you operate.")
    .addHelpText("after", "\nExample:\n  agon prompts import question.jsonl");
  prompts
    .command("import")
    .description("Add the prompts of files, those of public sets included. A second import of the same adds nothing.")
    .argument("<file...>", "JSONL or a JSON array, packed with gzip or not")
    .addOption(
      new Option("--format <name>", "what the files are; recognised without").choices(Object.keys(PROMPT_FORMATS)),
    )
    .option("--set <name>", "what the set is called in the prompts' ids; the format's name without")
    .option("--admin-key <key>", "the operator's key (AGON_ADMIN_KEY)")
    .option("--base-url <url>", "the arena, with or without /api (AGON_BASE_URL)", parseBaseUrlOption)
    .option("--dry-run", "read and judge every prompt, and send none")
    .option("--json", "print one line of JSON")
    .addHelpText(
      "after",
      "\nExample:\n  agon prompts import --dry-run question.jsonl\n  agon prompts import question.jsonl",
    )
    .action((paths: string[], options: ImportOptions) => importPrompts(paths, options, context));
}

async function importPrompts(paths: string[], options: ImportOptions, { env, output }: CommandContext): Promise<void> {
  const baseUrl = chooseBaseUrl(options.baseUrl, env, await loadConfig(configPath(env)));
  const adminKey = (options.adminKey || env.AGON_ADMIN_KEY || "").trim();
  if (options.dryRun !== true) {
    if (adminKey === "") {
      throw new UsageError(
        "The operator's key is missing: --admin-key or AGON_ADMIN_KEY. An arena with the embedded database keeps it in admin.key of its data folder.",
      );
    }
    requireHeaderText(adminKey);
  }
  // The arena's own rules, so that nothing is sent that it would refuse. Loaded late: a server and a database come along.
  const { parsePromptInput } = await import("@agon/arena");
  const read = await readPrompts(paths, { format: options.format, set: options.set, parse: parsePromptInput });
  if (read.faults.length > 0) return reportFaults(read, options, output);

  const imported = options.dryRun ? undefined : await sendPrompts(read.prompts, { baseUrl, adminKey });
  if (options.json) {
    const counts = imported ?? { received: 0, added: 0, skipped: 0, dry_run: true };
    return output.json({ files: toJsonFiles(read), ...counts });
  }
  printFiles(read, output);
  if (imported === undefined) {
    return output.line(`${output.palette.good("good")}  all ${read.prompts.length} can be imported; nothing was sent`);
  }
  const { received, added, skipped } = imported;
  const rest = skipped === 0 ? "" : `, ${skipped} were there already`;
  output.line(`${output.palette.good("good")}  ${received} received, ${added} added${rest}, at ${baseUrl}`);
}

function reportFaults(read: ReadFiles, options: ImportOptions, output: Output): void {
  process.exitCode = 1;
  const { faults } = read;
  if (options.json) {
    output.json({ files: toJsonFiles(read), received: 0, added: 0, skipped: 0, errors: faults });
    return;
  }
  for (const { place, reason } of faults.slice(0, FAULTS_SHOWN)) output.error(toOneLine(`${place}: ${reason}`));
  if (faults.length > FAULTS_SHOWN) output.note(`       and ${faults.length - FAULTS_SHOWN} more`);
  output.note("Nothing was sent.");
}

function toJsonFiles({ files }: ReadFiles) {
  return files.map(({ path, format, prompts }) => ({ file: path, format, prompts }));
}

function printFiles({ files }: ReadFiles, output: Output): void {
  const rows = files.map(({ path, format, isGuessed, prompts }) => [
    toOneLine(path),
    isGuessed ? `${format}, recognised` : format,
    String(prompts),
  ]);
  const [head = "", ...lines] = formatTable(
    [
      { title: "File", align: "left" },
      { title: "Format", align: "left" },
      { title: "Prompts", align: "right" },
    ],
    rows,
  );
  output.line(output.palette.quiet(head));
  for (const line of lines) output.line(line);
}
