import * as z from "zod";
import { type ProblemCode, problemStatus, problemTitle } from "./problem-codes.ts";

/** One field that was refused: its path in the request, joined with dots, and a sentence about what it has to be. */
export const problemFieldSchema = z.looseObject({ field: z.string(), detail: z.string() });

/** One refused field. */
export type ProblemField = z.infer<typeof problemFieldSchema>;

/**
 * An error as RFC 9457 problem details, sent as `application/problem+json`. `detail` is also what existing tesserax
 * clients show. `code` is open here, so that an older client can read the problems of a newer arena.
 */
export const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  request_id: z.string().optional(),
  errors: z.array(problemFieldSchema).optional(),
});

/** A problem as this version of Agon writes it. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  request_id?: string;
  errors?: ProblemField[];
};

/**
 * Fills in everything that follows from the code. `type` is an identifier and no page: an arena has no address that
 * stays the same for everyone.
 */
export function toProblem(input: {
  code: ProblemCode;
  detail: string;
  requestId?: string | undefined;
  errors?: readonly ProblemField[] | undefined;
}): Problem {
  const { code, detail, requestId, errors } = input;
  return {
    type: `urn:agon:problem:${code}`,
    title: problemTitle[code],
    status: problemStatus[code],
    detail,
    code,
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(errors === undefined || errors.length === 0 ? {} : { errors: [...errors] }),
  };
}
