import { z } from "zod";
import { type CheckResult, result } from "./checks/check-result.ts";
import { evaluateChoice } from "./checks/choice-answers.ts";
import { compileSchema, evaluateJsonSchema } from "./checks/json-schemas.ts";
import { compilePattern } from "./checks/linear-patterns.ts";
import { evaluateNumber } from "./checks/number-answers.ts";
import { evaluateContains, evaluateExact } from "./checks/text-answers.ts";

export type { CheckResult };

const text = z.string().min(1).max(1_000);
const texts = z.array(text).min(1).max(50);
const ignoreCase = z.boolean().optional();

const exact = z.strictObject({
  kind: z.literal("exact"),
  value: z.string().min(1).max(10_000),
  ignore_case: ignoreCase,
});

const number = z.strictObject({
  kind: z.literal("number"),
  value: z.number(),
  tolerance: z.number().nonnegative().optional(),
});

const contains = z
  .strictObject({
    kind: z.literal("contains"),
    all: texts.optional(),
    any: texts.optional(),
    none: texts.optional(),
    ignore_case: ignoreCase,
  })
  .refine((check) => check.all ?? check.any ?? check.none, {
    path: ["all"],
    error: "give at least one of all, any, none",
  });

const regex = z
  .strictObject({
    kind: z.literal("regex"),
    pattern: text,
    flags: z
      .string()
      .regex(/^[imsu]{0,4}$/, "may hold the letters i, m, s and u")
      .optional(),
  })
  .superRefine((check, context) => reportFailure(context, "pattern", () => compilePattern(check.pattern, check.flags)));

const jsonSchema = z
  .strictObject({ kind: z.literal("json-schema"), schema: z.record(z.string(), z.unknown()) })
  .superRefine((check, context) => reportFailure(context, "schema", () => compileSchema(check.schema)));

const choice = z
  .strictObject({ kind: z.literal("choice"), options: z.array(text.max(100)).min(2).max(26), value: text })
  .refine((check) => new Set(check.options.map((option) => option.toLowerCase())).size === check.options.length, {
    path: ["options"],
    error: "must differ by more than case",
  })
  .refine((check) => check.options.includes(check.value), { path: ["value"], error: "must be one of the options" });

/** How a machine tells a right answer to a prompt from a wrong one. */
export const checkSchema = z.discriminatedUnion("kind", [exact, number, contains, regex, jsonSchema, choice]);

export type Check = z.infer<typeof checkSchema>;

/** Untrusted to typed. Throws an Error whose message names each faulty field, as in `check.pattern: …`. */
export function parseCheck(input: unknown): Check {
  const parsed = checkSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${["check", ...issue.path].join(".")}: ${issue.message}`);
  throw new Error(faults.join("; "));
}

/**
 * Judges one answer. Never throws and takes time in proportion to the answer's length, whatever it holds: answers come
 * from strangers. What cannot be judged is neither right nor wrong, and the detail says why.
 */
export function evaluateCheck(check: Check, answer: string): CheckResult {
  try {
    return evaluate(check, answer);
  } catch (error) {
    return result(null, `could not be judged: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function evaluate(check: Check, answer: string): CheckResult {
  switch (check.kind) {
    case "exact":
      return evaluateExact(check, answer);
    case "number":
      return evaluateNumber(check, answer);
    case "contains":
      return evaluateContains(check, answer);
    case "regex": {
      const found = compilePattern(check.pattern, check.flags).test(answer);
      return result(found, found ? "the pattern is found" : "the pattern is not found");
    }
    case "json-schema":
      return evaluateJsonSchema(check, answer);
    case "choice":
      return evaluateChoice(check, answer);
  }
}

function reportFailure(context: z.core.$RefinementCtx, field: string, attempt: () => unknown): void {
  try {
    attempt();
  } catch (error) {
    context.addIssue({
      code: "custom",
      path: [field],
      message: error instanceof Error ? error.message : String(error),
    });
  }
}
