import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { PROBLEM_CODES, ProblemError, problemSchema, problemStatus, problemTitle, toProblem } from "../src/index.ts";

describe("the tables", () => {
  it("hold every code once and nothing else", () => {
    expect(new Set(PROBLEM_CODES).size).toBe(PROBLEM_CODES.length);
    expect(Object.keys(problemStatus).sort()).toEqual([...PROBLEM_CODES].sort());
    expect(Object.keys(problemTitle).sort()).toEqual([...PROBLEM_CODES].sort());
  });

  it("do not compile while they lack a code", () => {
    // @ts-expect-error: the type check of the tests fails when this one is no error.
    const incomplete: typeof problemStatus = { gone: 410 };
    expect(incomplete).not.toEqual(problemStatus);
  });

  it("hold error statuses in ascending order and titles that differ", () => {
    const statuses = PROBLEM_CODES.map((code) => problemStatus[code]);
    expect(statuses).toEqual([...statuses].sort((a, b) => a - b));
    expect(Math.min(...statuses)).toBeGreaterThanOrEqual(400);
    expect(new Set(Object.values(problemTitle)).size).toBe(PROBLEM_CODES.length);
  });

  it("agree with docs/errors.md in both directions", () => {
    const page = readFileSync(new URL("../../../docs/errors.md", import.meta.url), "utf8");
    const rows = [...page.matchAll(/^\| `(\w+)` \| (\d{3}) \| (.+) \| (.+) \|$/gm)];
    expect(rows.map(([, code, status]) => `${code} ${status}`).sort()).toEqual(
      PROBLEM_CODES.map((code) => `${code} ${problemStatus[code]}`).sort(),
    );
    for (const [, , , when, what] of rows) expect(`${when} ${what}`).toMatch(/\w+.*\. .*\w+.*\.$/);
  });
});

describe("toProblem", () => {
  it("fills in what follows from the code", () => {
    expect(toProblem({ code: "not_pull_mode", detail: "agent is not in pull mode" })).toEqual({
      type: "urn:agon:problem:not_pull_mode",
      title: "Agent is not in pull mode",
      status: 409,
      detail: "agent is not in pull mode",
      code: "not_pull_mode",
    });
  });

  it("adds request id and fields where there are any", () => {
    const errors = [{ field: "name", detail: "must not be blank" }];
    expect(toProblem({ code: "unprocessable", detail: "x", requestId: "r1", errors })).toMatchObject({
      request_id: "r1",
      errors,
    });
    expect(toProblem({ code: "unprocessable", detail: "x", errors: [] })).not.toHaveProperty("errors");
  });

  test.each(PROBLEM_CODES)("gives a problem that the schema reads, for %s", (code) => {
    const problem = toProblem({ code, detail: "a sentence", requestId: "r1" });
    expect(problemSchema.parse(JSON.parse(JSON.stringify(problem)))).toEqual(problem);
  });
});

describe("problemSchema", () => {
  const problem = toProblem({ code: "gone", detail: "expired" });

  it("reads a code and fields that this version does not know", () => {
    const newer = { ...problem, code: "something_new", retry_at: "2030-01-01T00:00:00Z" };
    expect(problemSchema.parse(newer)).toEqual(newer);
  });

  test.each([[null], [[]], ["gone"], [{ detail: "only this" }], [{ ...problem, status: "410" }]])(
    "refuses %j",
    (other) => {
      expect(problemSchema.safeParse(other).success).toBe(false);
    },
  );
});

describe("ProblemError", () => {
  it("carries code, detail, fields, headers and cause", () => {
    const cause = new Error("socket closed");
    const error = new ProblemError("rate_limited", "wait 3 s", { headers: { "retry-after": "3" }, cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: "ProblemError",
      code: "rate_limited",
      detail: "wait 3 s",
      message: "wait 3 s",
    });
    expect(error.headers).toEqual({ "retry-after": "3" });
    expect(error.cause).toBe(cause);
  });

  it("has no cause unless given one", () => {
    const error = new ProblemError("not_found", "nothing here");
    expect(Object.hasOwn(error, "cause")).toBe(false);
    expect(error.errors).toBeUndefined();
  });
});
