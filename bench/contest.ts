/** One way to do the work that is measured. `run` does it for about `seconds` and says how often per second. */
export interface Contestant {
  name: string;
  run(seconds: number): Promise<number>;
  /** Waits until nothing of its turn is left to be done, which would slow whoever comes next. */
  settle?(): Promise<void>;
}

export interface BenchOptions {
  rounds: number;
  /** Length of a contestant's turn. */
  seconds: number;
  /** Folder for a CPU profile of the arena, which then competes with the floor alone. */
  profile?: string | undefined;
}

export interface Standing {
  name: string;
  /** Median of the rounds, and the least and most. */
  median: number;
  low: number;
  high: number;
  rounds: number[];
}

/**
 * Lets the contestants take turns for several rounds: on a machine whose speed changes from second to second only what
 * ran beside each other can be compared, and only as a ratio.
 */
export async function hold(contestants: readonly Contestant[], options: BenchOptions): Promise<Standing[]> {
  const results = new Map<string, number[]>(contestants.map((each) => [each.name, []]));
  const turn = async (each: Contestant, seconds: number) => {
    const result = await each.run(seconds);
    await each.settle?.();
    return result;
  };
  for (const each of contestants) await turn(each, Math.min(1, options.seconds));
  for (let round = 0; round < options.rounds; round += 1) {
    for (const each of contestants) results.get(each.name)?.push(await turn(each, options.seconds));
  }
  return contestants.map(({ name }) => {
    const rounds = results.get(name) as number[];
    const sorted = [...rounds].sort((a, b) => a - b);
    return { name, median: medianOf(sorted), low: sorted[0] ?? 0, high: sorted.at(-1) ?? 0, rounds };
  });
}

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
}

/** Calls `work` from `workers` loops for a time; resolves to calls per second. */
export async function rate(seconds: number, workers: number, work: (worker: number) => Promise<void>): Promise<number> {
  const begun = performance.now();
  const until = begun + seconds * 1000;
  let done = 0;
  const loop = async (worker: number) => {
    while (performance.now() < until) {
      await work(worker);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => loop(worker)));
  return done / ((performance.now() - begun) / 1000);
}

/** A ratio with what it means and what it should reach. */
export interface Ratio {
  name: string;
  value: number;
  goal?: number;
  /** The goal of a value that should be small. */
  most?: number;
}

export interface Report {
  bench: string;
  ratios: Ratio[];
  standings: Standing[];
  notes: string[];
}

/** The report as text: ratios first, for only they carry over to another machine. */
export function toText(report: Report): string {
  const lines = [`${report.bench}`];
  for (const { name, value, goal, most } of report.ratios) {
    const mark =
      goal !== undefined
        ? `  (goal ${goal}: ${value >= goal ? "reached" : "missed"})`
        : most !== undefined
          ? `  (at most ${most}: ${value <= most ? "reached" : "missed"})`
          : "";
    lines.push(`  ${value.toFixed(2).padStart(8)}  ${name}${mark}`);
  }
  for (const each of report.standings) {
    const figures = [each.median, each.low, each.high].map((value) => Math.round(value).toLocaleString("en-US"));
    lines.push(`  ${(figures[0] as string).padStart(8)}  ${each.name}  (${figures[1]} to ${figures[2]})`);
  }
  return [...lines, ...report.notes.map((note) => `  ${note}`)].join("\n");
}
