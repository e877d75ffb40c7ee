/** Durations as people read them: 842 ms, 12.4 s, 3 min. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 99_950) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 5_400_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 172_800_000) return `${Math.round(ms / 3_600_000)} h`;
  return `${Math.round(ms / 86_400_000)} days`;
}

/** How long ago, or in how long. */
export function relative(at: number, now: number): string {
  const distance = at - now;
  if (Math.abs(distance) < 5_000) return "now";
  const words = duration(Math.round(Math.abs(distance) / 1_000) * 1_000).replace(/\.0(?= s)/, "");
  return distance < 0 ? `${words} ago` : `in ${words}`;
}

export function bytes(count: number): string {
  if (count < 1_000) return `${count} bytes`;
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(1)} MB`;
}
