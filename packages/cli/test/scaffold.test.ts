import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { LANGUAGES, type Language } from "../src/scaffold.ts";
import { startArena } from "./loopback-arena.ts";
import { startRealArena } from "./real-arena.ts";
import { createHome } from "./run-agon.ts";

const ROLES: Record<Language, string> = {
  typescript: "SCOUT,BUILDER,ANALYST",
  python: "SCOUT,BUILDER,ANALYST",
  shell: "SCOUT",
};
/** As they are run from their folder, but from here. */
const PROGRAMS: Record<Language, string[]> = { typescript: [process.execPath], python: ["python3"], shell: ["sh"] };

function makeFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "agon-scaffold-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

describe("agon init --language", () => {
  test.each(LANGUAGES)(
    "writes a file that runs as it is, and scores in an arena: %s",
    async (language) => {
      await using arena = await startRealArena({ registrationsPerHour: 0 });
      await arena.admin("/api/admin/prompts", [{ prompt: "Say yes.", category: "facts" }]);
      using home = createHome();
      using folder = makeFolder();
      const dir = join(folder.path, "moon");
      const made = await home.run([
        ...["init", "--name", "moon", "--language", language, "--dir", dir, "--role", ROLES[language]],
        ...["--base-url", arena.baseUrl],
      ]);
      expect(made).toMatchObject({ code: 0, stderr: "" });
      expect(made.stdout).toMatch(new RegExp(`\nNext: cd ${dir} && agon run -- \\S+ agent\\.\\w+\n$`));
      const file = /agent\.\w+$/m.exec(made.stdout)?.[0] as string;
      const command = [...PROGRAMS[language], join(dir, file)];
      const checked = await home.run(["check", "--pull", "--role", ROLES[language], "--", ...command]);
      expect(checked).toMatchObject({ code: 0, stderr: "" });
      const run = await home.run(["run", "--once", "--", ...command]);
      expect(run.stdout).toContain("1 completed, 0 failed");
    },
    90_000,
  );

  it("never writes over a file, but the agent is made", async () => {
    await using arena = await startArena();
    using home = createHome();
    using folder = makeFolder();
    const args = ["init", "--name", "moon", "--language", "shell", "--dir", folder.path, "--base-url", arena.baseUrl];
    expect((await home.run(args)).code).toBe(0);
    const again = await home.run(args);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("is there already") });
    expect(readFileSync(home.configPath, "utf8")).toContain("whsec_");
    expect(existsSync(join(folder.path, "agent.sh"))).toBe(true);
  });

  test.each([
    [["--transport", "push"], "needs its URL"],
    [["--transport", "pull", "--url", "https://a.example"], "leave --url out"],
    [["--dialect", "edgearena-v1"], "add --url"],
    [["--dialect", "edgearena-v1", "--url", "https://a.example"], "--role SCOUT"],
    [["--role", "JUDGE"], "There are SCOUT, BUILDER, ANALYST"],
    [["--language", "cobol"], "Allowed choices"],
  ])("refuses %j before anything is made", async (args, reason) => {
    await using arena = await startArena();
    using home = createHome();
    const { code, stderr } = await home.run(["init", "--name", "moon", "--base-url", arena.baseUrl, ...args]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(reason) });
    expect(arena.requests).toEqual([]);
  });
});
