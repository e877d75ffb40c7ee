import { type CheckResult, result } from "./check-result.ts";
import { markedAnswers } from "./marked-answers.ts";
import { plainText, unfenceText, unwrapText } from "./text-answers.ts";

export interface ChoiceCheck {
  options: string[];
  value: string;
}

/** Where a stated choice ends and its reasons begin. */
const REASONS = /\s(?:because|since|as|rather|instead|over|than)\b|,\s?not\b|[;.](?:\s|$)|\s[-–—]\s/iu;

/**
 * The option that an answer settles on. Clear statements come before vague ones: a marked answer, an answer that is
 * nothing but an option, options that open lines, options in brackets or emphasis, options anywhere. The first of these
 * readings that finds anything decides, and two different options in it are no choice: an agent could name them all.
 */
export function evaluateChoice(check: ChoiceCheck, answer: string): CheckResult {
  const text = plainText(answer);
  const marked = markedAnswers(text).map(withoutReasons);
  const bare = trimBrackets(unwrapText(unfenceText(text)));
  // A single letter counts in lower case only where nothing but the choice can stand: in prose, "a" is an article.
  const readings: [texts: string[], anyCase: boolean][] = [
    [marked, false],
    [marked, true],
    [isOption(check, bare) ? [bare] : [], true],
    [lineOpenings(text), false],
    [lineOpenings(text), true],
    [bracketed(text), false],
    [[text], false],
  ];
  for (const [texts, anyCase] of readings) {
    const found = new Set(texts.flatMap((part) => optionsIn(part, check.options, anyCase)));
    if (found.size > 1) return result(false, `names ${found.size} different options`);
    const [only] = found;
    if (only !== undefined) return result(sameText(only, check.value), `the choice is ${only}`);
  }
  return result(false, "names none of the options");
}

function withoutReasons(segment: string): string {
  const end = segment.search(REASONS);
  return end < 0 ? segment : segment.slice(0, end);
}

function isOption(check: ChoiceCheck, text: string): boolean {
  return check.options.some((option) => sameText(option, text));
}

function trimBrackets(text: string): string {
  return text.replace(/^[([]/u, "").replace(/[)\].:]$/u, "");
}

/** `B) …`, `**B.** …`, `(B) …`, `B: …` at the start of a line. The rest of the line is left out: it may argue. */
function lineOpenings(text: string): string[] {
  const opening = /^[ \t]{0,8}[-*_>#("[]{0,4}[^\s()[\].:*_]{1,40}(?:[)\]:]|\.(?=\s|\*|$)|[*_]{1,3}(?=\s*$))/gmu;
  return Array.from(text.matchAll(opening), ([match]) => match);
}

function bracketed(text: string): string[] {
  return Array.from(text.matchAll(/\([^()\n]{1,40}\)|\[[^[\]\n]{1,40}\]|\*\*[^*\n]{1,40}\*\*/gu), ([match]) => match);
}

/** Options that stand in `text` as words of their own, the longest where several fit ("not guilty" is not "guilty"). */
function optionsIn(text: string, options: string[], anyCase: boolean): string[] {
  const longestFirst = [...options].sort((one, other) => other.length - one.length);
  const lower = text.toLowerCase();
  // Lower-casing may change lengths (İ); positions would then not fit, and exact case is the safe reading.
  const folded = lower.length === text.length ? lower : text;
  const found: string[] = [];
  for (let at = 0; at < text.length; at++) {
    if (isWordPart(text, at - 1) || text[at] === " ") continue;
    const option = longestFirst.find((candidate) => {
      const [where, what] = candidate.length > 1 || anyCase ? [folded, candidate.toLowerCase()] : [text, candidate];
      return where.startsWith(what, at) && !isWordPart(text, at + candidate.length);
    });
    if (option === undefined) continue;
    found.push(option);
    at += option.length - 1;
  }
  return found;
}

function isWordPart(text: string, at: number): boolean {
  const char = text[at];
  return char !== undefined && /[\p{L}\p{N}']/u.test(char);
}

function sameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
