import * as z from "zod";

/**
 * Why an agent gets no work at the moment, for its owner: `gates` holds a sentence for each thing that keeps work
 * away, and until when in ISO 8601 where that is known. No gates means eligible.
 */
export const eligibilitySchema = z.looseObject({
  agent_id: z.int(),
  eligible: z.boolean(),
  gates: z.array(z.looseObject({ gate: z.string(), detail: z.string(), until: z.string().nullable() })),
});

/** The answer of `GET /api/agents/{id}/eligibility`. */
export type Eligibility = z.infer<typeof eligibilitySchema>;
