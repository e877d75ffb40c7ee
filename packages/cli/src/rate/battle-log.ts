import { createReadStream } from "node:fs";
import type { Outcome } from "@agon/arena/ratings";

/** A line of a battle log that counts. */
export interface LoggedBattle {
  readonly a: string;
  readonly b: string;
  readonly winner: Outcome;
  readonly count: number;
}

export interface LogFault {
  readonly line: number;
  readonly reason: string;
}

export interface ReadLog {
  readonly lines: number;
  /** Lines that say of themselves that they do not count, as the export of an arena does. */
  readonly notCounted: number;
  readonly faults: readonly LogFault[];
  /** Faults beyond those that are kept. */
  readonly moreFaults: number;
}

const FAULTS_KEPT = 20;
const CHUNK_BYTES = 1024 * 1024;
const WINNERS: Readonly<Record<string, Outcome>> = { a: "a", b: "b", tie: "tie", both_bad: "both_bad" };

/**
 * Reads a log of battles, one JSON object a line, and hands each that counts to `onBattle` in the order of the file.
 *
 * @throws Error for a file that cannot be read at all; lines that cannot be read are reported
 */
export async function readBattleLog(path: string, onBattle: (battle: LoggedBattle) => void): Promise<ReadLog> {
  const faults: LogFault[] = [];
  let [lines, notCounted, moreFaults] = [0, 0, 0];
  const take = (text: string) => {
    lines += 1;
    if (text.trim() === "") return;
    try {
      const battle = parseBattle(text);
      if (battle === undefined) notCounted += 1;
      else onBattle(battle);
    } catch (error) {
      if (faults.length < FAULTS_KEPT) faults.push({ line: lines, reason: (error as Error).message });
      else moreFaults += 1;
    }
  };
  let rest = "";
  for await (const chunk of openText(path)) {
    const text = rest + chunk;
    let from = lines === 0 && text.startsWith("\ufeff") ? 1 : 0;
    for (let end = text.indexOf("\n", from); end >= 0; end = text.indexOf("\n", from)) {
      take(text.slice(from, end));
      from = end + 1;
    }
    rest = text.slice(from);
  }
  if (rest !== "") take(rest);
  return { lines, notCounted, faults, moreFaults };
}

async function* openText(path: string): AsyncGenerator<string> {
  const stream = path === "-" ? process.stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES });
  stream.setEncoding("utf8");
  try {
    for await (const chunk of stream) yield chunk as string;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : message;
    throw new Error(`${path} cannot be read: ${reason}.`, { cause: error });
  }
}

/**
 * One line to a battle; undefined where it says `"counted": false`. By hand and not by a schema: a log has millions.
 *
 * @throws Error that names the field and what it has to be
 */
function parseBattle(text: string): LoggedBattle | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("it is not a JSON object");
  const fields = value as Record<string, unknown>;
  const a = parseName("a", fields.a);
  const b = parseName("b", fields.b);
  const winner = typeof fields.winner === "string" ? WINNERS[fields.winner] : undefined;
  if (winner === undefined || !Object.hasOwn(WINNERS, fields.winner as string)) {
    throw new Error(`winner has to be "a", "b", "tie" or "both_bad", not ${show(fields.winner)}`);
  }
  const { count = 1, counted = true } = fields;
  if (typeof count !== "number" || !Number.isSafeInteger(count) || count < 0) {
    throw new Error(`count has to be a whole number from 0 up, not ${show(count)}`);
  }
  if (typeof counted !== "boolean") throw new Error(`counted has to be true or false, not ${show(counted)}`);
  return counted ? { a, b, winner, count } : undefined;
}

function parseName(field: "a" | "b", value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  throw new Error(`${field} has to be a name or an id, not ${show(value)}`);
}

function show(value: unknown): string {
  if (value === undefined) return "missing";
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
