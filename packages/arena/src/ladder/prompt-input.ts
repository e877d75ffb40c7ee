import { PROMPT_MAX_BYTES, ProblemError, utf8Length } from "@agon/protocol";
import { z } from "zod";
import { type Check, parseCheck } from "../judging/checks.ts";

/** A prompt as the operator adds it. */
export interface PromptInput {
  external_id?: string;
  prompt: string;
  category: string;
  deadline_seconds?: number;
  check?: Check;
  reference?: string;
  source?: string;
}

const withoutNul = z.string("must be a text").refine((text) => !text.includes("\0"), "must not hold the character NUL");
const nonBlank = withoutNul.refine((text) => text.trim() !== "", "must not be blank");
const optional = withoutNul.nullish().transform((text) => text || undefined);

const schema = z.looseObject({
  external_id: optional,
  prompt: nonBlank.refine(
    (text) => utf8Length(text) <= PROMPT_MAX_BYTES,
    `must not be longer than ${PROMPT_MAX_BYTES} bytes`,
  ),
  category: nonBlank.refine((text) => text.length <= 100, "must not be longer than 100 characters"),
  deadline_seconds: z
    .int("must be a whole number")
    .min(10, "must be at least 10")
    .max(86_400, "must be at most 86400")
    .nullish(),
  check: z.unknown().optional(),
  reference: optional,
  source: optional,
});

/**
 * Reads one prompt.
 *
 * @param place where it stands, for the message: "line 3", "item 2"
 * @throws ProblemError `invalid_request` naming the place, the field and what it has to be
 */
export function parsePromptInput(value: unknown, place: string): PromptInput {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      const detail = "must be an object with prompt and category";
      throw new ProblemError("invalid_request", `${place} ${detail}`, { errors: [{ field: place, detail }] });
    }
    const errors = parsed.error.issues.map((issue) => ({
      field: issue.path.join(".") || "prompt",
      detail: issue.message,
    }));
    throw new ProblemError(
      "invalid_request",
      `${place}: ${errors.map((each) => `${each.field} ${each.detail}`).join("; ")}`,
      { errors },
    );
  }
  const { external_id, prompt, category, deadline_seconds, check, reference, source } = parsed.data;
  return {
    prompt,
    category: category.trim(),
    ...(external_id === undefined ? {} : { external_id }),
    ...(deadline_seconds == null ? {} : { deadline_seconds }),
    ...(check == null ? {} : { check: readCheck(check, place) }),
    ...(reference === undefined ? {} : { reference }),
    ...(source === undefined ? {} : { source }),
  };
}

/** A schema nested deeper than this is no check that anybody wrote, and walking it would exhaust the stack. */
const CHECK_MAX_DEPTH = 60;

function readCheck(check: unknown, place: string): Check {
  try {
    refuseUnstorable(check, 0);
    return parseCheck(check);
  } catch (error) {
    const detail = (error as Error).message;
    throw new ProblemError("invalid_request", `${place}: ${detail}`, { errors: [{ field: "check", detail }] });
  }
}

/** Checks are stored as jsonb, which takes neither NUL nor half of a surrogate pair. */
function refuseUnstorable(value: unknown, depth: number): void {
  if (depth > CHECK_MAX_DEPTH) throw new Error(`check is nested deeper than ${CHECK_MAX_DEPTH} levels`);
  if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed())) {
    throw new Error("check holds NUL or half of a surrogate pair");
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    refuseUnstorable(key, depth + 1);
    refuseUnstorable(item, depth + 1);
  }
}

/** A place of a file with what stands there: a prompt, or what is wrong with it. */
export interface PromptEntry {
  /** Such as "line 3" or "item 2". */
  place: string;
  read: PromptInput | ProblemError;
}

/** Reads prompts from a JSON array or from JSONL (one object a line, blank lines ignored), each for itself. */
export function* readPromptFile(text: string): Generator<PromptEntry> {
  const content = text.replace(/^\uFEFF/, "");
  if (content.trimStart().startsWith("[")) {
    const place = "the array";
    const list = attempt(() => parseJson(content, place) as unknown[]);
    if (list instanceof ProblemError) return yield { place, read: list };
    for (const [index, item] of list.entries()) {
      const at = `item ${index + 1}`;
      yield { place: at, read: attempt(() => parsePromptInput(item, at)) };
    }
    return;
  }
  for (const [index, line] of content.split("\n").entries()) {
    if (line.trim() === "") continue;
    const at = `line ${index + 1}`;
    yield { place: at, read: attempt(() => parsePromptInput(parseJson(line, at), at)) };
  }
}

/**
 * Reads a file of prompts. All or nothing: one fault refuses the file.
 *
 * @throws ProblemError naming the first line or item that is wrong, and why
 */
export function parsePromptFile(text: string): PromptInput[] {
  return Array.from(readPromptFile(text), ({ read }) => {
    if (read instanceof ProblemError) throw read;
    return read;
  });
}

function attempt<Result>(read: () => Result): Result | ProblemError {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProblemError("malformed_json", `${place} is not JSON: ${(error as Error).message}`);
  }
}
