/** Overrides and isolates of writing direction, with which a text can show itself in another order than it has. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/** Text in the order that it has: what would turn it is written out by its number. */
export function unturned(text: string): string {
  return text.replace(TURNING, (letter) => `[U+${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
}

/** A name on one line. */
export function oneLine(text: string): string {
  return text.replace(TURNING, "").replace(/\s+/g, " ").trim() || "(no name)";
}
