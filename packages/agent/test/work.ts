import type { Work } from "@agon/protocol";
import type { AnswerContext } from "../src/answer.ts";

/** Work as an arena hands it out. */
export function makeWork(fields: Partial<Work> = {}): Work {
  return {
    kind: "main",
    work_id: "main-42",
    prompt_id: "42",
    prompt: "Name two moons.",
    category: "astronomy",
    deadline_seconds: 30,
    ...fields,
  };
}

/** A context whose deadline is far away, with what was logged. */
export function makeContext(fields: Partial<AnswerContext> = {}): AnswerContext & { lines: string[] } {
  const lines: string[] = [];
  return {
    signal: new AbortController().signal,
    deadlineMs: 30_000,
    log: (line) => lines.push(line),
    lines,
    ...fields,
  };
}
