export interface CheckResult {
  /** Null when that could not be found out, which is the check's fault or ours and never the answer's. */
  right: boolean | null;
  /** What was found in the answer, in a few words. It never gives the expected value away: answer owners may read it. */
  detail: string;
}

export function result(right: boolean | null, detail: string): CheckResult {
  return { right, detail };
}

/** A piece of an answer, short enough for a log line. */
export function excerpt(text: string): string {
  const start = Array.from(text.slice(0, 160)).slice(0, 60).join("");
  return JSON.stringify(start.length < text.length ? `${start}…` : text);
}
