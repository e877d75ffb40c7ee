import * as z from "zod";

// The messages say what a field has to be; parseOutput puts the name and what was found in front of them. Unknown
// fields pass everywhere, and only optional ones may be absent. null is no absence, as in the schemas of the field.

const SOME_TEXT = "a non-empty string";
const GRADE = 'one of "high", "medium" and "low"';
const SCORE = "a number from 0 to 100";

const text = z.string(SOME_TEXT).min(1, SOME_TEXT);
const anyText = z.string("a string");
const grade = z.enum(["high", "medium", "low"], GRADE);
const score = z.number(SCORE).min(0, SCORE).max(100, SCORE);
const flag = z.boolean("true or false");

const listOf = <T extends z.ZodType>(item: T, what: string) => z.array(item, `an array of ${what}`);
const object = <T extends z.core.$ZodLooseShape>(shape: T) => z.looseObject(shape, "an object");

const claims = listOf(object({ type: text, text }), "{ type, text }");

/** What a scout found. */
export const scoutOutputSchema = object({
  candidate_title: text,
  target_customer: text,
  core_problem: text,
  proposed_solution: text,
  why_now: text,
  claims,
  evidence: listOf(object({ kind: text, summary: text }), "{ kind, summary }"),
});

/** A scout's output. */
export type ScoutOutput = z.infer<typeof scoutOutputSchema>;

const PHASE_SHAPE = "a non-empty string or an object";
const executionPhase = z.union(
  [
    text,
    object({
      title: anyText.optional(),
      objective: anyText.optional(),
      outcome: anyText.optional(),
      reality_check: anyText.optional(),
      operator_guidance: anyText.optional(),
      steps: listOf(anyText, "strings").optional(),
    }),
  ],
  PHASE_SHAPE,
);

/** A plan for a candidate; claims that are left out count as none. */
export const buildOutputSchema = object({
  candidate_id: text,
  execution: object({
    objective: text,
    first_milestone: text,
    success_check: text,
    phases: listOf(executionPhase, "at least one phase").min(1, "an array of at least one phase"),
  }),
  claims: claims.default([]),
});

/** A builder's output. */
export type BuildOutput = z.infer<typeof buildOutputSchema>;

/** How well a candidate's evidence and claims hold. */
export const verifyOutputSchema = object({
  candidate_id: text,
  evidence_assessments: listOf(
    object({ kind: text, summary: text, reliability: grade, specificity: grade, note: anyText.optional() }),
    "{ kind, summary, reliability, specificity }",
  ),
  claim_assessments: listOf(
    object({ type: text, text, supported: flag, confidence: grade, note: anyText.optional() }),
    "{ type, text, supported, confidence }",
  ),
  evidence_quality_score: score,
  claim_coverage_score: score,
  overall_confidence: grade,
  red_flags: listOf(anyText, "strings"),
});

/** A verifier's output. */
export type VerifyOutput = z.infer<typeof verifyOutputSchema>;

/** A verdict on a candidate; strengths and weaknesses that are left out count as none. */
export const critiqueOutputSchema = object({
  candidate_id: text,
  strengths: listOf(text, "non-empty strings").default([]),
  weaknesses: listOf(text, "non-empty strings").default([]),
  score_adjustments: z.record(z.string(), z.number("a number"), "an object of numbers"),
  penalty_points: z.number("a number"),
  verdict: z.enum(["pass", "eliminate"], 'either "pass" or "eliminate"'),
  fatal_flaw: flag,
  elimination_reason: anyText.optional(),
});

/** A critic's output. */
export type CritiqueOutput = z.infer<typeof critiqueOutputSchema>;
