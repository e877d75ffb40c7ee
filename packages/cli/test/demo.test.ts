import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { leaderboardItemSchema } from "@agon/protocol";
import { describe, expect, it } from "vitest";
import { createDemoRecord } from "../src/demo/demo-record.ts";
import { WORK } from "./loopback-arena.ts";
import { createHome } from "./run-agon.ts";

function listFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith("agon-demo-"));
}

describe("agon demo", () => {
  it("holds a competition of five agents within a minute, and ends with its result as JSON alone", async () => {
    using home = createHome();
    const begun = performance.now();
    const { code, stdout, stderr } = await home.run(["demo", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(performance.now() - begun).toBeLessThan(60_000);
    const { battles, items, run, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({});
    // A machine that is very busy has no time for it; the next test waits.
    if (run !== null) {
      const worker = { name: expect.any(String), phases: expect.arrayContaining([expect.any(String)]) };
      expect(run).toMatchObject({ goal: expect.any(String), winner: expect.any(String), sum: expect.any(String) });
      expect(run.workers).toEqual(expect.arrayContaining([worker]));
    }
    expect(battles).toBeGreaterThan(0);
    expect(items).toHaveLength(5);
    for (const item of items) leaderboardItemSchema.parse(item);
    const names = items.map((item: { agent: { name: string } }) => item.agent.name);
    expect(names.toSorted()).toEqual(["almanac", "calculator", "parrot", "tortoise", "wreck"]);
    expect(items.at(-1)).toMatchObject({ agent: { name: "wreck" }, battles: 0, rank: null });
  }, 90_000);

  it("is plain text in a pipe, ends early at a signal with its result, and leaves nothing behind", async () => {
    const before = listFolders();
    using home = createHome();
    const run = home.start(["demo", "--seconds", "60"], { FORCE_COLOR: "1" });
    await run.seen("  beats ");
    await run.seen("wreck           fails: the model is not loaded");
    await run.seen("is active for SCOUT and BUILDER, signed, answers by callback");
    await run.seen("carpenter       builds for the run");
    await run.seen("surveyor        verifies for the run");
    await run.seen("a run           won by: ");
    run.child.kill("SIGINT");
    const { code, stdout, stderr } = await run.finished;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^[\x20-\x7e\n❯❮–●─…]*$/);
    for (const name of ["calculator", "almanac", "parrot", "tortoise", "wreck"]) {
      expect(stdout).toMatch(new RegExp(`s {2}${name} +joins, (fetches its work|is called): `));
      expect(stdout).toMatch(new RegExp(`\n${name} +\\S`));
    }
    expect(stdout).toMatch(/\nRank {2}Name {9}Elo {2}/);
    expect(stdout).toMatch(/\nwreck {7}\d of \d prompts failed: the model is not loaded; so it never left the gym\n/);
    expect(stdout).toMatch(/\nA run beside it: .* Winner: .+\n {2}[\d.]+ evidence - .* = [\d.]+\n/);
    const workers = /\nWorked on by (.+)\n/.exec(stdout)?.[1];
    expect(workers).toMatch(/surveyor \((scout, )?verify, critique\)/);
    expect(workers).toMatch(/carpenter \((scout, )?build\)/);
    expect(stdout).toMatch(/\n\d+ battles, each judged by its prompt's own check/);
    expect(listFolders().filter((name) => !before.includes(name))).toEqual([]);
  }, 90_000);
});

describe("agon demo that nobody reads any more", () => {
  it("ends, and leaves nothing behind", async () => {
    const before = listFolders();
    using home = createHome();
    const run = home.start(["demo"]);
    await run.seen("joins");
    run.child.stdout.destroy();
    expect(await run.finished).toMatchObject({ code: 0, stderr: "" });
    expect(listFolders().filter((name) => !before.includes(name))).toEqual([]);
  }, 90_000);
});

describe("what is told about an agent", () => {
  const vote = (category: string, winner: "a" | "b" | "tie" | "both_bad") => ({
    number: 1,
    a: 1,
    b: 2,
    category,
    winner,
  });

  it("names where it won and where it lost most", () => {
    const record = createDemoRecord();
    record.note({ type: "answered", work: { ...WORK, kind: "gym" }, latencyMs: 1_500, response: "x" });
    for (const winner of ["a", "a", "tie", "b"] as const) record.vote(vote("math", winner), "a");
    for (const winner of ["a", "both_bad"] as const) record.vote(vote("facts", winner), "b");
    expect(record.tell()).toBe("best at math, 2 of 4 won; worst at facts, 1 of 1 lost; 1 answer, 1.5 s each");
    expect(record.gymAnswers).toBe(1);
  });

  it.each<[("a" | "b" | "tie" | "both_bad")[], string]>([
    [["b", "b", "tie"], "beat nobody, lost 2"],
    [["tie"], "only ties"],
    [["both_bad"], "nobody was right when it met others"],
    [[], ""],
  ])("after %j is %j", (winners, told) => {
    const record = createDemoRecord();
    for (const winner of winners) record.vote(vote("math", winner), "a");
    expect(record.tell()).toBe(told);
  });

  it("says why it never met anybody", () => {
    const record = createDemoRecord();
    record.note({ type: "failed", work: WORK, latencyMs: 5, error: "no model", isTimeout: false });
    expect(record.firstError).toBe("no model");
    expect(record.tell()).toBe("1 of 1 prompts failed: no model; so it never left the gym");
  });
});
