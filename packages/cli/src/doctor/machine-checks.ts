import { stat } from "node:fs/promises";
import { type Config, loadConfig } from "../config-file.ts";
import { bad, type Finding, good, warn } from "./finding.ts";

const NODE_LEAST = [22, 19] as const;

/** Whether this Node is new enough. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isEnough = major > NODE_LEAST[0] || (major === NODE_LEAST[0] && minor >= NODE_LEAST[1]);
  if (isEnough) return good("Node", version);
  return bad("Node", `${version} is too old`, `Use Node ${NODE_LEAST.join(".")} or newer; npx agon brings one along.`);
}

/** Whether the stored keys are there, whole, and for their owner alone. A broken file counts as empty for what follows. */
export async function checkConfig(path: string): Promise<{ finding: Finding; config: Config }> {
  let mode: number;
  try {
    mode = (await stat(path)).mode;
  } catch {
    const finding = warn(
      "Config",
      `${path} is not there: nothing is stored yet`,
      "Make an agent: agon init --name my-agent",
    );
    return { finding, config: { arenas: {} } };
  }
  let config: Config;
  try {
    config = await loadConfig(path);
  } catch (error) {
    return { finding: bad("Config", (error as Error).message), config: { arenas: {} } };
  }
  const arenas = Object.values(config.arenas);
  const agents = arenas.reduce((sum, arena) => sum + arena.agents.length, 0);
  const holds = `${count(arenas.length, "arena")}, ${count(agents, "agent")}`;
  const isOpen = process.platform !== "win32" && (mode & 0o077) !== 0;
  const finding = isOpen
    ? bad("Config", `${path} can be read by others (mode ${toOctal(mode)}), and holds your keys`, `chmod 600 ${path}`)
    : good("Config", `${path} holds ${holds}`);
  return { finding, config };
}

function toOctal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, "0");
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
