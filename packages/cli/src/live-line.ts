import type { Output } from "./output.ts";
import { cutText } from "./text-width.ts";

/** The one line at the bottom of a terminal that says what is going on now, below lines that stay. */
export interface LiveLine {
  /** Shows a text in place of the one before. */
  show(text: string): void;
  /** Prints a line that stays, above the live one. */
  print(line: string): void;
  /** Takes the live line away. */
  end(): void;
}

const ERASE = "\r\u001b[2K";

/** Makes a {@link LiveLine}. Where nobody looks there is none, and lines are just printed. */
export function createLiveLine(output: Output): LiveLine {
  let shown = "";
  const draw = (text: string) => {
    if (!output.isTerminal) return;
    // One column stays free: a full last column makes some terminals wrap, and the line could not be erased.
    const line = cutText(text, (output.columns ?? 80) - 1);
    output.write(ERASE + output.palette.quiet(line));
  };
  return {
    show(text) {
      if (text === shown) return;
      shown = text;
      draw(text);
    },
    print(line) {
      output.write(`${output.isTerminal ? ERASE : ""}${line}\n`);
      if (shown !== "") draw(shown);
    },
    end() {
      if (output.isTerminal && shown !== "") output.write(ERASE);
      shown = "";
    },
  };
}
