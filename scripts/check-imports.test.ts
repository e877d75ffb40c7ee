import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { checkImports } from "./check-imports.ts";

const roots: string[] = [];

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

/** A workspace in miniature: every package has an index, and all are linked by name as npm does it. */
function makeTree(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "agon-imports-"));
  roots.push(root);
  const exports = { ".": { "@agon/source": "./src/index.ts", default: "./dist/index.js" } };
  for (const name of ["protocol", "agent", "arena"]) {
    write(root, `packages/${name}/package.json`, JSON.stringify({ name: `@agon/${name}`, type: "module", exports }));
    write(root, `packages/${name}/src/index.ts`, "export const name = 1;\n");
    mkdirSync(join(root, "node_modules/@agon"), { recursive: true });
    symlinkSync(join(root, "packages", name), join(root, "node_modules/@agon", name));
  }
  write(root, "scripts/build.ts", "export const build = 1;\n");
  for (const [path, text] of Object.entries(files)) write(root, path, text);
  return root;
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

async function violationsOf(files: Record<string, string>): Promise<string[]> {
  const { violations } = await checkImports(makeTree(files));
  return violations.map((violation) => violation.split("\n")[0] ?? "");
}

describe("checkImports accepts", () => {
  it("imports that follow the order", async () => {
    const violations = await violationsOf({
      "packages/agent/src/index.ts": 'export { name } from "@agon/protocol";\n',
      "packages/arena/src/config.ts": "export const config = 1;\n",
      "packages/arena/src/db/open.ts": 'export { config } from "../config.ts";\n',
      "packages/arena/src/ratings/elo.ts": "export const elo = 1;\n",
      "packages/arena/src/ratings/refresh.ts": 'export { vote } from "../judging/vote.ts";\n',
      "packages/arena/src/judging/checks.ts": 'export * from "./checks/text-answers.ts";\n',
      "packages/arena/src/judging/checks/text-answers.ts": "export const check = 1;\n",
      "packages/arena/src/ladder/prompts.ts": 'export { check } from "../judging/checks.ts";\n',
      "packages/arena/src/judging/vote.ts": 'import { elo } from "../ratings/elo.ts";\nexport const vote = elo;\n',
      "packages/arena/src/arena.ts": 'export { vote } from "./judging/vote.ts";\n',
    });
    expect(violations).toEqual([]);
  });
});

