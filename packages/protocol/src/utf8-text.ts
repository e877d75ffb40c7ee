/**
 * Makes text storable: NUL and lone surrogates become U+FFFD. PostgreSQL refuses both, and in a batch one such text
 * would take the others down with it.
 */
export function cleanText(text: string): string {
  const whole = text.toWellFormed();
  return whole.includes("\u0000") ? whole.replaceAll("\u0000", "\uFFFD") : whole;
}

/** Length in bytes of UTF-8; a lone surrogate counts as the three bytes of the U+FFFD that is written for it. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/**
 * Cuts text to at most `maxBytes` bytes of UTF-8, the mark included, and never inside a code point. Text that fits
 * comes back as it is. A mark that does not fit itself is left out.
 *
 * @param mark put at the end of what was cut, such as "…"; none by default
 */
export function truncateUtf8(text: string, maxBytes: number, mark = ""): string {
  if (utf8Length(text) <= maxBytes) return text;
  const usedMark = utf8Length(mark) <= maxBytes ? mark : "";
  // encodeInto stops before a code point that does not fit and says how far it read; a slice by UTF-16 units would not.
  const budget = Math.max(0, Math.floor(maxBytes) - utf8Length(usedMark));
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(budget));
  return text.slice(0, read) + usedMark;
}
