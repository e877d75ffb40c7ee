import { stripVTControlCharacters } from "node:util";
import pc from "picocolors";

/** Colours by what they mean. Without colours each returns its text as it is. */
export type Palette = Readonly<
  Record<"accent" | "a" | "b" | "good" | "warn" | "bad" | "quiet" | "strong", (text: string) => string>
>;

/** Where a command writes. */
export interface Output {
  /** A person looks at standard output. */
  readonly isTerminal: boolean;
  /** Columns of the terminal, undefined where there is none. */
  readonly columns: number | undefined;
  readonly palette: Palette;
  /** Writes to standard output as it is. */
  write(text: string): void;
  /** A line on standard output. */
  line(text: string): void;
  /** A value as JSON on one line of standard output. */
  json(value: unknown): void;
  /** A line on standard error. */
  note(text: string): void;
  /** A fault, on standard error. */
  error(text: string): void;
}

/** Makes an {@link Output}. Colours are for terminals alone, and not where NO_COLOR is set. */
export function createOutput(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Output {
  const isPlain = Boolean(env.NO_COLOR) || env.TERM === "dumb";
  const palette = createPalette(stdout.isTTY === true && !isPlain);
  const faults = createPalette(stderr.isTTY === true && !isPlain);
  return {
    isTerminal: stdout.isTTY === true && env.TERM !== "dumb",
    get columns() {
      return stdout.isTTY ? stdout.columns : undefined;
    },
    palette,
    write: (text) => stdout.write(text),
    line: (text) => stdout.write(`${text}\n`),
    json: (value) => stdout.write(`${JSON.stringify(value)}\n`),
    note: (text) => stderr.write(`${text}\n`),
    error: (text) => stderr.write(`${faults.bad("error:")} ${text}\n`),
  };
}

function createPalette(isColoured: boolean): Palette {
  // Its own detection would colour pipes in CI and look for --color in the arguments, which may be an agent's.
  const { cyan, blue, green, yellow, red, dim, bold } = pc.createColors(isColoured);
  // The sides of a battle are blue and orange everywhere; of the sixteen named colours none is orange.
  const orange = (text: string) => (isColoured ? `\u001b[38;5;208m${text}\u001b[39m` : text);
  return { accent: cyan, a: blue, b: orange, good: green, warn: yellow, bad: red, quiet: dim, strong: bold };
}

/** Foreign text on one line, without anything that a terminal would obey. */
export function toOneLine(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "")
    .trim();
}
