/** What two candidates are compared by. */
export interface Comparable {
  title: string;
  text: string;
}

/** Share of three-letter pieces in common from which two texts say the same in nearly the same words. */
const SAME_TEXT = 0.7;
const SAME_TITLE = 0.85;
/** Under the same title, less in common is enough. */
const SAME_TEXT_UNDER_TITLE = 0.4;
/** Beyond this a text is compared by its beginning; otherwise one long answer would cost every pass. */
const COMPARED_LENGTH = 8_000;

/**
 * For each candidate the index of the earlier one that it repeats, or undefined. The first of its kind stands, in the
 * order given, whoever was faster; a candidate is compared with those that stand, so that no chain of small steps merges
 * two that have nothing in common. By pieces of three letters and not by words: not every script puts spaces between them.
 */
export function findNearDuplicates(all: readonly Comparable[]): (number | undefined)[] {
  const pieces = all.map(({ title, text }) => ({ title: piecesOf(title), text: piecesOf(text) }));
  const standing: number[] = [];
  return pieces.map((each, index) => {
    const same = standing.find((other) => isSame(each, pieces[other] as typeof each));
    if (same === undefined) standing.push(index);
    return same;
  });
}

function isSame(a: { title: Set<string>; text: Set<string> }, b: { title: Set<string>; text: Set<string> }): boolean {
  const text = overlap(a.text, b.text);
  return text >= SAME_TEXT || (text >= SAME_TEXT_UNDER_TITLE && overlap(a.title, b.title) >= SAME_TITLE);
}

function piecesOf(text: string): Set<string> {
  const letters = text
    .slice(0, COMPARED_LENGTH)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  const points = [..." ", ...letters, " "];
  const pieces = new Set<string>();
  for (let at = 0; at + 3 <= points.length; at += 1) pieces.add(points.slice(at, at + 3).join(""));
  return pieces;
}

/** Pieces in common, of all that either has. Two texts without a letter are the same. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 1;
  let common = 0;
  for (const each of a) if (b.has(each)) common += 1;
  return common / (a.size + b.size - common);
}