describe("checkImports rejects", () => {
  const arena = "packages/arena/src";
  const cases: [name: string, files: Record<string, string>, violation: string][] = [
    [
      "a cycle",
      {
        [`${arena}/tasks/a.ts`]: 'import { b } from "./b.ts";\nexport const a = () => b;\n',
        [`${arena}/tasks/b.ts`]: 'import { a } from "./a.ts";\nexport const b = () => a;\n',
      },
      `no-cycles: ${arena}/tasks/a.ts → ${arena}/tasks/b.ts → ${arena}/tasks/a.ts`,
    ],
    [
      "a cycle of types alone",
      {
        [`${arena}/tasks/a.ts`]: 'import type { B } from "./b.ts";\nexport type A = B[];\n',
        [`${arena}/tasks/b.ts`]: 'import type { A } from "./a.ts";\nexport interface B { a: A }\n',
      },
      `no-cycles: ${arena}/tasks/a.ts → ${arena}/tasks/b.ts → ${arena}/tasks/a.ts`,
    ],
    [
      "an import upwards",
      {
        [`${arena}/db/open.ts`]: 'export { a } from "../agents/a.ts";\n',
        [`${arena}/agents/a.ts`]: "export const a = 1;\n",
      },
      `arena-order-db: ${arena}/db/open.ts → ${arena}/agents/a.ts`,
    ],
    [
      "an import sideways, also a dynamic one",
      {
        [`${arena}/push/a.ts`]: 'export const load = () => import("../pull/b.ts");\n',
        [`${arena}/pull/b.ts`]: "export const b = 1;\n",
      },
      `arena-order-push: ${arena}/push/a.ts → ${arena}/pull/b.ts`,
    ],
    [
      "a folder that imports the composition root",
      {
        [`${arena}/runs/a.ts`]: 'import type { Arena } from "../arena.ts";\nexport type A = Arena;\n',
        [`${arena}/arena.ts`]: "export interface Arena { a: 1 }\n",
      },
      `arena-order-runs: ${arena}/runs/a.ts → ${arena}/arena.ts`,
    ],
    [
      "judging that reaches past the pure files of ratings",
      {
        [`${arena}/judging/a.ts`]: 'export { b } from "../ratings/refresh.ts";\n',
        [`${arena}/ratings/refresh.ts`]: "export const b = 1;\n",
      },
      `arena-order-judging: ${arena}/judging/a.ts → ${arena}/ratings/refresh.ts`,
    ],
    [
      "a pure file that imports what stands around it",
      {
        [`${arena}/judging/checks.ts`]: 'export { b } from "./votes.ts";\n',
        [`${arena}/judging/votes.ts`]: "export const b = 1;\n",
      },
      `arena-pure-files-stand-alone: ${arena}/judging/checks.ts → ${arena}/judging/votes.ts`,
    ],
    [
      "a shared file that imports a folder",
      {
        [`${arena}/config.ts`]: 'export { a } from "./db/a.ts";\n',
        [`${arena}/db/a.ts`]: "export const a = 1;\n",
      },
      `arena-shared-files-stand-alone: ${arena}/config.ts → ${arena}/db/a.ts`,
    ],
    [
      "a package that imports one above it",
      { "packages/protocol/src/index.ts": 'export { name } from "@agon/arena";\n' },
      "package-order-protocol: packages/protocol/src/index.ts → packages/arena/src/index.ts",
    ],
    [
      "a reach into another package's files",
      {
        "packages/arena/src/index.ts": 'export { secret } from "../../protocol/src/secret.ts";\n',
        "packages/protocol/src/secret.ts": "export const secret = 1;\n",
      },
      "package-by-its-front-door: packages/arena/src/index.ts → packages/protocol/src/secret.ts",
    ],
    [
      "source that imports a test",
      {
        "packages/agent/src/index.ts": 'export { helper } from "../test/helper.ts";\n',
        "packages/agent/test/helper.ts": "export const helper = 1;\n",
      },
      "source-knows-no-tests: packages/agent/src/index.ts → packages/agent/test/helper.ts",
    ],
    [
      "a folder of the arena that has no place in the order",
      {
        [`${arena}/misc/a.ts`]: 'export { b } from "../db/b.ts";\n',
        [`${arena}/db/b.ts`]: "export const b = 1;\n",
      },
      `arena-folder-without-a-place: ${arena}/misc/a.ts → ${arena}/db/b.ts`,
    ],
    [
      "an import that leads nowhere",
      { "packages/agent/src/index.ts": 'export { gone } from "./gone.ts";\n' },
      "resolvable: packages/agent/src/index.ts → ./gone.ts",
    ],
  ];

  it.each(cases)("%s", async (_name, files, violation) => {
    expect(await violationsOf(files)).toContain(violation);
  });

  it("a tree without a source file, instead of calling it clean", async () => {
    const root = mkdtempSync(join(tmpdir(), "agon-imports-"));
    roots.push(root);
    write(root, "packages/arena/readme.md", "");
    write(root, "scripts/readme.md", "");
    await expect(checkImports(root)).rejects.toThrow("no source files");
  });
});

describe("the compiler", () => {
  it("is TypeScript 7, where two packages offer a tsc", () => {
    const tsc = join(import.meta.dirname, "../node_modules/.bin/tsc");
    const { stdout } = spawnSync(tsc, ["-v"], { encoding: "utf8" });
    expect(stdout).toMatch(/^Version 7\./);
  });
});
