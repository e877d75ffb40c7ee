/** Longest stretch after a mark that is read as the answer; it also bounds the work per mark. */
const MAX_SEGMENT = 200;
/** Marks that count, from the end: an answer made of marks would be read a hundred times over. */
const MAX_MARKS = 20;

// Every quantifier is bounded, so that the built-in engine stays linear whatever an answer holds.
const MARKS = /####|\\boxed\s{0,3}\{|(?<![\p{L}\p{N}])answer\s{0,2}[*_]{0,3}\s{0,2}(?::|=|is\b)[*_:\s]{0,6}/giu;

/**
 * What stands behind the marks that people and models put before their final answer: `#### 12`, `\boxed{12}`,
 * `Answer: 12`, `the answer is 12`. In order of appearance; each ends with its line or its brace.
 */
export function markedAnswers(text: string): string[] {
  const segments: string[] = [];
  for (const match of [...text.matchAll(MARKS)].slice(-MAX_MARKS)) {
    const start = match.index + match[0].length;
    const rest = text.slice(start, start + MAX_SEGMENT);
    const segment = match[0].endsWith("{")
      ? rest.slice(0, closingBrace(rest))
      : (rest.trimStart().split("\n")[0] ?? "");
    if (segment.trim() !== "") segments.push(segment);
  }
  return segments;
}

/** Index of the brace that closes one opened just before `text`, or its length. */
function closingBrace(text: string): number {
  let depth = 1;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "{") depth++;
    if (text[index] === "}" && --depth === 0) return index;
  }
  return text.length;
}
