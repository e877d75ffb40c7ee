import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** One record of a file, and where it stands there. */
export interface PromptRecord {
  /** `questions.jsonl:3`, or `questions.json: item 3`. */
  readonly place: string;
  readonly value: unknown;
}

/** A fault in a file. */
export interface PromptFault {
  readonly place: string;
  readonly reason: string;
}

/** No set of prompts that fits into one request comes near it; a small file that unpacks to a huge one does. */
const UNPACKED_MAX_BYTES = 128 * 1024 * 1024;

/**
 * What a file of JSONL holds (blank lines are passed over) or of one JSON array, packed with gzip or not: records
 * and the lines that are none, in order.
 *
 * @throws Error that names the file, when it cannot be read at all
 */
export async function readPromptFile(path: string): Promise<(PromptRecord | PromptFault)[]> {
  let bytes: Buffer;
  try {
    bytes = await unpack(await readFile(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : message;
    throw new Error(`${path} cannot be read: ${reason}`, { cause: error });
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return [{ place: path, reason: "it is not UTF-8" }];
  }
  return text.trimStart().startsWith("[") ? readArray(path, text) : readLines(path, text);
}

async function unpack(bytes: Buffer): Promise<Buffer> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isPacked ? promisify(gunzip)(bytes, { maxOutputLength: UNPACKED_MAX_BYTES }) : bytes;
}

function readArray(path: string, text: string): (PromptRecord | PromptFault)[] {
  try {
    const items = JSON.parse(text) as unknown[];
    return items.map((value, n) => ({ place: `${path}: item ${n + 1}`, value }));
  } catch (error) {
    return [{ place: path, reason: toJsonReason(error) }];
  }
}

function readLines(path: string, text: string): (PromptRecord | PromptFault)[] {
  return text.split("\n").flatMap((line, index): (PromptRecord | PromptFault)[] => {
    if (line.trim() === "") return [];
    const place = `${path}:${index + 1}`;
    try {
      return [{ place, value: JSON.parse(line) }];
    } catch (error) {
      return [{ place, reason: toJsonReason(error) }];
    }
  });
}

function toJsonReason(error: unknown): string {
  // What the parser says about a place inside the line helps; what it quotes of the line may be long.
  return `it is not JSON (${(error as Error).message.slice(0, 120)})`;
}
