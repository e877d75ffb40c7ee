import type * as z from "zod";
import {
  type BuildOutput,
  buildOutputSchema,
  type CritiqueOutput,
  critiqueOutputSchema,
  type ScoutOutput,
  scoutOutputSchema,
  type VerifyOutput,
  verifyOutputSchema,
} from "./edgearena-output-schemas.ts";
import type { Phase } from "./edgearena-words.ts";
import { isNestedDeeper, isPlainObject, OUTPUT_MAX_DEPTH } from "./json-value.ts";
import { shapeComplaint } from "./shape-complaint.ts";

/** The output of each phase. */
export type PhaseOutput = {
  SCOUT: ScoutOutput;
  BUILD: BuildOutput;
  VERIFY: VerifyOutput;
  CRITIQUE: CritiqueOutput;
};

/** What an agent may return for each phase: as the output, but lists that count as empty may be left out. */
export type PhaseInput = {
  SCOUT: z.input<typeof scoutOutputSchema>;
  BUILD: z.input<typeof buildOutputSchema>;
  VERIFY: z.input<typeof verifyOutputSchema>;
  CRITIQUE: z.input<typeof critiqueOutputSchema>;
};

/** The whole schema of each phase's output: more than a simulation asks for (facts, Role outputs). */
export const OUTPUT_SCHEMAS: { readonly [P in Phase]: z.ZodType<PhaseOutput[P]> } = {
  SCOUT: scoutOutputSchema,
  BUILD: buildOutputSchema,
  VERIFY: verifyOutputSchema,
  CRITIQUE: critiqueOutputSchema,
};

/** An output in shape, with lists that may be left out filled in as empty; or the first wrong field and a sentence. */
export type ParsedOutput<P extends Phase = Phase> =
  | { ok: true; output: PhaseOutput[P] }
  | { ok: false; field: string; detail: string };

/**
 * Checks what an agent, or a model, made for one phase. Any value may come in: it never throws, reads own fields
 * only, and refuses what is nested so deep that writing it as JSON would fail. `field` is a path such as
 * `claims[0].text`, or `output` for the whole.
 *
 * @param candidateId the id that was dispatched; an output about another candidate is refused. Left out or null, any
 *   non-empty id passes, and a scout's output has none.
 */
export function parseOutput<P extends Phase>(phase: P, value: unknown, candidateId?: string | null): ParsedOutput<P> {
  if (!isPlainObject(value)) return wrong("output", `output has to be a JSON object with the fields of ${phase}`);
  if (isNestedDeeper(value, OUTPUT_MAX_DEPTH)) {
    return wrong("output", `output is nested more than ${OUTPUT_MAX_DEPTH} levels deep; flatten it`);
  }
  const parsed = OUTPUT_SCHEMAS[phase].safeParse(value);
  if (!parsed.success) return { ok: false, ...shapeComplaint(parsed.error, value, "output") };
  const named = (parsed.data as { candidate_id?: string }).candidate_id;
  // UUIDs mean the same in either case, and models do respell them.
  if (phase !== "SCOUT" && candidateId && named?.toLowerCase() !== candidateId.toLowerCase()) {
    return wrong("candidate_id", `candidate_id has to be the id that was dispatched, ${candidateId}`);
  }
  return { ok: true, output: parsed.data };
}

function wrong(field: string, detail: string): { ok: false; field: string; detail: string } {
  return { ok: false, field, detail };
}
