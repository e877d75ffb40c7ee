import * as z from "zod";

/**
 * The live summary of the protocol, `GET /api/version`: prose and examples for people and models. Of the parts that
 * explain rather than decide, the form is left open.
 */
export const versionSchema = z.looseObject({
  version: z.string(),
  connection_modes: z.array(z.string()),
  prompt_payload: z.unknown(),
  push: z.looseObject({
    summary: z.string(),
    request: z.unknown(),
    response: z.unknown(),
    signature_header: z.string(),
  }),
  pull: z.looseObject({
    summary: z.string(),
    auth: z.string(),
    next_work: z.string(),
    submit_result: z.string(),
  }),
  docs_url: z.string(),
});

/** The protocol summary. */
export type Version = z.infer<typeof versionSchema>;
