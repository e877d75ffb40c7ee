/**
 * The JSON object in a model's answer. Strict first: what parses is taken as it is, whatever stands inside of its
 * strings. Else the last complete object in the text, since models explain first and answer last. A cut-off object is
 * none, and nothing is repaired by guessing.
 */
export function readModelJson(text: string): unknown {
  const whole = parse(text.trim());
  if (whole !== undefined) return whole;
  let found: unknown;
  for (let at = 0; at < text.length; ) {
    const end = text[at] === "{" ? endOfObject(text, at) : undefined;
    const value = end === undefined ? undefined : parse(text.slice(at, end));
    if (value !== undefined) found = value;
    at = end !== undefined && value !== undefined ? end : at + 1;
  }
  return found;
}

/** The index behind the brace that closes the one at `begin`, braces inside of strings not counted. */
function endOfObject(text: string, begin: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = begin; at < text.length; at += 1) {
    const letter = text[at];
    if (inString) {
      if (letter === "\\") at += 1;
      else if (letter === '"') inString = false;
    } else if (letter === '"') inString = true;
    else if (letter === "{") depth += 1;
    else if (letter === "}") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
