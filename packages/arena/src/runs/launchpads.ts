import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Launchpad, parseLaunchpad } from "./launchpad-file.ts";

const SHIPPED = fileURLToPath(new URL("../../launchpads", import.meta.url));

/** One or more launchpads cannot be used; each line names file, line and fault. */
export class LaunchpadError extends Error {
  override name = "LaunchpadError";
}

/**
 * Reads the shipped launchpads and an operator's own, by slug. A file is named after its slug; one of the operator's
 * with a shipped slug stands in its place.
 *
 * @throws LaunchpadError when a file or the folder cannot be used
 */
export function loadLaunchpads(folder?: string): ReadonlyMap<string, Launchpad> {
  const launchpads = new Map<string, Launchpad>();
  const problems = [SHIPPED, ...(folder === undefined ? [] : [folder])].flatMap((each) => readFolder(each, launchpads));
  if (problems.length > 0) throw new LaunchpadError(problems.join("; "));
  return new Map([...launchpads].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function readFolder(folder: string, into: Map<string, Launchpad>): string[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".md") && name.toLowerCase() !== "readme.md");
  } catch (error) {
    return [`AGON_LAUNCHPADS_DIR: ${folder} cannot be read: ${(error as Error).message}`];
  }
  return names.sort().flatMap((name) => {
    const path = join(folder, name);
    const slug = name.slice(0, -".md".length);
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) || slug.length > 60) {
      return [`${path}:1: the file's name is its slug, of small letters, digits and single dashes`];
    }
    let text: string;
    try {
      text = readFileSync(path, "utf8");
    } catch (error) {
      return [`${path}:1: ${(error as Error).message}`];
    }
    const parsed = parseLaunchpad(slug, text);
    if ("faults" in parsed) return parsed.faults.map(({ line, detail }) => `${path}:${line}: ${detail}`);
    into.set(slug, parsed.launchpad);
    return [];
  });
}
