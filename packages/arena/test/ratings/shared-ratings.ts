import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Outcome, scoreOf } from "../../src/ratings/elo.ts";
import { createPairCounts, type PairCells } from "../../src/ratings/pair-counts.ts";

const shared = process.env.AGON_SHARED ?? join(import.meta.dirname, "../../../../../shared");
const folder = join(shared, "data/ratings");

/** Real outcomes with published results, which are not part of the project. */
export const hasSharedRatings = existsSync(folder);
if (!hasSharedRatings) console.warn(`no real outcomes at ${folder}: the tests on them are skipped`);

/** The rows of one of those files by the names in its head. */
export function readCsv(path: string): Record<string, string>[] {
  const [head = "", ...lines] = readFileSync(join(folder, path), "utf8").trim().split(/\r?\n/);
  const names = head.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    return Object.fromEntries(names.map((name, index) => [name, cells[index] as string]));
  });
}

export function readJson<Value>(path: string): Value {
  return JSON.parse(readFileSync(join(folder, path), "utf8")) as Value;
}

export type Battle = readonly [a: string, b: string, outcome: Outcome, count?: number | undefined];

export function countBattles(battles: readonly Battle[], options: { keepSides?: boolean } = {}): PairCells {
  const counts = createPairCounts(options);
  for (const [a, b, outcome, count] of battles) counts.add(a, b, outcome, count);
  return counts.toCells();
}

export const outcomeOfScore = (score: number): Outcome => {
  const outcome = (["a", "b", "tie"] as const).find((each) => scoreOf(each) === score);
  if (outcome === undefined) throw new Error(`${score} is no score`);
  return outcome;
};
