import { readFileSync } from "node:fs";
import type { Requirement } from "../packages/protocol/src/requirement.ts";
import { FINISHED_PARTS, REQUIREMENTS } from "../packages/protocol/src/requirements.ts";

/** Where the test run leaves its report, unless another path is given as the first argument. */
const REPORT = "node_modules/.cache/vitest/report.json";

/** The part of vitest's JSON report that is read here. */
type Report = { testResults: { assertionResults: { title: string; status: string }[] }[] };

/** The ids in one or more brackets at the start of a test's title: "[TX-RES-1, TX-RES-2] …" or "[TX-RES-1] [TX-RES-2] …". */
export function citedIds(title: string): string[] {
  const head = /^(?:\s*\[[^\]]*\])+/.exec(title)?.[0] ?? "";
  return head.match(/[A-Z]+-[A-Z]+-\d+/g) ?? [];
}

/** What a report proves. `missing` are the rules of finished parts without a passing test, `unknown` ids that no rule has. */
export function toProof(report: Report, requirements: readonly Requirement[], finishedParts: readonly string[]) {
  const cited = new Set<string>();
  for (const file of report.testResults) {
    // A skipped or todo test has another status, so a rule cannot be proven by leaving its test out.
    for (const test of file.assertionResults)
      if (test.status === "passed") for (const id of citedIds(test.title)) cited.add(id);
  }
  const known = new Set(requirements.map(({ id }) => id));
  return {
    proven: requirements.filter(({ id }) => cited.has(id)),
    missing: requirements.filter(({ id, part }) => finishedParts.includes(part) && !cited.has(id)),
    unknown: [...cited].filter((id) => !known.has(id)),
  };
}

/** Reads a report, prints what it proves, and returns the exit status: 1 when a rule of a finished part is not proven. */
export function checkRequirements(
  path: string,
  print: (line: string) => void,
  requirements: readonly Requirement[] = REQUIREMENTS,
  finishedParts: readonly string[] = FINISHED_PARTS,
): 0 | 1 {
  let report: Report;
  try {
    report = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    print(`requirements: no readable test report at ${path}; run the tests first`);
    return 1;
  }
  const { proven, missing, unknown } = toProof(report, requirements, finishedParts);
  print(`requirements: ${proven.length} of ${requirements.length} proven`);
  for (const { id, part, rule } of missing) print(`  not proven: ${id} (${part}) ${rule}`);
  for (const id of unknown) print(`  no such requirement: ${id}`);
  return missing.length + unknown.length > 0 ? 1 : 0;
}

if (import.meta.main) process.exitCode = checkRequirements(process.argv[2] ?? REPORT, console.log);
