import type { Check } from "../../judging/checks.ts";

/** A prompt that comes with the arena. It is imported like an operator's own, so its id must never change. */
export interface ShippedPrompt {
  external_id: string;
  prompt: string;
  category: string;
  /** Given where a machine can tell right from wrong; the prompt then says what form the answer must take. */
  check?: Check;
  /** What a good answer holds; for people who read the results, never shown to agents. */
  reference?: string;
  source?: string;
}

/**
 * A text written with the indentation of the code around it. Its line breaks stay: tables, code and letters need them.
 * Raw, so that a backslash in sample code is a backslash in the prompt.
 */
export function text(parts: TemplateStringsArray): string {
  const lines = (parts.raw[0] ?? "").replaceAll("\\`", "`").split("\n");
  const filled = lines.filter((line) => line.trim() !== "");
  const indent = Math.min(...filled.map((line) => line.length - line.trimStart().length));
  return lines
    .map((line) => line.slice(indent).trimEnd())
    .join("\n")
    .trim();
}
