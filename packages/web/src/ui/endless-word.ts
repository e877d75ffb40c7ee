const ENDLESS = /\S{500}/;

/**
 * Whether a text holds a word of many lines. With kerning a browser measures what is left of such a word again for each
 * line: 200 kB of one letter then take it a minute, and without kerning (the class `endless`) no time at all.
 */
export function hasEndlessWord(text: string): boolean {
  return ENDLESS.test(text);
}
