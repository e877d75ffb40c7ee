/**
 * Levels of nesting that an output may have. Real ones have five; `JSON.parse` reads a hundred thousand, but then
 * `JSON.stringify` and every recursive reader behind it fails on the stack.
 */
export const OUTPUT_MAX_DEPTH = 64;

/** A JSON object as `JSON.parse` makes it: no array, no null, and nothing slipped in through a swapped prototype. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether arrays and objects lie in each other more than `levels` deep. Goes level by level, so its own stack stays flat. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  let level: object[] = isObject(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((parent) => Object.values(parent).filter(isObject));
  }
  return false;
}

/**
 * A value as JSON text that every database takes: NUL and lone surrogates, which `JSON.stringify` writes as escapes
 * that PostgreSQL refuses, become U+FFFD.
 *
 * @returns undefined for what has no JSON text: undefined itself, or nesting too deep for the stack
 */
export function toStorableJson(value: unknown): string | undefined {
  const text = stringify(value);
  if (text === undefined || !text.includes("\\u")) return text;
  // Escapes are taken one after the other from the left: in `\\u0000` a backslash is escaped, not the NUL.
  return text.replace(/\\(?:(u0000|ud[89a-f][0-9a-f]{2})|.)/g, (whole, lost) =>
    lost === undefined ? whole : "\uFFFD",
  );
}

/** Bytes of a value written as JSON, as the limit on an output counts them; Infinity when it cannot be written. */
export function jsonBytes(value: unknown): number {
  const text = stringify(value);
  return text === undefined ? Number.POSITIVE_INFINITY : Buffer.byteLength(text);
}

function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
