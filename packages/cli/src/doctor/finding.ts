/** What one look of the doctor found. */
export interface Finding {
  /** `warn` is worth knowing, `bad` has to be mended before things work. */
  readonly level: "good" | "warn" | "bad";
  /** What was looked at: `Node`, `Arena`, `Agent 7`. */
  readonly about: string;
  /** What is the case. */
  readonly detail: string;
  /** What to do about it. */
  readonly advice?: string;
}

/** A finding without anything to do. */
export function good(about: string, detail: string): Finding {
  return { level: "good", about, detail };
}

/** A finding that is worth knowing. */
export function warn(about: string, detail: string, advice?: string): Finding {
  return { level: "warn", about, detail, ...(advice === undefined ? {} : { advice }) };
}

/** A finding that has to be mended. */
export function bad(about: string, detail: string, advice?: string): Finding {
  return { level: "bad", about, detail, ...(advice === undefined ? {} : { advice }) };
}
