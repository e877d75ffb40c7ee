import * as z from "zod";
import type { ProblemCode } from "./problem-codes.ts";

/** What a runner posts for one piece of work: an answer or what went wrong, and how long it took (pull document, result). */
export const resultBodySchema = z.looseObject({
  response: z.string().nullish(),
  error: z.string().nullish(),
  latency_ms: z.number().nullish(),
});

/** The body of a result as a runner writes it. */
export type ResultBody = z.infer<typeof resultBodySchema>;

/** What the arena says to a result. `duplicate` marks a repeat that differed from the first answer, which stands. */
export const resultResponseSchema = z.looseObject({
  work_id: z.string(),
  recorded: z.boolean(),
  duplicate: z.boolean().optional(),
});

/** The arena's answer to a result. */
export type ResultResponse = z.infer<typeof resultResponseSchema>;

/** A result that counts: exactly one of `response` and `error`. `latencyMs` is a whole number of milliseconds. */
export type AcceptedResult = { ok: true; response?: string; error?: string; latencyMs?: number };

/** A result that cannot be taken, and the code, field and sentence to say so with. */
export type RefusedResult = {
  ok: false;
  code: ProblemCode & ("unprocessable" | "no_answer");
  field: string;
  detail: string;
};

/** Longest time that is believed, in milliseconds: what a 32-bit column holds, some 25 days. */
const LATENCY_MAX_MS = 2_147_483_647;

/**
 * Reads the body of a result. Text that is blank counts as not given; when both are given the error wins, since a
 * runner that names an error does not stand by its response. A wrong type of either is refused by name, but one of
 * `latency_ms` is ignored: a bad clock is no reason to lose an answer. Text comes back as sent, not trimmed.
 */
export function toResult(body: unknown): AcceptedResult | RefusedResult {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return unprocessable("body", "the body has to be a JSON object");
  }
  const response = ownField(body, "response");
  const error = ownField(body, "error");
  if (!isTextOrAbsent(response)) return unprocessable("response", "response has to be a string");
  if (!isTextOrAbsent(error)) return unprocessable("error", "error has to be a string");
  const timing = toTiming(ownField(body, "latency_ms"));
  if (isGiven(error)) return { ok: true, error, ...timing };
  if (isGiven(response)) return { ok: true, response, ...timing };
  return { ok: false, code: "no_answer", field: "response", detail: "neither response nor error provided" };
}

function unprocessable(field: string, detail: string): RefusedResult {
  return { ok: false, code: "unprocessable", field, detail };
}

/** Own fields only: a plain read would also find what a `__proto__` key in the body had put into the prototype. */
function ownField(body: object, name: string): unknown {
  return Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
}

function isTextOrAbsent(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || typeof value === "string";
}

function isGiven(text: string | null | undefined): text is string {
  return typeof text === "string" && text.trim() !== "";
}

function toTiming(value: unknown): { latencyMs?: number } {
  const usable = typeof value === "number" && value >= 0 && value <= LATENCY_MAX_MS;
  return usable ? { latencyMs: Math.round(value) } : {};
}
