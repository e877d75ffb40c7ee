import { stripVTControlCharacters } from "node:util";

/** A line that never ends is passed on in pieces of this size, instead of being kept in memory for ever. */
const MAX_LINE_CHARACTERS = 8_192;

/** Collects a stream up to a number of bytes. */
export interface BoundedOutput {
  /** Takes a chunk; false once the limit is passed, and nothing is kept any more. */
  push(chunk: Buffer): boolean;
  /** How many bytes came so far. */
  readonly bytes: number;
  /** All that came, in one piece: decoding chunk by chunk would tear characters that lie across two of them. */
  toBuffer(): Buffer;
}

/** Makes an empty {@link BoundedOutput} that takes `maxBytes`. */
export function createBoundedOutput(maxBytes: number): BoundedOutput {
  let chunks: Buffer[] = [];
  let bytes = 0;
  return {
    push(chunk) {
      bytes += chunk.length;
      if (bytes > maxBytes) chunks = [];
      else chunks.push(chunk);
      return bytes <= maxBytes;
    },
    get bytes() {
      return bytes;
    },
    toBuffer: () => (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
  };
}

/** Keeps the end of a stream. */
export interface OutputTail {
  push(chunk: Buffer): void;
  /** The last bytes as text: no escape sequences, no torn first character, trimmed. */
  toText(): string;
}

/** Makes an {@link OutputTail} that remembers about `maxBytes`. */
export function createOutputTail(maxBytes: number): OutputTail {
  let tail = Buffer.alloc(0);
  return {
    push(chunk) {
      tail = Buffer.concat([tail, chunk]).subarray(-maxBytes);
    },
    toText: () => stripVTControlCharacters(tail.toString("utf8").replace(/^\uFFFD+/, "")).trim(),
  };
}

/** Cuts a stream of UTF-8 into lines. */
export interface LineReader {
  push(chunk: Buffer): void;
  /** Passes on what came after the last line end. */
  flush(): void;
}

/** Makes a {@link LineReader} that calls `onLine` for each line, without its line end and without escape sequences. */
export function createLineReader(onLine: (line: string) => void): LineReader {
  const decoder = new TextDecoder();
  let rest = "";
  const pass = (line: string) => onLine(stripVTControlCharacters(line));
  const flush = () => {
    if (rest !== "") pass(rest);
    rest = "";
  };
  return {
    push(chunk) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n|\r/);
      rest = lines.pop() ?? "";
      lines.forEach(pass);
      if (rest.length > MAX_LINE_CHARACTERS) flush();
    },
    flush,
  };
}

/**
 * The answer in a command's stdout: decoded as UTF-8 without a byte order mark, terminal escape sequences left out
 * where there are any, trimmed. Line ends inside the answer are content and stay as they are.
 *
 * @throws Error when the bytes are not UTF-8, instead of an answer with replacement characters in it, and when nothing
 * is left after trimming.
 */
export function toAnswerText(stdout: Buffer): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(stdout);
  } catch (cause) {
    throw new Error("output is not UTF-8", { cause });
  }
  const answer = (text.includes("\u001b") ? stripVTControlCharacters(text) : text).trim();
  if (answer === "") throw new Error("the command printed no answer");
  return answer;
}
