/** Places tried in search of JSON inside prose. Each try may read the whole answer, so this bounds the work. */
const MAX_TRIES = 8;

/**
 * The JSON that an answer holds, as `[value]`, or undefined. The whole answer comes first, then the last fenced block
 * that parses, then the last complete object (or array, where one is `wanted`) between other words.
 */
export function findJson(answer: string, wanted: "object" | "array"): [unknown] | undefined {
  const text = answer.replace(/^\ufeff/, "");
  return parseJson(text) ?? lastFenced(text) ?? lastEmbedded(text, wanted);
}

function parseJson(text: string): [unknown] | undefined {
  try {
    return [JSON.parse(text)];
  } catch {
    return undefined;
  }
}

function lastFenced(text: string): [unknown] | undefined {
  const pieces = text.split("```");
  const firstTried = Math.max(1, pieces.length - 1 - MAX_TRIES);
  for (let index = pieces.length - 2; index >= firstTried; index--) {
    // The rest of the fence's own line is its language.
    const found = parseJson((pieces[index] ?? "").replace(/^[\w-]{0,20}[ \t]{0,20}\n/, ""));
    if (found) return found;
  }
  return undefined;
}

function lastEmbedded(text: string, wanted: "object" | "array"): [unknown] | undefined {
  const [opener, closer] = wanted === "object" ? ["{", "}"] : ["[", "]"];
  let end = text.lastIndexOf(closer);
  for (let tries = 0; tries < MAX_TRIES && end >= 0; tries++) {
    const start = openingBefore(text, end, opener, closer);
    const found = start === undefined ? undefined : parseJson(text.slice(start, end + 1));
    if (found) return found;
    end = text.lastIndexOf(closer, end - 1);
  }
  return undefined;
}

/**
 * Where the bracket that ends at `end` was opened. Read backwards: forwards, one stray brace in the prose before the
 * object would swallow it, and starting over at each brace is quadratic.
 */
function openingBefore(text: string, end: number, opener: string, closer: string): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = end; at >= 0; at--) {
    const char = text[at];
    if (char === '"' && !isEscaped(text, at)) inString = !inString;
    else if (!inString && char === closer) depth++;
    else if (!inString && char === opener && --depth === 0) return at;
  }
  return undefined;
}

/** More backslashes than this in a row are no JSON that anybody meant; without a limit, rows of them are quadratic. */
const MAX_BACKSLASHES = 32;

function isEscaped(text: string, at: number): boolean {
  let count = 0;
  while (count < MAX_BACKSLASHES && text[at - 1 - count] === "\\") count++;
  return count % 2 === 1;
}
