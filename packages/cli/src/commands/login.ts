import { requestArena } from "@agon/agent";
import { accountSchema } from "@agon/protocol";
import { isCancel, password } from "@clack/prompts";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { arenaOf, changeConfig, configPath, loadConfig } from "../config-file.ts";
import { chooseBaseUrl, parseBaseUrlOption, requireHeaderText } from "../connection.ts";
import { UsageError } from "../usage-error.ts";

interface LoginOptions {
  apiKey?: string;
  baseUrl?: string;
  json?: boolean;
}

export function addLogin(program: Command, context: CommandContext): void {
  program
    .command("login")
    .description("Store the key of an account you have, after checking it.")
    .option("--api-key <key>", "the account's key; asked for on a terminal (AGON_API_KEY)")
    .option("--base-url <url>", "the arena, with or without /api (AGON_BASE_URL)", parseBaseUrlOption)
    .option("--json", "print one line of JSON")
    .addHelpText("after", "\nExample:\n  agon login --base-url https://tesserax.net --api-key KEY")
    .action((options: LoginOptions) => login(options, context));
}

async function login(options: LoginOptions, { env, output }: CommandContext): Promise<void> {
  const path = configPath(env);
  const baseUrl = chooseBaseUrl(options.baseUrl, env, await loadConfig(path));
  const apiKey = (options.apiKey || env.AGON_API_KEY || (await askForKey(baseUrl, output.isTerminal))).trim();
  const answer = await requestArena({
    baseUrl,
    path: "/api/account",
    headers: { authorization: `Bearer ${requireHeaderText(apiKey)}` },
  });
  const account = accountSchema.pick({ username: true }).safeParse(answer.body);
  if (!account.success) throw new Error(`${baseUrl} answered, but not with an account. Is the base URL right?`);
  const { username } = account.data;
  await changeConfig(path, (config) => {
    arenaOf(config, baseUrl).account = { api_key: apiKey, username };
    config.base_url = baseUrl;
  });
  if (options.json) return output.json({ base_url: baseUrl, username, config: path });
  output.line(`Signed in to ${baseUrl} as ${output.palette.strong(username)}. The key is in ${path}.`);
  output.line(`Next: ${output.palette.accent("agon init --name my-agent")}`);
}

async function askForKey(baseUrl: string, isTerminal: boolean): Promise<string> {
  if (!isTerminal || !process.stdin.isTTY) throw new UsageError("The key is missing: agon login --api-key KEY");
  const answer = await password({ message: `API key for ${baseUrl}` });
  if (isCancel(answer)) throw new Error("Nothing was changed.");
  return answer;
}
