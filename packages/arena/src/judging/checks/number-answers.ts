import { type CheckResult, result } from "./check-result.ts";
import { markedAnswers } from "./marked-answers.ts";

export interface NumberCheck {
  value: number;
  tolerance?: number | undefined;
}

/** Slack for values such as 0.1 + 0.2 and 1/3, which binary fractions only come near. */
const ROUNDING = 1e-9;

export function evaluateNumber(check: NumberCheck, answer: string): CheckResult {
  const found = findNumber(answer);
  if (found === undefined) return result(false, "no number in the answer");
  const slack = (check.tolerance ?? 0) + ROUNDING * Math.max(1, Math.abs(check.value));
  return result(Math.abs(found - check.value) <= slack, `the number is ${found}`);
}

/** The number that an answer settles on: the last one that is marked as the answer, else simply the last one. */
function findNumber(answer: string): number | undefined {
  const text = plainDigits(answer);
  for (const segment of markedAnswers(text).reverse()) {
    // "12 (x = 3)" means 12, "3 × 4 = 12 apples" too: only behind an expression does the last equals sign count.
    const outcome = EXPRESSION.test(segment) ? segment.slice(segment.lastIndexOf("=") + 1) : segment;
    const [first] = readNumbers(outcome);
    if (first !== undefined) return first;
  }
  return readNumbers(text).at(-1);
}

const EXPRESSION = /^[^\d]{0,40}[\d.,]{1,40}(?:\s{0,3}[-+*/×·÷=]|\()/u;

// Pieces of NUMBER. All quantifiers are bounded: a start position costs a constant, so an answer costs its length.
const SIGN = "(?<sign>(?<![\\p{L}\\p{N})\\]])[-+])?";
const CURRENCY = "(?:[$€£¥₹]\\s?)?";
const START = "(?<![\\p{L}\\p{N}^]|[\\p{L}\\p{N}][._/])";
const GROUPED = "\\d{1,3}(?:[,'_\\u00a0\\u2009\\u202f]\\d{3}){1,12}(?:\\.\\d{1,30})?(?!,?\\d)";
const GROUPED_BY_POINTS = "\\d{1,3}(?:\\.\\d{3}){1,12},\\d{1,30}(?!\\d)";
const PLAIN = "\\d{1,40}(?:\\.\\d{1,40}|(?<!\\d,\\d{1,40}),\\d{1,40}(?!,?\\d))?(?!\\d)|\\.\\d{1,40}(?!\\d)";
const SCALE = "(?:e(?<e>[-+]?\\d{1,3})(?![\\p{L}\\p{N}])|\\s?[×x*·]\\s?10\\^\\{?(?<ten>[-+]?\\d{1,3}))?";
const POWER = "(?:\\^\\{?(?<power>-?\\d{1,4}))?";
const FRACTION = "(?:/(?<below>\\d{1,15})(?![\\d/]))?";
const NUMBER = new RegExp(
  `${SIGN}${CURRENCY}(?:(?<=[$€£¥₹]\\s?)(?<inner>-))?${START}(?<digits>${GROUPED_BY_POINTS}|${GROUPED}|${PLAIN})${SCALE}${POWER}${FRACTION}`,
  "giu",
);

/** Every number in a text, in order. */
function readNumbers(text: string): number[] {
  return Array.from(text.matchAll(NUMBER), ({ groups = {} }) => {
    let value = Number(decimalDigits(groups.digits ?? ""));
    if (groups.power) value **= Number(groups.power);
    value *= 10 ** Number(groups.e ?? groups.ten ?? 0);
    if (groups.below) value /= Number(groups.below);
    return groups.sign === "-" || groups.inner === "-" ? -value : value;
  });
}

function decimalDigits(digits: string): string {
  const byPoints = /^\d{1,3}(?:\.\d{3}){1,12},\d/.test(digits);
  if (byPoints) return digits.replaceAll(".", "").replace(",", ".");
  const single = /^(\d+),(\d+)$/.exec(digits);
  // One comma before three digits groups thousands (1,250); before any other count it is a decimal comma (3,14).
  if (single && single[2]?.length !== 3) return `${single[1]}.${single[2]}`;
  return digits.replace(/[,'_\u00a0\u2009\u202f]/g, "");
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Writes minus signs, full-width digits, powers and LaTeX the plain way. Every replacement looks at bounded stretches. */
function plainDigits(answer: string): string {
  return answer
    .replace(/[\u2212\u2010\u2011\u2013\ufe63\uff0d]/gu, "-")
    .replace(/[\u2018\u2019]/gu, "'")
    .replace(/[\uff10-\uff19]/gu, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replace(/(?<=\d)⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}/gu, (power) => {
      return `^${power.replace("⁻", "-").replace(/[^-]/gu, (digit) => `${SUPERSCRIPTS.indexOf(digit)}`)}`;
    })
    .replace(/\\[dt]?frac\{(-?\d{1,15})\}\{(\d{1,15})\}/g, "$1/$2")
    .replace(/\\times/g, "×")
    .replace(/\\[,!;]|\{,\}/g, (space) => (space === "{,}" ? "," : ""))
    .replace(/\\\$/g, "$");
}
