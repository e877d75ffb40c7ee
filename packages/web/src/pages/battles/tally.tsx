export interface TallyCounts {
  a: number;
  b: number;
  tie: number;
  both_bad: number;
}

export function winnerOf({ a, b }: TallyCounts): "a" | "b" | undefined {
  return a === b ? undefined : a > b ? "a" : "b";
}

/** Votes as one bar from A to B, with the numbers at its ends. */
export function Tally({ tally, large }: { tally: TallyCounts; large?: boolean }) {
  const { a, b, tie, both_bad: bad } = tally;
  const all = Math.max(1, a + b + tie + bad);
  const share = (votes: number) => ({ width: `${(votes / all) * 100}%` });
  const words = `${a} for A, ${b} for B, ${tie} ties, ${bad} both bad`;
  return (
    <span role="img" aria-label={words} title={words} className="flex items-center gap-2 font-mono text-14">
      <span aria-hidden="true" className="text-a font-semibold w-5 text-right">
        {a}
      </span>
      <span aria-hidden="true" className={`flex flex-1 min-w-16 bg-sunk ${large ? "h-4" : "h-2.5"}`}>
        <span className="bg-a" style={share(a)} />
        <span className="bg-line" style={share(tie)} />
        <span
          className="border border-dashed border-ink-3"
          style={{ ...share(bad), ...(bad === 0 ? { display: "none" } : {}) }}
        />
        <span className="bg-b" style={share(b)} />
      </span>
      <span aria-hidden="true" className="text-b font-semibold w-5">
        {b}
      </span>
    </span>
  );
}
