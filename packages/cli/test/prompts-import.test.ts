import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parsePromptInput } from "@agon/arena";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPrompts, sendPrompts } from "../src/prompts/prompt-import.ts";
import { startArena } from "./loopback-arena.ts";
import { ADMIN_KEY, type RealArena, startRealArena } from "./real-arena.ts";
import { createHome } from "./run-agon.ts";

let folder: string;
let arena: RealArena;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "agon-prompts-"));
  arena = await startRealArena();
});

afterAll(async () => {
  await arena[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function lines(...records: unknown[]): string {
  return records.map((record) => (typeof record === "string" ? record : JSON.stringify(record))).join("\n");
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  using home = createHome();
  return home.run(["prompts", "import", ...args], { AGON_BASE_URL: arena.baseUrl, AGON_ADMIN_KEY: ADMIN_KEY, ...env });
}

async function countPrompts(query = ""): Promise<number> {
  const page = (await arena.admin(`/api/admin/prompts?limit=1${query}`)) as { total: number };
  return page.total;
}

const QUESTION = { question_id: 1, category: "writing", turns: ["Write.", "Again."] };

describe("agon prompts import", () => {
  it("adds what files of several formats hold, once", async () => {
    const own = write("own.json", JSON.stringify([{ prompt: "Name a moon.", category: "import-own" }]));
    const bench = write("bench.jsonl.gz", gzipSync(lines(QUESTION, "", { ...QUESTION, question_id: 2 })));
    const before = await countPrompts();
    const first = await run([own, bench]);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain("  agon, recognised            1\n");
    expect(first.stdout).toContain("  mt-bench, recognised        2\n");
    expect(first.stdout).toContain(`good  3 received, 3 added, at ${arena.baseUrl}\n`);
    expect(await countPrompts()).toBe(before + 3);
    const again = await run(["--json", own, bench]);
    expect(JSON.parse(again.stdout)).toEqual({
      files: [
        { file: own, format: "agon", prompts: 1 },
        { file: bench, format: "mt-bench", prompts: 2 },
      ],
      received: 3,
      added: 0,
      skipped: 3,
    });
    expect(await countPrompts()).toBe(before + 3);
  });

  it("names every line that is wrong by file, line and reason, and sends nothing", async () => {
    const good = { prompt: "p", category: "import-broken" };
    const path = write(
      "broken.jsonl",
      lines(
        good,
        "{",
        { ...good, prompt: " " },
        { ...good, category: "x".repeat(101) },
        { ...good, deadline_seconds: 5 },
        { ...good, check: { kind: "regex", pattern: "(" } },
        { ...good, check: { kind: "number", value: "5" } },
        { ...good, prompt: "x".repeat(100_001) },
        { ...good, prompt: "a\u0000b" },
        "5",
      ),
    );
    const { code, stdout, stderr } = await run([path]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    const said = stderr.trim().split("\n");
    const places = said.map((line) => /broken\.jsonl:(\d+): (.{0,24})/.exec(line)?.slice(1));
    expect(places.map((place) => place?.[0])).toEqual(["2", "3", "4", "5", "6", "7", "8", "9", "10", undefined]);
    expect(stderr).toContain(`${path}:2: it is not JSON (`);
    expect(stderr).toContain(`${path}:3: prompt: must not be blank`);
    expect(stderr).toContain(`${path}:5: deadline_seconds must be at least 10`);
    expect(stderr).toContain(`${path}:6: check.pattern`);
    expect(stderr).toContain(`${path}:8: prompt must not be longer than 100000 bytes`);
    expect(said.at(-1)).toBe("Nothing was sent.");
    expect(await countPrompts("&category=import-broken")).toBe(0);
    const json = JSON.parse((await run(["--json", path])).stdout);
    expect(json).toMatchObject({
      added: 0,
      errors: expect.arrayContaining([{ place: `${path}:10`, reason: expect.any(String) }]),
    });
  });

  it("one broken file keeps the others from being imported", async () => {
    const good = write("good.jsonl", lines({ prompt: "p", category: "import-half" }));
    const bad = write("bad.jsonl", lines({ question: "q", answer: "no mark" }));
    const { code, stderr } = await run([good, bad]);
    expect(code).toBe(1);
    expect(stderr).toContain(`error: ${bad}:1: answer: does not end with #### and a number`);
    expect(await countPrompts("&category=import-half")).toBe(0);
  });

  it("a dry run needs no arena and no key", async () => {
    const path = write("dry.jsonl", lines(QUESTION));
    const { code, stdout } = await run(["--dry-run", path], {
      AGON_BASE_URL: "http://127.0.0.1:9",
      AGON_ADMIN_KEY: "",
    });
    expect(code).toBe(0);
    expect(stdout).toContain("good  all 1 can be imported; nothing was sent");
    expect(JSON.parse((await run(["--dry-run", "--json", path])).stdout)).toMatchObject({ dry_run: true, added: 0 });
  });

  it("a wrong key is said to be one, a missing one is wrong usage", async () => {
    const path = write("key.jsonl", lines(QUESTION));
    const wrong = await run(["--admin-key", "not_the_key_0123456789", path]);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain("Importing needs the operator's key");
    expect(await run([path], { AGON_ADMIN_KEY: "" })).toMatchObject({ code: 2 });
    expect(await run(["--admin-key", "né", path])).toMatchObject({ code: 2 });
    expect(await run(["--format", "csv", path])).toMatchObject({ code: 2 });
  });

  it("what an arena with other rules says about an item is said with the line", async () => {
    const detail = "item 2: category must be one of ours";
    await using other = await startArena({ "POST /api/admin/prompts": [400, { detail }] });
    const path = write("other.jsonl", lines(QUESTION, "", { ...QUESTION, question_id: 2 }));
    const { code, stderr } = await run([path], { AGON_BASE_URL: other.baseUrl });
    expect({ code, stderr }).toEqual({ code: 1, stderr: `error: ${path}:3: category must be one of ours\n` });
  });
});

/** What is wrong with one file. */
async function faultsOf(name: string, content: string | Buffer, format?: string) {
  const { prompts, faults } = await readPrompts([write(name, content)], { format, parse: parsePromptInput });
  expect(prompts).toEqual([]);
  return faults.map(({ place, reason }) => `${place.slice(folder.length + 1)} ${reason}`);
}

describe("readPrompts", () => {
  it.each<[string, string | Buffer, string | undefined, string]>([
    ["empty.jsonl", "\n\n", undefined, "empty.jsonl it holds no prompts"],
    ["none.json", "[]", undefined, "none.json it holds no prompts"],
    ["latin.jsonl", Buffer.from('{"prompt":"caf\xe9"}', "latin1"), undefined, "latin.jsonl it is not UTF-8"],
    ["cut.json", '[{"prompt":', undefined, "cut.json it is not JSON ("],
    [
      "judges.jsonl",
      lines({ name: "pair", system_prompt: "s" }),
      undefined,
      "judges.jsonl:1 it looks like no known format",
    ],
    ["all-cut.jsonl", "{", undefined, "all-cut.jsonl:1 it is not JSON ("],
    ["forced.jsonl", lines(QUESTION), "gsm8k", "forced.jsonl:1 question: "],
  ])("says what is wrong with %s", async (name, content, format, fault) => {
    const faults = await faultsOf(name, content, format);
    expect(faults).toEqual([expect.stringContaining(fault)]);
  });

  it.each(["no-such-file.jsonl", "."])("throws for %s, which is no file, with its name", async (name) => {
    await expect(readPrompts([name], { parse: parsePromptInput })).rejects.toThrow(`${name} cannot be read: `);
  });

  it("reads Windows line ends and a byte order mark, and keeps sets of one format apart by their names", async () => {
    const path = write(
      "windows.jsonl",
      `\ufeff${lines(QUESTION, { ...QUESTION, question_id: 2 }).replaceAll("\n", "\r\n")}\r\n`,
    );
    const { prompts } = await readPrompts([path], { set: "mine", parse: parsePromptInput });
    expect(prompts.map(({ input }) => input.external_id)).toEqual(["mine-1", "mine-2"]);
  });
});

describe("sendPrompts", () => {
  it("sends no more than fits into one request, and nothing in pieces", async () => {
    const input = { prompt: "x".repeat(99_000), category: "c" };
    const many = Array.from({ length: 350 }, (_, n) => ({ place: String(n), input }));
    await expect(sendPrompts(many, { baseUrl: arena.baseUrl, adminKey: ADMIN_KEY })).rejects.toThrow(
      "32 MiB at a time",
    );
  });
});

const SETS = join(import.meta.dirname, "../../../../shared/data/prompts");

describe.skipIf(!existsSync(SETS))("the public sets, where they are at hand (../shared/data/prompts)", () => {
  it.each([
    ["mt_bench/question.jsonl", "mt-bench", 80],
    ["vicuna_bench/question.jsonl", "mt-bench", 80],
    ["humaneval/HumanEval.jsonl", "humaneval", 164],
    ["gsm8k_test/test.jsonl", "gsm8k", 1_319],
    ["arena_hard_v0.1/question.jsonl", "arena-hard", 500],
  ])("%s is taken whole as %s, and nothing of it a second time", async (file, format, prompts) => {
    const set = `real-${file.split("/")[0]}`;
    const read = await readPrompts([join(SETS, file)], { set, parse: parsePromptInput });
    expect(read).toMatchObject({ files: [{ format, prompts }], faults: [] });
    const operator = { baseUrl: arena.baseUrl, adminKey: ADMIN_KEY };
    expect(await sendPrompts(read.prompts, operator)).toEqual({ received: prompts, added: prompts, skipped: 0 });
    expect(await sendPrompts(read.prompts, operator)).toEqual({ received: prompts, added: 0, skipped: prompts });
  });
});

describe.skipIf(existsSync(SETS))("the public sets (../shared/data/prompts)", () => {
  it.skip("are not at hand here, so their import is not tried", () => {});
});
