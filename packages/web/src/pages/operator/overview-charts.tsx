import * as Plot from "@observablehq/plot";
import { useCallback, useMemo } from "react";
import type { Answer } from "../../api/call.ts";
import { duration } from "../../time.ts";
import { Chart } from "../../ui/chart.tsx";
import { Word } from "../../ui/word.tsx";

type History = Answer<"/api/admin/history">;
type Point = History["points"][number];
type Cause = "timeout" | "error" | "invalid" | "unreachable" | "arena";

const HEIGHT = 200;
/** Room for "1.5 min" left of the axis, and for a name right of a line. */
const MARGINS = { marginLeft: 56, marginRight: 52 };
const CAUSES: readonly [cause: Cause, name: string, what: string][] = [
  ["timeout", "timeout", "no answer before the deadline"],
  ["error", "error", "it said that it failed, or answered with an error status"],
  ["invalid", "invalid", "an answer that was not in shape"],
  ["unreachable", "unreachable", "no connection came about"],
  ["arena", "arena", "lost or broken by us; agents bear none of it"],
];
const ofAgents = (point: Point) => point.timeout + point.error + point.invalid + point.unreachable;
const clock = (at: Date) => at.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });

/** How tasks ended over time by whose doing, how long answers took, and the causes. */
export default function OverviewCharts({ history }: { history: History }) {
  const { points, slot_seconds: slot } = history;
  const total = (count: (point: Point) => number) => points.reduce((sum, point) => sum + count(point), 0);
  const [answered, theirs, ours] = [total((point) => point.completed), total(ofAgents), total((point) => point.arena)];
  const all = answered + theirs + ours;
  if (all === 0) {
    return (
      <p className="text-14 text-ink-2 py-6">No task ended in this time. When agents work, this fills by itself.</p>
    );
  }
  return (
    <div className="grid gap-8 [&>*]:min-w-0">
      <div className="grid lg:grid-cols-2 gap-x-12 gap-y-8">
        <div className="min-w-0">
          <h3 className="text-14 mb-1">Tasks that ended, per {duration(slot * 1_000)}</h3>
          <p className="flex flex-wrap gap-x-4 text-14">
            <Word tone="good">{`${answered} answered`}</Word>
            <Word tone="bad">{`${theirs} by agents' fault`}</Word>
            <Word tone="ours">{`${ours} by ours`}</Word>
          </p>
          <Outcomes history={history} />
        </div>
        <div className="min-w-0">
          <h3 className="text-14 mb-1">Time to an answer</h3>
          <p className="text-14 text-ink-3">from handing the task out; the band is from the middle one to 19 of 20</p>
          <Latency history={history} />
        </div>
      </div>
      <div className="grid lg:grid-cols-2 gap-x-12 gap-y-8">
        <div className="min-w-0">
          <h3 className="text-14 mb-2">Why tasks failed</h3>
          <Causes points={points} />
        </div>
        <div className="min-w-0">
          <h3 className="text-14 mb-1">Tasks in flight</h3>
          <p className="text-14 text-ink-3">that agents worked on, every {duration(slot * 1_000)}</p>
          <InFlight history={history} />
        </div>
      </div>
      {history.each > 1 && (
        <p className="text-12 text-ink-3">
          There were more tasks than a look takes: every {history.each}th was counted, and stands for {history.each}.
        </p>
      )}
    </div>
  );
}

function Outcomes({ history }: { history: History }) {
  const { points, slot_seconds: slot } = history;
  const bars = useMemo(
    () =>
      points.flatMap((point) => {
        const x1 = new Date(point.at);
        const x2 = new Date(x1.getTime() + slot * 1_000);
        let base = 0;
        return [
          { count: point.completed, fill: "var(--good)" },
          { count: ofAgents(point), fill: "var(--bad)" },
          { count: point.arena, fill: "var(--ours)" },
        ].map(({ count, fill }) => {
          const y1 = base;
          base += count;
          return { x1, x2, y1, y2: base, fill };
        });
      }),
    [points, slot],
  );
  const marks = useCallback(
    (width: number): Plot.PlotOptions => ({
      width,
      ...MARGINS,
      x: { label: null, tickSize: 0, ticks: Math.max(2, Math.round(width / 120)), type: "time" },
      y: {
        label: null,
        tickSize: 0,
        ticks: 4,
        tickFormat: (count: number) => (Number.isInteger(count) ? String(count) : ""),
      },
      marks: [
        Plot.ruleY([0], { stroke: "var(--line)" }),
        Plot.rect(bars, { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: "fill", insetLeft: 0.5, insetRight: 0.5 }),
      ],
    }),
    [bars],
  );
  return (
    <Chart
      label="Tasks that ended, over time"
      height={HEIGHT}
      marks={marks}
      table={{
        head: ["from", "answered", "agents", "ours"],
        rows: points.map((point) => [
          clock(new Date(point.at)),
          String(point.completed),
          String(ofAgents(point)),
          String(point.arena),
        ]),
      }}
    />
  );
}

