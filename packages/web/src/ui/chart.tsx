import * as Plot from "@observablehq/plot";
import { useEffect, useRef, useState } from "react";

/** A chart in the one theme there is, as wide as its place, with a table behind it for who cannot see it. */
export function Chart({
  label,
  height,
  marks,
  table,
}: {
  label: string;
  height: number;
  marks: (width: number) => Plot.PlotOptions;
  table: { head: readonly string[]; rows: readonly (readonly string[])[] };
}) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (place.current === null) return;
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    if (place.current === null || width === 0) return;
    const chart = Plot.plot({
      height,
      marginLeft: 44,
      marginRight: 48,
      marginTop: 24,
      style: {
        background: "none",
        color: "var(--ink-3)",
        fontFamily: "var(--font-mono)",
        fontSize: "12px",
        overflow: "visible",
      },
      ...marks(width),
    });
    chart.setAttribute("aria-hidden", "true");
    place.current.replaceChildren(chart);
  }, [width, height, marks]);
  return (
    <figure>
      <div ref={place} style={{ minHeight: height }} />
      <details className="text-14 mt-1">
        <summary className="label">As a table</summary>
        <div className="max-h-72 overflow-y-auto mt-2">
          <table className="font-mono">
            <caption className="sr-only">{label}</caption>
            <thead>
              <tr>
                {table.head.map((name) => (
                  <th key={name} scope="col" className="text-left pr-8 font-semibold">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((row) => (
                <tr key={row[0]}>
                  {row.map((cell, index) => (
                    <td key={table.head[index]} className="pr-8">
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
