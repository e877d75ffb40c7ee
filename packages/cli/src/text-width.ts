const SEGMENTER = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Scripts and signs that take two columns of a terminal. */
const WIDE =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\ufe0f/u;

/** How many columns of a terminal a text without control characters takes. */
export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of SEGMENTER.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** The text with spaces after or before it, as wide as given; wider ones stay. */
export function padText(text: string, width: number, align: "left" | "right" = "left"): string {
  const spaces = " ".repeat(Math.max(0, width - textWidth(text)));
  return align === "left" ? text + spaces : spaces + text;
}

/** The text cut to a width, with a mark where something is missing. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let cut = "";
  let used = 0;
  for (const { segment } of SEGMENTER.segment(text)) {
    const next = textWidth(segment);
    if (used + next > width - 1) break;
    cut += segment;
    used += next;
  }
  return width < 1 ? "" : `${cut.trimEnd()}…`;
}
