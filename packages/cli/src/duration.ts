/** A span of time for people: 842 ms, 12.4 s, 3 min. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const minutes = milliseconds / 60_000;
  if (minutes < 9.95) return `${Number(minutes.toFixed(1))} min`;
  return minutes < 119.5 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`;
}
