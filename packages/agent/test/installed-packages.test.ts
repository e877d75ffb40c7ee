import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

interface Locked {
  resolved?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

const lock = readFileSync(join(import.meta.dirname, "../../../package-lock.json"), "utf8");
const { packages } = JSON.parse(lock) as { packages: Record<string, Locked> };

/** Where a package finds another: in its own folder, or in one further up. */
function find(from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf("/"), 0))) {
    const path = `${at === "" ? "" : `${at}/`}node_modules/${name}`;
    const found = packages[path];
    if (found !== undefined) return found.link ? found.resolved : path;
    if (at === "") return undefined;
  }
}

/** Everything that comes along when a package is installed: what it needs, and what that needs. */
function collect(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path] as Locked;
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true);
  for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
    const found = find(path, name);
    if (found === undefined) throw new Error(`${name}, which ${path} needs, is not in package-lock.json`);
    collect(found, seen);
  }
  return seen;
}

it("is fewer than twelve packages when it is installed, all that they need included", () => {
  const installed = collect("packages/agent");
  expect(installed).toContain("packages/protocol");
  expect(installed).toContain("node_modules/zod"); // by way of the protocol
  expect(installed.size).toBeLessThan(12);
});

it("counts what is needed by what is needed", () => {
  expect(collect("packages/arena").size).toBeGreaterThan(50);
});
