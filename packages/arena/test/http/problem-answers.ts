import {
  PROBLEM_CODES,
  type Problem,
  type ProblemCode,
  problemSchema,
  problemStatus,
  problemTitle,
} from "@agon/protocol";
import type { LightMyRequestResponse } from "fastify";
import { expect } from "vitest";
import { type ApiCall, PROBLEMS_OF_ALL } from "./api-calls.ts";

/** Checks that an answer is a problem document in full, and returns it. `what` names the case when it is not. */
export function expectProblem(what: string, answer: LightMyRequestResponse): Problem {
  expect([what, answer.headers["content-type"], answer.statusCode]).toEqual([
    what,
    "application/problem+json; charset=utf-8",
    expect.toSatisfy((status) => status >= 400, "a refusal"),
  ]);
  const problem = problemSchema.parse(answer.json());
  const code = problem.code as ProblemCode;
  expect([what, PROBLEM_CODES.includes(code)]).toEqual([what, true]);
  expect({ what, ...problem }).toMatchObject({
    what,
    type: `urn:agon:problem:${code}`,
    title: problemTitle[code],
    status: problemStatus[code],
    detail: expect.stringMatching(/\S/),
    request_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-z]+$/),
  });
  expect([what, answer.statusCode]).toEqual([what, problem.status]);
  // A refusal that repeats all that it was sent would be a cheap way to have an arena send much.
  expect([what, answer.body.length < 20_000]).toEqual([what, true]);
  return problem as Problem;
}

/** Checks that the description of a call names the problem that it was refused with. */
export function expectDescribed(call: ApiCall, problem: Problem): void {
  expect([call.name, [...call.problems, ...PROBLEMS_OF_ALL]]).toEqual([
    call.name,
    expect.arrayContaining([problem.code]),
  ]);
}

/** Whether a problem says where the fault is: a field by name, or the body as a whole. */
export function namesPlace(problem: Problem, place: string): boolean {
  const fields = problem.errors ?? [];
  return fields.some(({ field }) => field === place || field.startsWith(`${place}.`)) || problem.detail.includes(place);
}