function Latency({ history }: { history: History }) {
  const { points, slot_seconds: slot } = history;
  const line = useMemo(
    () =>
      points.map((point) => ({
        // In the middle of its part of the time.
        at: new Date(Date.parse(point.at) + slot * 500),
        p50: point.p50_ms === null ? Number.NaN : Math.max(1, point.p50_ms),
        p95: point.p95_ms === null ? Number.NaN : Math.max(1, point.p95_ms),
      })),
    [points, slot],
  );
  const marks = useCallback(
    (width: number): Plot.PlotOptions => {
      const known = line.filter((point) => !Number.isNaN(point.p50));
      const last = known.slice(-1);
      const least = Math.min(...known.map((point) => point.p50)) * 0.9;
      const most = Math.max(...known.map((point) => point.p95)) * 1.1;
      return {
        width,
        ...MARGINS,
        x: {
          label: null,
          tickSize: 0,
          ticks: Math.max(2, Math.round(width / 120)),
          type: "time",
          domain: [new Date(points[0]?.at ?? 0), new Date(Date.parse(points.at(-1)?.at ?? "") + slot * 1_000)],
        },
        y: {
          label: null,
          tickSize: 0,
          type: "log",
          domain: [least, most],
          ticks: roundTimes(least, most),
          tickFormat: (ms: number) => duration(ms).replace(".0 s", " s"),
        },
        marks: [
          Plot.areaY(line, { x: "at", y1: "p50", y2: "p95", fill: "var(--ink)", fillOpacity: 0.12 }),
          Plot.ruleX(known, { x: "at", y1: "p50", y2: "p95", stroke: "var(--ink)", strokeOpacity: 0.25 }),
          Plot.line(line, { x: "at", y: "p50", stroke: "var(--ink)", strokeWidth: 1.5 }),
          Plot.dot(known, { x: "at", y: "p50", fill: "var(--ink)", r: 2 }),
          ...(["p50", "p95"] as const).map((name) =>
            Plot.text(last, {
              x: "at",
              y: name,
              text: () => name,
              dx: 8,
              dy: name === "p50" ? 6 : -6,
              textAnchor: "start",
              fill: "var(--ink)",
              fontWeight: name === "p50" ? 600 : 400,
            }),
          ),
        ],
      };
    },
    [line, points, slot],
  );
  const shown = (ms: number | null) => (ms === null ? "–" : duration(ms));
  return (
    <Chart
      label="Time to an answer, over time"
      height={HEIGHT}
      marks={marks}
      table={{
        head: ["from", "p50", "p95"],
        rows: points.map((point) => [clock(new Date(point.at)), shown(point.p50_ms), shown(point.p95_ms)]),
      }}
    />
  );
}

function InFlight({ history }: { history: History }) {
  const { points, slot_seconds: slot } = history;
  const line = useMemo(
    () => points.map((point) => ({ at: new Date(Date.parse(point.at) + slot * 1_000), tasks: point.in_flight })),
    [points, slot],
  );
  const marks = useCallback(
    (width: number): Plot.PlotOptions => {
      const last = line.slice(-1);
      return {
        width,
        ...MARGINS,
        x: { label: null, tickSize: 0, ticks: Math.max(2, Math.round(width / 120)), type: "time" },
        y: {
          label: null,
          tickSize: 0,
          ticks: 4,
          domain: [0, Math.max(4, ...line.map((point) => point.tasks))],
          tickFormat: (count: number) => (Number.isInteger(count) ? String(count) : ""),
        },
        marks: [
          Plot.ruleY([0], { stroke: "var(--line)" }),
          Plot.line(line, { x: "at", y: "tasks", stroke: "var(--ink)", strokeWidth: 1.5, curve: "step-before" }),
          Plot.dot(last, { x: "at", y: "tasks", fill: "var(--ink)", r: 3 }),
          Plot.text(last, {
            x: "at",
            y: "tasks",
            text: (point: { tasks: number }) => String(point.tasks),
            dx: 8,
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
    <Chart
      label="Tasks in flight, over time"
      height={HEIGHT}
      marks={marks}
      table={{
        head: ["until", "in flight"],
        rows: line.map((point) => [clock(point.at), String(point.tasks)]),
      }}
    />
  );
}

/** Round times between two: 1, 2 and 5 of each power of ten, or the powers alone where these are many. */
function roundTimes(least: number, most: number): number[] {
  const leads = Math.log10(most / least) > 2.5 ? [1] : [1, 2, 5];
  return Array.from({ length: 9 }, (_, power) => leads.map((lead) => lead * 10 ** power))
    .flat()
    .filter((ms) => ms >= least && ms <= most);
}

function Causes({ points }: { points: History["points"] }) {
  const rows = CAUSES.map(([cause, name, what]) => {
    return { cause, name, what, count: points.reduce((sum, point) => sum + point[cause], 0) };
  });
  const most = Math.max(1, ...rows.map((row) => row.count));
  return (
    <ul className="text-14">
      {rows.map((row) => (
        <li
          key={row.cause}
          className="grid grid-cols-[7rem_3.5rem_minmax(0,1fr)] gap-x-4 gap-y-0.5 items-center py-1.5 border-b border-line"
        >
          <Word tone={row.count === 0 ? "plain" : row.cause === "arena" ? "ours" : "bad"}>{row.name}</Word>
          <span className="font-mono text-right">{row.count}</span>
          <span aria-hidden="true" className="h-2.5 bg-sunk block">
            <span
              className={row.cause === "arena" ? "bg-ours h-full block" : "bg-bad h-full block"}
              style={{ width: `${(row.count / most) * 100}%` }}
            />
          </span>
          <span className="col-span-3 text-12 text-ink-3">{row.what}</span>
        </li>
      ))}
    </ul>
  );
}
