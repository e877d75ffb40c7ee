import { formatDuration } from "./duration.ts";
import { type Output, type Palette, toOneLine } from "./output.ts";
import { cutText, padText, textWidth } from "./text-width.ts";

/** What one line of a run says. */
export interface RunLine {
  /** Absent for what concerns no task. */
  readonly work?: { readonly work_id: string; readonly category: string } | undefined;
  /** The state, at most nine letters. */
  readonly word: string;
  readonly tone: keyof Palette;
  readonly latencyMs?: number | undefined;
  readonly text: string;
}

/** In pipes, where nothing cuts a line: enough of an answer to recognise it, all of most errors. */
const MAX_TEXT = 200;

/**
 * Makes a function that writes {@link RunLine}s with aligned columns: time, task, category, state, the agent's time, and
 * as much of the text as there is room for. Columns grow with what they have seen.
 */
export function createRunLineFormat(output: Output): (line: RunLine) => string {
  const { palette } = output;
  const widths = { id: 10, category: 12 };
  return ({ work, word, tone, latencyMs, text }) => {
    const id = toOneLine(work?.work_id || "–");
    const category = cutText(toOneLine(work?.category || "–"), 20);
    widths.id = Math.max(widths.id, textWidth(id));
    widths.category = Math.max(widths.category, textWidth(category));
    const time = new Date().toLocaleTimeString("en-GB", { hour12: false });
    const state = padText(word, 9);
    const latency = padText(latencyMs === undefined ? "" : formatDuration(latencyMs), 8, "right");
    const place = [padText(id, widths.id), padText(category, widths.category)];
    const used = [time, ...place, state, latency].reduce((sum, cell) => sum + textWidth(cell) + 2, 0);
    const room = output.columns === undefined ? MAX_TEXT : Math.max(0, output.columns - used);
    const shown = cutText(toOneLine(text), room);
    return [palette.quiet(time), ...place, palette[tone](state), latency, shown].join("  ").trimEnd();
  };
}
