import { padText, textWidth } from "./text-width.ts";

/** One column of a table. */
export interface Column {
  readonly title: string;
  readonly align: "left" | "right";
}

/** Lines of a table: a head, then the rows, columns aligned and two spaces apart. */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const widths = columns.map((column, n) =>
    Math.max(textWidth(column.title), ...rows.map((row) => textWidth(row[n] ?? ""))),
  );
  const toLine = (cells: readonly string[]) =>
    columns
      .map((column, n) => padText(cells[n] ?? "", widths[n] ?? 0, column.align))
      .join("  ")
      .trimEnd();
  return [toLine(columns.map((column) => column.title)), ...rows.map(toLine)];
}
