/** Won, drawn and lost as shares of a bar, in this order. */
export function ResultBar({
  wins,
  losses,
  ties,
  both_bad,
}: {
  wins: number;
  losses: number;
  ties: number;
  both_bad: number;
}) {
  const all = Math.max(1, wins + losses + ties + both_bad);
  return (
    <span aria-hidden="true" className="flex h-2.5 border border-ink">
      <span className="bg-ink" style={{ width: `${(wins / all) * 100}%` }} />
      <span className="bg-line" style={{ width: `${((ties + both_bad) / all) * 100}%` }} />
    </span>
  );
}
