import * as z from "zod";
import { isPlainObject } from "./json-value.ts";
import { cleanText } from "./utf8-text.ts";

/**
 * What an agent says about how it made an answer. null is unknown: absent, or of a wrong type, of which `notes` has a
 * sentence for the owner. Nothing here ever decides about the answer.
 */
export type AnswerReport = {
  promptTokens: number | null;
  completionTokens: number | null;
  modelId: string | null;
  notes: string[];
};

/** An answer that carries an `output`, whatever that holds; or a sentence on why there is none. */
export type ParsedAnswer = ({ ok: true; output: unknown } & AnswerReport) | { ok: false; detail: string };

/** The body of a completion call (endpoints document, Async completion callback), as it is documented. */
export const completionBodySchema = z.looseObject({
  taskId: z.string(),
  output: z.record(z.string(), z.unknown()),
  promptTokens: z.int().nonnegative(),
  completionTokens: z.int().nonnegative(),
  modelId: z.string().optional(),
});

/** A completion as an agent writes it. */
export type CompletionBody = {
  taskId: string;
  output: Record<string, unknown>;
  promptTokens: number;
  completionTokens: number;
  modelId?: string;
};

/** What fits into a 32-bit column; no model reads or writes more in one answer. */
const TOKENS_MAX = 2_147_483_647;
/** Longest model id that is kept, in code points. */
const MODEL_ID_MAX = 200;

/**
 * Reads the envelope of a dispatch's answer, `{ output, promptTokens, completionTokens, modelId }`, from a body that
 * was parsed as JSON. Only a missing `output` is refused; whether it is in shape is for parseOutput to say.
 */
export function parseAnswer(body: unknown): ParsedAnswer {
  if (!isPlainObject(body)) {
    return {
      ok: false,
      detail: "the answer has to be a JSON object { output, promptTokens, completionTokens, modelId }",
    };
  }
  if (!Object.hasOwn(body, "output")) {
    return { ok: false, detail: "the answer has no output; put the role's output into { output: … }, not around it" };
  }
  return { ok: true, output: body.output, ...readAnswerReport(body) };
}

/** Reads counts and model id, which an answer and a completion carry alike. Never refuses anything. */
export function readAnswerReport(body: Record<string, unknown>): AnswerReport {
  const notes: string[] = [];
  return {
    promptTokens: readCount(body, "promptTokens", notes),
    completionTokens: readCount(body, "completionTokens", notes),
    modelId: readModelId(body, notes),
    notes,
  };
}

function readCount(body: Record<string, unknown>, name: string, notes: string[]): number | null {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= TOKENS_MAX) return value;
  notes.push(`${name} ${value === undefined ? "is missing" : "is no whole number of tokens"} and counts as unknown`);
  return null;
}

function readModelId(body: Record<string, unknown>, notes: string[]): string | null {
  const value = Object.hasOwn(body, "modelId") ? body.modelId : undefined;
  if (typeof value !== "string" || value.trim() === "") {
    notes.push(`modelId ${value === undefined ? "is missing" : "is no text"} and counts as unknown`);
    return null;
  }
  const points = value.length <= MODEL_ID_MAX ? [] : [...value.slice(0, 2 * MODEL_ID_MAX + 1)];
  if (points.length <= MODEL_ID_MAX) return cleanText(value);
  notes.push(`modelId is longer than ${MODEL_ID_MAX} characters and was cut`);
  return cleanText(points.slice(0, MODEL_ID_MAX).join(""));
}
