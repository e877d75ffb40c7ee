import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { openArena } from "../../src/open-arena.ts";
import { parseLaunchpad } from "../../src/runs/launchpad-file.ts";
import { LaunchpadError, loadLaunchpads } from "../../src/runs/launchpads.ts";

const HEAD =
  "---\ntitle: Own\nsummary: Ours.\nrubric:\n  - name: use\n    weight: 1\n    question: Is it of use?\n---\n";
const section = (name: string) => `## ${name}\n\nDo it.\n\n### How it is scored\n\n- well\n\n`;
const WHOLE = HEAD + ["SCOUT", "BUILD", "VERIFY", "CRITIQUE"].map(section).join("");
const faultsOf = (text: string) => {
  const parsed = parseLaunchpad("own", text);
  return "faults" in parsed ? parsed.faults.map(({ line, detail }) => `${line}: ${detail}`) : [];
};

describe("launchpads", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "agon-launchpads-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("are five as shipped, each with a rubric and scoring guidance for all four phases", () => {
    const all = [...loadLaunchpads().values()];
    expect(all.map((each) => each.slug)).toEqual([
      "grow-an-audience",
      "help-a-neighbourhood",
      "learn-a-skill",
      "make-money",
      "save-time",
    ]);
    expect(all.find((each) => each.slug === "make-money")?.title).toBe("Make Money");
    for (const { phases, rubric } of all) {
      expect(Object.keys(phases)).toEqual(["SCOUT", "BUILD", "VERIFY", "CRITIQUE"]);
      expect(rubric.reduce((sum, each) => sum + each.weight, 0)).toBe(100);
      for (const text of Object.values(phases)) expect(text).toContain("### How it is scored");
    }
  });

  it("take an operator's own beside them, one of a shipped name in its place, and a heading in a fence as text", () => {
    writeFileSync(join(folder, "own.md"), WHOLE.replace("Do it.", "```md\n## SCOUT\n```"));
    writeFileSync(join(folder, "make-money.md"), WHOLE.replaceAll("\n", "\r\n"));
    writeFileSync(join(folder, "README.md"), "not one");
    const all = loadLaunchpads(folder);
    expect(all.size).toBe(6);
    expect(all.get("make-money")?.title).toBe("Own");
    expect(all.get("own")?.phases.SCOUT).toContain("```md\n## SCOUT\n```");
  });

  it.each([
    ["a missing section", WHOLE.replace(section("VERIFY"), ""), ['33: the section "## VERIFY" is missing']],
    ["an empty section", WHOLE.replace(section("SCOUT"), "## SCOUT\n\n"), ['9: the section "## SCOUT" is empty']],
    [
      "a section without scoring",
      WHOLE.replace("### How it is scored\n\n- well", "- well"),
      ['9: the section "## SCOUT" has no part "### How it is scored"'],
    ],
    ["a section twice", WHOLE + section("BUILD"), ['41: a second section "## BUILD"']],
    [
      "an unknown section",
      `${WHOLE}## JUDGE\n`,
      ['41: "## JUDGE" is no section; there are SCOUT, BUILD, VERIFY, CRITIQUE'],
    ],
    ["no front matter", WHOLE.slice(4), ['1: the file has to begin with front matter between two lines of "---"']],
    ["a missing field", WHOLE.replace("summary: Ours.\n", ""), ["2: summary: is missing"]],
    ["a field too many", WHOLE.replace("summary:", "colour: red\nsummary:"), ['3: colour: Unrecognized key: "colour"']],
    [
      "a wrong type far inside",
      WHOLE.replace("weight: 1", "weight: much"),
      [expect.stringContaining("6: rubric.0.weight")],
    ],
    ["front matter that is no YAML", WHOLE.replace("title: Own", "title: [Own"), [expect.stringMatching(/^[23]: /)]],
    ["a bomb of aliases", WHOLE.replace("title: Own", "title: &a Own\nx: [*a, *a]"), [expect.any(String)]],
    ["NUL", WHOLE.replace("Do it.", "Do\0it."), ['9: the section "## SCOUT" holds NUL or broken characters']],
    ["absurd length", WHOLE.replace("Do it.", "x".repeat(40_000)), ['9: the section "## SCOUT" is over 32768 bytes']],
    ["an empty file", "", [expect.stringContaining("1: the file has to begin")]],
  ])("name line and fault of %s", (_title, text, wanted) => {
    expect(faultsOf(text)).toEqual(wanted);
  });

  it("name the file too, and all faults at once", () => {
    writeFileSync(join(folder, "a.md"), WHOLE.replace(section("VERIFY"), ""));
    writeFileSync(join(folder, "B c.md"), WHOLE);
    const path = (name: string) => join(folder, name);
    expect(() => loadLaunchpads(folder)).toThrow(
      `${path("B c.md")}:1: the file's name is its slug, of small letters, digits and single dashes; ${path("a.md")}:33: the section "## VERIFY" is missing`,
    );
    expect(() => loadLaunchpads(join(folder, "nowhere"))).toThrow(LaunchpadError);
  });

  it("keep the arena from starting, with one line that names the fault", async () => {
    writeFileSync(join(folder, "own.md"), WHOLE.replace(section("VERIFY"), ""));
    const { config } = loadConfig({ launchpadsDir: folder, dataDir: join(folder, "data") });
    const opening = openArena(config, { log: pino({ level: "silent" }), empty: true });
    await expect(opening).rejects.toMatchObject({
      name: "StartError",
      message: `${join(folder, "own.md")}:33: the section "## VERIFY" is missing`,
    });
  });
});
