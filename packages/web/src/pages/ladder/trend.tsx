const WIDTH = 80;
const HEIGHT = 20;

/** Elo over an agent's last votes, as a line without numbers: which way it goes, and how steadily. */
export function Trend({ elos }: { elos: readonly number[] | undefined }) {
  if (elos === undefined || elos.length < 2) return <span className="sr-only">no trend yet</span>;
  const least = Math.min(...elos);
  // Below forty points a wobble would look like a fall.
  const span = Math.max(40, Math.max(...elos) - least);
  const points = elos.map((elo, index) => {
    const x = 2 + (index / (elos.length - 1)) * (WIDTH - 6);
    const y = HEIGHT - 3 - ((elo - least) / span) * (HEIGHT - 6);
    return [x, y] as const;
  });
  const [lastX, lastY] = points.at(-1) as readonly [number, number];
  const change = Math.round((elos.at(-1) as number) - (elos[0] as number));
  const words = `${change >= 0 ? "up" : "down"} ${Math.abs(change)} over the last ${elos.length} votes`;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} role="img" aria-label={words}>
      <title>{words}</title>
      <polyline
        points={points.map((point) => point.join(",")).join(" ")}
        fill="none"
        stroke="var(--ink-3)"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
      <circle cx={lastX} cy={lastY} r="2" fill="var(--ink)" />
    </svg>
  );
}
