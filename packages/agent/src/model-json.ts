import { isPlainObject } from "@agon/protocol";
import { jsonrepair } from "jsonrepair";

/** What was found in a model's text: an object, or why there is none, in a sentence that the model can act on. */
export type ModelJson = { ok: true; value: Record<string, unknown> } | { ok: false; detail: string };

/** Blocks in which models think aloud. What stands in them is a draft, never an answer. */
const REASONING = "think|thinking|reasoning|thought|scratchpad|reflection";
const OPENING = new RegExp(`^<(${REASONING})\\b[^>]{0,200}>`, "i");
const CLOSING = new RegExp(`^</(${REASONING})\\s*>`, "i");
const FENCED = /^```(?:thinking|reasoning)\b/i;
/** Before this mark of some models' raw format lies what they said to themselves. */
const FINAL_MARK = "<|channel|>final<|message|>";

/** Each bracket is followed to its end, so text that is all brackets would take the square of its length. */
const TRIES_MAX = 300;

// Built from its code: a control character in a pattern is an error to most linters.
const ESCAPE_SEQUENCE = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[ -/]*[@-~]`, "g");

/**
 * Finds the JSON object in what a model, or a command, wrote. What parses as it stands is taken as it is, and nothing in
 * it is changed. Else fences, prose, reasoning blocks, a byte order mark and escape sequences around it are passed over;
 * only then, quotes, commas and brackets are repaired, and only when no letter of it comes or goes. Of several objects the
 * last that `accepts` takes counts, or the last. An object that is cut off is none, and neither is one inside of it.
 */
export function readModelJson(text: string, accepts: (value: Record<string, unknown>) => boolean): ModelJson {
  const clean = text.replace(ESCAPE_SEQUENCE, "").replace(/^[\s\ufeff]+/, "");
  const whole = parse(clean.trim());
  if (whole !== undefined) return isPlainObject(whole) ? { ok: true, value: whole } : noObject(whole);
  const mark = clean.lastIndexOf(FINAL_MARK);
  const { objects, isCut } = scan(mark < 0 ? clean : clean.slice(mark + FINAL_MARK.length));
  const value = objects.findLast(accepts) ?? objects.at(-1);
  if (isCut && (value === undefined || !accepts(value))) {
    return { ok: false, detail: "the JSON object is cut off before its end; write a shorter one" };
  }
  if (value === undefined) return { ok: false, detail: "there is no JSON object that can be read in the answer" };
  return { ok: true, value };
}

/**
 * Text without the blocks at its beginning in which a model thought aloud; for answers that are text and no JSON. Further
 * down such a tag may be what the answer is about. A thought without an end leaves nothing.
 */
export function withoutReasoning(text: string): string {
  const mark = text.lastIndexOf(FINAL_MARK);
  let rest = (mark < 0 ? text : text.slice(mark + FINAL_MARK.length)).trim();
  for (;;) {
    const opening = OPENING.exec(rest);
    if (opening === null) break;
    const end = findClosing(rest, 0, opening[1] as string);
    if (end === undefined) return "";
    rest = rest.slice(end).trim();
  }
  // An end without a beginning: the beginning was part of the prompt.
  const orphan = /<(\/?)think\b[^>]{0,200}>/i.exec(rest);
  return orphan?.[1] === "/" ? rest.slice(orphan.index + orphan[0].length).trim() : rest;
}

/** All objects that stand in text by themselves, in order; `isCut` when the last thing in it is the beginning of one. */
function scan(text: string): { objects: Record<string, unknown>[]; isCut: boolean } {
  const objects: Record<string, unknown>[] = [];
  let tries = 0;
  for (let at = 0; at < text.length && tries < TRIES_MAX; ) {
    const letter = text[at];
    if (letter === "<" || letter === "`") {
      const rest = text.slice(at, at + 220);
      const opening = OPENING.exec(rest);
      if (opening !== null) {
        const end = findClosing(text, at, opening[1] as string);
        if (end === undefined) return { objects: [], isCut: false };
        at = end;
        continue;
      }
      // An end without a beginning: the beginning was part of the prompt, and all so far was thought.
      const closing = CLOSING.exec(rest);
      if (closing !== null) objects.length = 0;
      const fence = FENCED.test(rest) ? text.indexOf("```", at + 3) : -1;
      at = fence >= 0 ? fence + 3 : at + (closing?.[0].length ?? 1);
      continue;
    }
    if (letter === "[" || letter === "{") {
      tries++;
      const end = findEnd(text, at);
      if (end === undefined) {
        // A brace in prose is not the beginning of an object; one that is followed by a key is.
        if (/^\{\s*["“'}]/.test(text.slice(at, at + 40))) return { objects, isCut: true };
      } else {
        const value = readSpan(text.slice(at, end), letter === "{");
        if (isPlainObject(value)) objects.push(value);
        if (value !== undefined) {
          at = end;
          continue;
        }
      }
    }
    at += 1;
  }
  return { objects, isCut: false };
}

function findClosing(text: string, from: number, tag: string): number | undefined {
  const closing = new RegExp(`</${tag}\\s*>`, "gi");
  closing.lastIndex = from;
  const found = closing.exec(text);
  return found === null ? undefined : found.index + found[0].length;
}

/** The index behind the bracket that closes the one at `begin`; those in double quotes are not counted. */
function findEnd(text: string, begin: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = begin; at < text.length; at++) {
    const letter = text[at];
    if (isInString) {
      if (letter === "\\") at++;
      else if (letter === '"') isInString = false;
    } else if (letter === '"') isInString = true;
    else if (letter === "{" || letter === "[") depth++;
    else if ((letter === "}" || letter === "]") && --depth === 0) return at + 1;
  }
  return undefined;
}

function readSpan(span: string, mayRepair: boolean): unknown {
  return parse(span) ?? (mayRepair ? repair(span) : undefined);
}

/** A repaired object, when nothing but punctuation had to be changed for it. */
function repair(span: string): unknown {
  let repaired: string;
  try {
    repaired = jsonrepair(span);
  } catch {
    return undefined;
  }
  if (contentOf(span) !== contentOf(repaired)) return undefined;
  const value = parse(repaired);
  return isPlainObject(value) && keysOf(value).every((key) => isKeyIn(span, key)) ? value : undefined;
}

/** What text says without its punctuation. Case is left out, for some models write True. */
function contentOf(text: string): string {
  return text
    .replace(/\\[bfnrt]/g, "")
    .replace(/[\s{}[\]",:'‘’‚“”„`´\\]/g, "")
    .toLowerCase();
}

/** Names at every level; the nesting is bounded by what `jsonrepair`, which is recursive, could read. */
function keysOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return [...names, ...Object.values(value).flatMap(keysOf)];
}

/** A quote inside of a text must not become the beginning of a key that nobody wrote: keys have a colon behind them. */
function isKeyIn(span: string, key: string): boolean {
  const written = key.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?:^|[{,\\s"'“”‘’])${written}["'“”‘’]?\\s*:`).test(span);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function noObject(value: unknown): ModelJson {
  const found = value === null ? "null" : Array.isArray(value) ? "an array" : `a bare ${typeof value}`;
  return { ok: false, detail: `the answer is ${found}; it has to be one JSON object` };
}
