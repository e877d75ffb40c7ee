import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { importRules } from "./import-rules.ts";

export interface ImportCheck {
  moduleCount: number;
  violations: string[];
}

/** Checks the order of imports below `root`, a tree laid out like this repository. */
export async function checkImports(root: string): Promise<ImportCheck> {
  const { output } = await cruise(
    ["packages", "scripts"],
    {
      baseDir: root,
      validate: true,
      ruleSet: importRules(),
      // Without it imports of types alone are invisible, and with them half of all cycles.
      tsPreCompilationDeps: true,
      exclude: { path: "(^|/)(node_modules|dist)/" },
    },
    { exportsFields: ["exports"], conditionNames: ["@agon/source", "import", "node", "types", "default"] },
  );
  const result = output as ICruiseResult;
  assertNothingOverlooked(root, result);
  return { moduleCount: result.summary.totalCruised, violations: result.summary.violations.map(describeViolation) };
}

/** The tool skips files that it cannot read as TypeScript and reports success; so every source file is accounted for. */
function assertNothingOverlooked(root: string, result: ICruiseResult): void {
  const cruised = new Set(result.modules.map((module) => module.source));
  const sources = readdirSync(join(root, "packages")).flatMap((name) => sourceFiles(root, `packages/${name}/src`));
  const missed = sources.filter((file) => !cruised.has(file));
  if (sources.length === 0) throw new Error(`no source files below ${join(root, "packages")}`);
  if (missed.length > 0) throw new Error(`${missed.length} files were not read, ${missed[0]} among them`);
}

function sourceFiles(root: string, folder: string): string[] {
  try {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
    return names.filter((name) => /\.tsx?$/.test(name)).map((name) => `${folder}/${name}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function describeViolation(violation: ICruiseResult["summary"]["violations"][number]): string {
  const { from, to, rule, cycle, comment } = violation;
  const path = cycle ? [from, ...cycle.map((step) => step.name)] : [from, to];
  const reason = importRules().forbidden?.find((candidate) => candidate.name === rule.name)?.comment ?? comment ?? "";
  return `${rule.name}: ${path.join(" → ")}\n    ${reason}`;
}

if (import.meta.main) {
  const { moduleCount, violations } = await checkImports(resolve(import.meta.dirname, ".."));
  for (const violation of violations) console.error(violation);
  console.log(`imports: ${moduleCount} modules, ${violations.length} violations`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
