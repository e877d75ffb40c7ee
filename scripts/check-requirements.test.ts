import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, test } from "vitest";
import { FINISHED_PARTS, REQUIREMENTS } from "../packages/protocol/src/requirements.ts";
import { checkRequirements, citedIds } from "./check-requirements.ts";

const folder = mkdtempSync(join(tmpdir(), "check-requirements-"));
afterAll(() => rmSync(folder, { recursive: true }));

const finished = REQUIREMENTS.filter(({ part }) => FINISHED_PARTS.includes(part)).map(({ id }) => id);

/** Checks a report with these tests in it, and gives exit status and printed lines. */
function check(
  tests: { title: string; status: string }[] | string,
  finishedParts?: string[],
): { status: number; lines: string[] } {
  const path = join(folder, "report.json");
  const report = { testResults: [{ assertionResults: [] }, { assertionResults: tests }] };
  writeFileSync(path, typeof tests === "string" ? tests : JSON.stringify(report));
  const lines: string[] = [];
  return { status: checkRequirements(path, (line) => lines.push(line), finishedParts), lines };
}

function passing(ids: readonly string[]) {
  return ids.map((id) => ({ title: `[${id}] holds`, status: "passed" }));
}

describe("checkRequirements", () => {
  it("passes when every rule of the finished parts has a passing test", () => {
    const { status, lines } = check(passing(finished));
    expect(lines).toEqual([`requirements: ${finished.length} of ${REQUIREMENTS.length} proven`]);
    expect(status).toBe(0);
  });

  test.each(finished)("fails and names %s when its test is gone", (id) => {
    const { status, lines } = check(passing(finished.filter((other) => other !== id)));
    expect(status).toBe(1);
    expect(lines[0]).toBe(`requirements: ${finished.length - 1} of ${REQUIREMENTS.length} proven`);
    expect(lines.slice(1)).toEqual([expect.stringContaining(`not proven: ${id} (`)]);
  });

  test.each(["failed", "skipped", "todo", "pending", "disabled"])("does not count a test that is %s", (status) => {
    const [first, ...others] = finished;
    const result = check([...passing(others), { title: `[${first}] holds`, status }]);
    expect(result.status).toBe(1);
    expect(result.lines[1]).toContain(first);
  });

  it("counts rules of unfinished parts but does not ask for them", () => {
    const { status, lines } = check(passing(["TX-VER-1", "EA-LIVE-1"]), ["version"]);
    expect(lines).toEqual([`requirements: 2 of ${REQUIREMENTS.length} proven`]);
    expect(status).toBe(0);
  });

  it("fails on an id that no rule has, which would be a slip in a title", () => {
    const { status, lines } = check(passing([...finished, "TX-RES-99"]));
    expect(lines[1]).toContain("TX-RES-99");
    expect(status).toBe(1);
  });

  test.each(["", "not json", "null", "[]", "{}", '{"testResults":[{}]}'])(
    "fails with one line on the report %j",
    (text) => {
      const { status, lines } = check(text);
      expect(status).toBe(1);
      expect(lines).toHaveLength(1);
    },
  );

  it("fails with one line when there is no report", () => {
    const lines: string[] = [];
    expect(checkRequirements(join(folder, "none.json"), (line) => lines.push(line))).toBe(1);
    expect(lines).toEqual([expect.stringContaining("run the tests first")]);
  });
});

test.each([
  ["[TX-RES-1] records an answer", ["TX-RES-1"]],
  ["[TX-RES-1, TX-RES-2] both", ["TX-RES-1", "TX-RES-2"]],
  ["[TX-RES-1] [EA-COMP-10] both", ["TX-RES-1", "EA-COMP-10"]],
  ["[TX-RES-1][TX-RES-2] both", ["TX-RES-1", "TX-RES-2"]],
  ["records [TX-RES-1] in the middle", []],
  ["TX-RES-1 without brackets", []],
  ["[::1] is loopback", []],
  ["[]", []],
])("the title %j cites %j", (title, ids) => {
  expect(citedIds(title)).toEqual(ids);
});
