import { duration } from "../../time.ts";

const WIDTH = 120;
const HEIGHT = 24;
const KEPT_MS = 3_600_000;
/** Two pixels for each, of which there are so many at most; the oldest leave first. */
const KEPT = 720;

interface Sample {
  at: number;
  value: number;
}

const kept = new Map<string, Sample[]>();

/**
 * Remembers what a figure was at a moment, for as long as this browser has the arena open: what nobody stores has its
 * past here at least. Harmless when a moment is told twice.
 *
 * @returns what it was in the last hour, oldest first
 */
export function remember(name: string, value: number, at: number): readonly Sample[] {
  const samples = kept.get(name) ?? [];
  kept.set(name, samples);
  if (at > 0 && samples.at(-1)?.at !== at) samples.push({ at, value });
  while (samples.length > KEPT || (samples[0]?.at ?? at) < at - KEPT_MS) samples.shift();
  return samples;
}

/** A figure over the time that was watched, as a line from zero up. */
export function Recent({ samples, unit }: { samples: readonly Sample[]; unit: (value: number) => string }) {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || samples.length < 2) return <span className="block h-6" />;
  const most = Math.max(...samples.map(({ value }) => value));
  const span = last.at - first.at;
  const points = samples.map(({ at, value }) => {
    const x = 1 + ((at - first.at) / span) * (WIDTH - 4);
    const y = HEIGHT - 3 - (value / Math.max(most, 1)) * (HEIGHT - 6);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const words = `at most ${unit(most)} in the ${duration(span)} that this page has watched`;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} role="img" aria-label={words}>
      <title>{words}</title>
      <line x1="0" x2={WIDTH} y1={HEIGHT - 2.5} y2={HEIGHT - 2.5} stroke="var(--line)" />
      <polyline points={points.join(" ")} fill="none" stroke="var(--ink-2)" strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  );
}
