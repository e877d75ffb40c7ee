import { readFileSync } from "node:fs";
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
function toProof(report: Report, finishedParts: readonly string[]) {
  const cited = new Set<string>();
  for (const file of report.testResults) {
    // A skipped or todo test has another status, so a rule cannot be proven by leaving its test out.
    const passed = file.assertionResults.filter((test) => test.status === "passed");
    for (const id of passed.flatMap((test) => citedIds(test.title))) cited.add(id);
  }
  const known = new Set(REQUIREMENTS.map(({ id }) => id));
  return {
    proven: REQUIREMENTS.filter(({ id }) => cited.has(id)),
    missing: REQUIREMENTS.filter(({ id, part }) => finishedParts.includes(part) && !cited.has(id)),
    unknown: [...cited].filter((id) => !known.has(id)),
  };
}

/** Reads a report, prints what it proves, and returns the exit status: 1 when a rule of a finished part is not proven. */
export function checkRequirements(
  path: string,
  print: (line: string) => void,
  finishedParts: readonly string[] = FINISHED_PARTS,
): 0 | 1 {
  const proof = readProof(path, finishedParts);
  if (proof === undefined) {
    print(`requirements: no readable test report at ${path}; run the tests first`);
    return 1;
  }
  const { proven, missing, unknown } = proof;
  print(`requirements: ${proven.length} of ${REQUIREMENTS.length} proven`);
  for (const { id, part, rule } of missing) print(`  not proven: ${id} (${part}) ${rule}`);
  for (const id of unknown) print(`  no such requirement: ${id}`);
  return missing.length + unknown.length > 0 ? 1 : 0;
}

/** Undefined for a report that is missing, is no JSON, or has another form: each means that nothing is proven. */
function readProof(path: string, finishedParts: readonly string[]) {
  try {
    return toProof(JSON.parse(readFileSync(path, "utf8")), finishedParts);
  } catch {
    return undefined;
  }
}

if (import.meta.main) process.exitCode = checkRequirements(process.argv[2] ?? REPORT, console.log);
