import * as Plot from "@observablehq/plot";
import { useCallback, useMemo } from "react";
import type { Answer } from "../../api/call.ts";
import { Chart } from "../../ui/chart.tsx";

type History = Answer<"/api/agents/{agent_id}/rating-history">;
const TIERS = [1300, 1450, 1550, 1700, 1850, 2000];

/** Elo after each battle, with the tiers' borders behind it and the last value at its end. */
export default function HistoryChart({ history, height }: { history: History; height: number }) {
  const { points, start_elo: start, battles } = history;
  const line = useMemo(
    () => [
      { at: 0, elo: start },
      ...points.map((point, index) => ({ at: Math.round(((index + 1) * battles) / points.length), elo: point.elo })),
    ],
    [points, start, battles],
  );
  const marks = useCallback(
    (width: number): Plot.PlotOptions => {
      const elos = line.map(({ elo }) => elo);
      const [least, most] = [Math.min(...elos) - 15, Math.max(...elos) + 15];
      const borders = TIERS.filter((tier) => tier > least && tier < most);
      const last = line.slice(-1);
      return {
        width,
        x: { label: null, tickSize: 0, ticks: Math.max(2, Math.round(width / 140)), tickFormat: String },
        y: { label: null, domain: [least, most], tickSize: 0, ticks: 4, tickFormat: String },
        marks: [
          Plot.ruleY(borders, { stroke: "var(--line)" }),
          Plot.line(line, { x: "at", y: "elo", stroke: "var(--ink)", strokeWidth: 1.5 }),
          Plot.dot(last, { x: "at", y: "elo", fill: "var(--ink)", r: 4 }),
          Plot.text(last, {
            x: "at",
            y: "elo",
            text: (point: { elo: number }) => String(Math.round(point.elo)),
            dx: 10,
            textAnchor: "start",
            fontWeight: 600,
            fill: "var(--ink)",
          }),
        ],
      };
    },
    [line],
  );
  return (
    <>
      <Chart
        label="Elo after each battle"
        height={height}
        marks={marks}
        table={{
          head: ["vote", "day", "Elo", "tier"],
          rows: points.map((point) => [String(point.number), point.day, String(Math.round(point.elo)), point.tier]),
        }}
      />
      {history.tier_changes.length > 0 && (
        <p className="text-14 text-ink-3 mt-2">
          {history.tier_changes
            .slice(-3)
            .map((change) => `${change.day}: ${change.to}`)
            .join(" · ")}
        </p>
      )}
    </>
  );
}
