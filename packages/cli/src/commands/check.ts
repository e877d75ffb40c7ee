import { DIALECTS, type Dialect, EDGEARENA_KEY_PREFIX, type Role } from "@agon/protocol";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CheckFinding } from "../check/check-finding.ts";
import type { CheckPorts } from "../check/plain-fetch.ts";
import type { CommandContext } from "../command-context.ts";
import { configPath, loadConfig } from "../config-file.ts";
import { chooseAgent, chooseBaseUrl, parseBaseUrlOption } from "../connection.ts";
import { wholeNumber } from "../number-options.ts";
import { type Output, toOneLine } from "../output.ts";
import { readRoles } from "../role-option.ts";
import { padText } from "../text-width.ts";
import { UsageError } from "../usage-error.ts";

interface CheckOptions {
  role: Role[];
  key?: string;
  publicUrl?: string;
  dialect: Dialect;
  secret?: string;
  agent?: string;
  baseUrl?: string;
  pull?: boolean;
  deadline: number;
  json?: boolean;
}

const DEFAULT_ROLES: Role[] = ["SCOUT"];

export function addCheck(program: Command, { env, output }: CommandContext): void {
  program
    .command("check")
    .description("Find out whether an agent works, before an arena does: what is wrong, why, and what to change.")
    .argument("[target...]", "the agent's URL; with --pull, the command after --")
    .option("--role <roles>", "its roles, SCOUT, BUILDER or ANALYST, with commas between", readRoles, DEFAULT_ROLES)
    .option("--key <key>", "its edgearena-v1 key, sa_…, to check signatures (AGON_AGENT_KEY)")
    .option("--public-url <url>", "the URL that arenas know, where a proxy changes host or path on the way", readUrl)
    .addOption(new Option("--dialect <dialect>", "what it speaks").choices([...DIALECTS]).default("edgearena-v1"))
    .option("--secret <secret>", "its webhook_secret, with --dialect tesserax (AGON_AGENT_SECRET)")
    .option("--agent <id>", "take dialect and secret of an agent that agon init made, by id or name")
    .option("--base-url <url>", "the arena of that agent (AGON_BASE_URL)", parseBaseUrlOption)
    .option("--pull", "check a command, as agon run runs it")
    .option("--deadline <seconds>", "how long the command may take, with --pull", wholeNumber(1, 3_600), 60)
    .option("--json", "print one line of JSON")
    .addHelpText(
      "after",
      "\nExample:\n  agon check http://127.0.0.1:4601 --role SCOUT,ANALYST --key sa_...\n  agon check https://example.com/hook --dialect tesserax --secret whsec_...\n  agon check --pull -- python my_agent.py",
    )
    .action((target: string[], options: CheckOptions) => check(target, options, env, output));
}

async function check(target: string[], options: CheckOptions, env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const findings: CheckFinding[] = [];
  for await (const finding of await start(target, options, env)) {
    findings.push(finding);
    // One by one, for a model takes its time.
    if (!options.json) printFinding(finding, output);
  }
  const faults = findings.filter(({ ok }) => !ok).length;
  process.exitCode = faults > 0 ? 1 : 0;
  if (options.json) return output.json({ target: target.join(" "), ok: faults === 0, findings: findings.map(toWire) });
  output.line(faults === 0 ? "Nothing to change." : `${faults} to change.`);
}

async function start(
  target: string[],
  options: CheckOptions,
  env: NodeJS.ProcessEnv,
): Promise<AsyncIterable<CheckFinding>> {
  const { role: roles, publicUrl } = options;
  const ports = await createPorts();
  if (options.pull) {
    if (target.length === 0) throw new UsageError("The command is missing: agon check --pull -- python my_agent.py");
    const { checkCommand } = await import("../check/command-checks.ts");
    // Without --role a command is checked for prompts alone.
    const asked = options.role === DEFAULT_ROLES ? [] : roles;
    return checkCommand(ports, { command: target, roles: asked, deadlineSeconds: options.deadline });
  }
  const [url, ...rest] = target;
  if (url === undefined || rest.length > 0) throw new UsageError("One URL is checked at a time: agon check https://…");
  if (!isHttpUrl(url)) throw new UsageError(`${url} is no http or https URL.`);
  const stored = await findStored(options, env);
  const isStoredKey = stored?.startsWith(EDGEARENA_KEY_PREFIX);
  if (options.dialect === "tesserax" || isStoredKey === false) {
    const secret = options.secret || stored || env.AGON_AGENT_SECRET;
    if (!secret) throw new UsageError("A webhook is checked with its secret: --secret whsec_…, or AGON_AGENT_SECRET.");
    const { checkWebhook } = await import("../check/webhook-checks.ts");
    return checkWebhook(ports, { url, secret: secret.trim() });
  }
  const key = (options.key || stored || env.AGON_AGENT_KEY)?.trim();
  const { checkEdgearena } = await import("../check/edgearena-checks.ts");
  return checkEdgearena(ports, { url, roles, key: key === "" ? undefined : key, publicUrl });
}

/** The secret of the agent that is named; undefined when none is. */
async function findStored(options: CheckOptions, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (options.agent === undefined) return undefined;
  const config = await loadConfig(configPath(env));
  const baseUrl = chooseBaseUrl(options.baseUrl, env, config);
  return chooseAgent({ agent: options.agent, mode: "push" }, env, config, baseUrl).secret.trim();
}

async function createPorts(): Promise<CheckPorts> {
  const [{ v7 }, { plainFetch }] = await Promise.all([import("uuid"), import("../check/plain-fetch.ts")]);
  return { fetch: plainFetch, newId: () => v7(), now: () => Date.now() };
}

function printFinding(
  { check: name, ok, skipped, code, detail, fix, notes, latencyMs }: CheckFinding,
  output: Output,
): void {
  const { palette } = output;
  const word = skipped ? palette.quiet("skip") : ok ? palette.good("good") : palette.bad("bad ");
  const time = latencyMs === null ? "" : palette.quiet(`  ${latencyMs} ms`);
  output.line(`${word}  ${padText(name, 24)}  ${toOneLine(detail)}${time}`);
  const indent = " ".repeat(32);
  if (code !== null) output.line(`${indent}${palette.accent(toOneLine(fix ?? ""))}  ${palette.quiet(code)}`);
  for (const note of notes) output.line(`${indent}${palette.warn(toOneLine(note))}`);
}

function toWire({ check: name, latencyMs, ...finding }: CheckFinding) {
  return { check: name, ...finding, latency_ms: latencyMs };
}

function readUrl(text: string): string {
  if (!isHttpUrl(text)) throw new InvalidArgumentError("It has to be an http or https URL.");
  return text;
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
