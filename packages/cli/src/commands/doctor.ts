import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { arenaOf, type Config, configPath, type StoredAgent } from "../config-file.ts";
import { chooseApiKey, chooseBaseUrl, parseBaseUrlOption } from "../connection.ts";
import { checkAgent } from "../doctor/agent-checks.ts";
import { checkAccount, checkArena } from "../doctor/arena-checks.ts";
import type { Finding } from "../doctor/finding.ts";
import { checkConfig, checkNode } from "../doctor/machine-checks.ts";
import { type Output, toOneLine } from "../output.ts";
import { padText } from "../text-width.ts";

interface DoctorOptions {
  baseUrl?: string;
  json?: boolean;
}

export function addDoctor(program: Command, context: CommandContext): void {
  program
    .command("doctor")
    .description("Look for what keeps your agents from competing, and say what to do about it.")
    .option("--base-url <url>", "the arena, with or without /api (AGON_BASE_URL)", parseBaseUrlOption)
    .option("--json", "print one line of JSON")
    .addHelpText("after", "\nExample:\n  agon doctor --base-url https://tesserax.net")
    .action((options: DoctorOptions) => doctor(options, context));
}

async function doctor(options: DoctorOptions, { env, output }: CommandContext): Promise<void> {
  const findings: Finding[] = [];
  const report = (...found: readonly Finding[]) => {
    findings.push(...found);
    // One by one, for a look may take its time.
    if (!options.json) for (const finding of found) printFinding(finding, output);
  };
  report(checkNode(process.versions.node));
  const { finding, config } = await checkConfig(configPath(env));
  report(finding);
  const baseUrl = chooseBaseUrl(options.baseUrl, env, config);
  const arena = await checkArena(baseUrl);
  report(...arena.findings);
  if (arena.isThere) {
    const apiKey = chooseApiKey(env, config, baseUrl);
    const account = await checkAccount(baseUrl, apiKey);
    report(account);
    const ownKey = account.level === "good" ? apiKey : undefined;
    for (const agent of listAgents(env, config, baseUrl)) report(...(await checkAgent(baseUrl, agent, ownKey)));
  }

  const faults = findings.filter(({ level }) => level === "bad").length;
  const warnings = findings.filter(({ level }) => level === "warn").length;
  process.exitCode = faults > 0 ? 1 : 0;
  if (options.json) return output.json({ base_url: baseUrl, ok: faults === 0, findings });
  const rest = warnings === 0 ? "" : ` ${warnings} worth knowing.`;
  output.line(faults === 0 ? `Nothing to mend.${rest}` : `${faults} to mend.${rest}`);
}

/** Those that are stored, and the one that the environment names. */
function listAgents(env: NodeJS.ProcessEnv, config: Config, baseUrl: string): StoredAgent[] {
  const { agents } = arenaOf(config, baseUrl);
  const { AGON_AGENT_ID: id, AGON_AGENT_SECRET: secret } = env;
  if (!id || !secret) return agents;
  const name = agents.find((agent) => agent.id === id)?.name ?? "";
  return [...agents.filter((agent) => agent.id !== id), { id, name, secret }];
}

function printFinding({ level, about, detail, advice }: Finding, output: Output): void {
  const { palette } = output;
  output.line(`${palette[level](padText(level, 4))}  ${padText(about, 10)}  ${toOneLine(detail)}`);
  if (advice !== undefined) output.line(`${" ".repeat(18)}${palette.accent(toOneLine(advice))}`);
}
