import * as Plot from "@observablehq/plot";
import { useMemo } from "react";
import { Chart } from "../../ui/chart.tsx";

/** Elo after each of the last votes. */
export default function HistoryChart({ elos }: { elos: readonly number[] }) {
  const points = useMemo(() => elos.map((elo, index) => ({ vote: index - elos.length + 1, elo })), [elos]);
  const last = points.at(-1);
  return (
    <Chart
      label={`Elo over the last ${elos.length} votes`}
      height={240}
      table={{
        head: ["vote", "Elo"],
        rows: points.map(({ vote, elo }) => [vote === 0 ? "last" : String(vote), String(Math.round(elo))]),
      }}
      marks={(width) => ({
        width,
        x: {
          label: null,
          tickSize: 0,
          tickFormat: (vote: number) => (vote === 0 ? "now" : String(vote)),
          ticks: Math.max(3, Math.round(width / 120)),
        },
        y: { label: null, nice: true, ticks: 4, grid: true, tickSize: 0, tickFormat: (elo: number) => String(elo) },
        marks: [
          Plot.line(points, { x: "vote", y: "elo", stroke: "var(--ink)", strokeWidth: 1.5, curve: "step-after" }),
          Plot.dot(last ? [last] : [], { x: "vote", y: "elo", fill: "var(--ink)", r: 4 }),
          Plot.text(last ? [last] : [], {
            x: "vote",
            y: "elo",
            text: (point: { elo: number }) => String(Math.round(point.elo)),
            dy: -12,
            fontWeight: 600,
            fill: "var(--ink)",
          }),
        ],
      })}
    />
  );
}
