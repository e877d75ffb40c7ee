import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RealArena, startRealArena } from "./real-arena.ts";
import { createHome } from "./run-agon.ts";

let arena: RealArena;
let apiKey: string;

beforeAll(async () => {
  arena = await startRealArena({ passSeconds: 0.1, runsPerDay: 0 });
  const account = await fetch(`${arena.baseUrl}/api/register`, { method: "POST" });
  apiKey = ((await account.json()) as { api_key: string }).api_key;
});
afterAll(() => arena[Symbol.asyncDispose]());

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  using home = createHome();
  return home.run(["run-goal", ...args], { AGON_BASE_URL: arena.baseUrl, AGON_API_KEY: apiKey, ...env });
}

describe("agon run-goal", () => {
  it("shows each place and candidate as it comes, then the ranking with its sums", async () => {
    const { code, stdout, stderr } = await run(["Find a niche.", "--launchpad", "make-money", "--scouts", "2"]);
    expect([code, stderr]).toEqual([0, ""]);
    for (const phase of ["SCOUT", "BUILD", "VERIFY", "CRITIQUE"])
      expect(stdout).toContain(`${phase.padEnd(8)}  done  `);
    expect(stdout).toContain("found   candidate 2: ");
    expect(stdout).toMatch(/^ 1 +\d+\.\d\d {2}/m);
    expect(stdout).toContain(" evidence - ");
    expect(stdout).toMatch(/report: http\S+\/report\n$/);
  });

  it("prints the whole run as one line of JSON, or its report as Markdown, and nothing else", async () => {
    const json = await run(["Find a niche.", "--scouts", "1", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ status: "COMPLETED", goal: "Find a niche." });
    const markdown = await run(["Find a niche.", "--scouts", "1", "--markdown"]);
    expect(markdown.stdout).toMatch(/^# Find a niche\.\n/);
    expect(markdown.stdout).toContain("## Who did what");
  });

  it("ends with 0 and says so when nobody was asked to judge", async () => {
    const { code, stdout } = await run(["g", "--scouts", "1", "--builders", "0", "--verifiers", "0", "--critics", "0"]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining("COMPLETED  1 candidate, and nobody was asked to judge them"),
    ]);
  });

  it.each([
    [
      "an unknown launchpad",
      ["g", "--launchpad", "x"],
      {},
      1,
      "launchpad: there is none of this name; there are grow-an-audience",
    ],
    ["an empty goal", [" "], {}, 1, "must not be blank"],
    ["no goal", [], {}, 2, "missing required argument 'goal'"],
    ["no account", ["g"], { AGON_API_KEY: "" }, 2, "agon login"],
    ["two formats", ["g", "--json", "--markdown"], {}, 2, "exclude each other"],
    ["too many scouts", ["g", "--scouts", "11"], {}, 2, "from 1 to 10"],
  ] as const)("refuses %s", async (_title, args, env, wanted, text) => {
    const { code, stderr } = await run(args, env);
    expect([code, stderr]).toEqual([wanted, expect.stringContaining(text)]);
  });
});
