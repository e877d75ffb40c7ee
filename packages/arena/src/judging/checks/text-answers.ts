import { type CheckResult, excerpt, result } from "./check-result.ts";

const ALIKE: [RegExp, string][] = [
  [/[\u2018\u2019\u201a\u201b\u2032]/gu, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033]/gu, '"'],
  [/[\u00a0\u2007\u2009\u202f]/gu, " "],
  [/[\u2010\u2011\u2212]/gu, "-"],
  [/[\u200b\u200e\u200f\u2060\ufeff]/gu, ""],
  [/\r\n?/gu, "\n"],
];

/** Makes typographic variants alike, which models choose between at random. NFKC would go too far: it turns m² into m2. */
export function plainText(text: string): string {
  return ALIKE.reduce((plain, [variant, usual]) => plain.replace(variant, usual), composeText(text));
}

/**
 * NFC, but not for text that no writing system has: composing sorts each run of combining marks by insertion, and a
 * run of 200,000 takes half a minute. Thirty is the longest run that Unicode's stream-safe form allows.
 */
function composeText(text: string): string {
  return /\p{M}{31}/u.test(text) ? text : text.normalize("NFC");
}

const QUOTE_ENDS: Record<string, string> = { '"': '"', "'": "'", "`": "`", "«": "»", "*": "*", _: "_" };

/**
 * The text inside what models like to put around a short answer: white space, quotes, emphasis, code marks, a final
 * period. Two indexes move inwards, each step over at least one character; slicing layer by layer would be quadratic.
 */
export function unwrapText(text: string): string {
  let from = 0;
  let to = text.length;
  for (;;) {
    const first = text[from] ?? "";
    const last = text[to - 1] ?? "";
    if (from >= to) return "";
    if (first.trim() === "") from++;
    else if (last.trim() === "") to--;
    else if (to - from > 1 && QUOTE_ENDS[first] === last) {
      from++;
      to--;
    } else if (to - from > 1 && (last === "." || last === "。") && text[to - 2] !== ".") to--;
    else return text.slice(from, to);
  }
}

/** The text of the answer's only fenced block when there is nothing around it; else the answer. */
export function unfenceText(text: string): string {
  const lines = text.trim().split("\n");
  if (lines.length < 2 || !lines[0]?.startsWith("```") || lines.at(-1)?.trim() !== "```") return text;
  return lines.slice(1, -1).join("\n");
}

export interface ExactCheck {
  value: string;
  ignore_case?: boolean | undefined;
}

export function evaluateExact(check: ExactCheck, answer: string): CheckResult {
  const said = plainText(answer);
  const expected = unwrapText(fold(plainText(check.value), check.ignore_case));
  const readings = [said, unfenceText(said)].map((reading) => unwrapText(fold(reading, check.ignore_case)));
  return result(readings.includes(expected), `the answer is ${excerpt(unwrapText(said))}`);
}

export interface ContainsCheck {
  all?: string[] | undefined;
  any?: string[] | undefined;
  none?: string[] | undefined;
  ignore_case?: boolean | undefined;
}

export function evaluateContains(check: ContainsCheck, answer: string): CheckResult {
  const said = fold(plainText(answer), check.ignore_case);
  const has = (part: string) => said.includes(fold(plainText(part), check.ignore_case));
  const all = check.all ?? [];
  const present = all.filter(has).length;
  if (present < all.length) return result(false, `has ${present} of the ${all.length} required parts`);
  if (check.any && !check.any.some(has)) return result(false, `has none of ${check.any.length} parts, one is required`);
  const unwanted = (check.none ?? []).filter(has).length;
  if (unwanted > 0) return result(false, `has ${unwanted} parts that it must not have`);
  return result(true, "has what is required");
}

function fold(text: string, ignoreCase = false): string {
  return ignoreCase ? text.toLowerCase() : text;
}
