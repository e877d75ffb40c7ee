import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startRealArena } from "./real-arena.ts";
import { createHome } from "./run-agon.ts";

const folder = mkdtempSync(join(tmpdir(), "agon-rate-"));
const home = createHome();
beforeAll(() => writeLog("empty.jsonl", []));
afterAll(() => {
  home[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

function writeLog(name: string, lines: readonly unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
  return path;
}

interface Item {
  name: string;
  rating: number | null;
  [field: string]: unknown;
}
interface Rated {
  model: string;
  items: Item[];
  log_likelihood: number | null;
  tie_parameter?: number;
  left_out: { not_counted: number; with_themselves: number };
}
async function rateJson(path: string, ...args: string[]) {
  const { code, stdout, stderr } = await home.run(["rate", path, "--json", ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const value = JSON.parse(stdout) as Rated;
  return { ...value, rating: (name: string) => value.items.find((item) => item.name === name)?.rating };
}

const THREE_TO_ONE = [
  { a: "left", b: "right", winner: "a", count: 3 },
  { a: "right", b: "left", winner: "a" },
];

describe("agon rate", () => {
  it("gives ratings, intervals and records as JSON, by plain maximum likelihood where the prior is 0", async () => {
    const log = writeLog("three.jsonl", THREE_TO_ONE);
    const rated = await rateJson(log, "--prior", "0");
    expect(rated).toMatchObject({ model: "bt", prior: 0, left_out: { not_counted: 0, with_themselves: 0 } });
    expect(rated.rating("left")).toBeCloseTo(1595.4243, 4);
    expect(rated.rating("right")).toBeCloseTo(1404.5757, 4);
    expect(rated.log_likelihood).toBeCloseTo(3 * Math.log(0.75) + Math.log(0.25), 9);
    const [first] = rated.items as [Item];
    expect(first).toMatchObject({ name: "left", rank: 1, component: 1 });
    expect(first).toMatchObject({ games: 4, wins: 3, losses: 1, ties: 0, both_bad: 0 });
    expect((first.ci_high as number) - (first.ci_low as number)).toBeCloseTo(2 * 1.959964 * (first.se as number), 3);
  });

  it("rates an unbeaten agent by default, and says at --prior 0 why it cannot", async () => {
    const log = writeLog("unbeaten.jsonl", [{ a: "x", b: "y", winner: "a", count: 10 }]);
    expect((await rateJson(log)).rating("x")).toBeGreaterThan(1700);
    const { code, stdout, stderr } = await home.run(["rate", log, "--prior", "0", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ items: [{ rating: null }, { rating: null }], log_likelihood: null });
    expect(stderr).toContain("group 1, 2 agents: it has no finite ratings by maximum likelihood alone");
  });

  it("fits ties as an ending of their own by davidson, with the tie parameter", async () => {
    const log = writeLog("ties.jsonl", [...THREE_TO_ONE, { a: "left", b: "right", winner: "tie", count: 4 }]);
    const rated = await rateJson(log, "--model", "davidson", "--prior", "0");
    expect(rated.model).toBe("davidson");
    // Half of the battles are ties; worths are 3 to 1, so their geometric mean has √3 of them.
    expect((rated.rating("left") as number) - (rated.rating("right") as number)).toBeCloseTo(190.8485, 4);
    expect(rated.tie_parameter).toBeCloseTo(4 / Math.sqrt(3), 6);
  });

  it("goes through the lines in their order by elo, from 1500 by 32", async () => {
    const log = writeLog("elo.jsonl", [
      { a: "x", b: "y", winner: "a" },
      { a: "y", b: "x", winner: "a" },
    ]);
    const rated = await rateJson(log, "--model", "elo");
    expect(rated.rating("x")).toBeCloseTo(1498.530498, 6);
    expect(rated.rating("y")).toBeCloseTo(1501.469502, 6);
    expect(rated.items.map(({ name, se, ci_low }) => [name, se, ci_low])).toEqual([
      ["y", null, null],
      ["x", null, null],
    ]);
    expect(rated.log_likelihood).toBeNull();
  });

  it("keeps groups apart that no battle connects, and marks them", async () => {
    const log = writeLog("groups.jsonl", [...THREE_TO_ONE, { a: 7, b: 8, winner: "a" }, { a: 8, b: 7, winner: "a" }]);
    const rated = await rateJson(log, "--prior", "0");
    expect(rated.items.map(({ component }) => component).sort()).toEqual([1, 1, 2, 2]);
    expect([rated.rating("7"), rated.rating("8")]).toEqual([1500, 1500]);
    const { stdout } = await home.run(["rate", log]);
    expect(stdout).toContain("group 2: no battle compares it with another group");
  });

  it("leaves out what does not count and whoever meets themselves, and says so", async () => {
    const log = writeLog("left-out.jsonl", [
      ...THREE_TO_ONE,
      "",
      { a: "left", b: "right", winner: "b", counted: false },
      { a: "left", b: "left", winner: "a", count: 2 },
    ]);
    const rated = await rateJson(log, "--prior", "0");
    expect(rated.rating("left")).toBeCloseTo(1595.4243, 4);
    expect(rated.left_out).toEqual({ not_counted: 1, with_themselves: 2 });
    const { code, stdout, stderr } = await home.run(["rate", log]);
    expect(code).toBe(0);
    expect(stderr).toBe("1 line that does not count was left out.\n2 battles of an agent with itself were left out.\n");
    expect(stdout).toMatch(/^Rank .*Name +Rating +95 % +Battles +W +L +T +Both bad\n +1 +\(1–2\) +left +15\d\d /);
  });

  it("names every line that it cannot read, with the reason, and rates nothing", async () => {
    const log = writeLog("faulty.jsonl", [
      THREE_TO_ONE[0],
      "{oops",
      { a: "x", b: "y", winner: "x" },
      { a: "x", b: "y", winner: "A " },
      { a: "x", b: "y", winner: null },
      { a: "x", b: "y", winner: "toString" },
      { a: "x", winner: "a" },
      { a: "", b: "y", winner: "a" },
      { a: "x", b: "y", winner: "a", count: 1.5 },
      { a: "x", b: "y", winner: "a", count: "3" },
      { a: "x", b: "y", winner: "a", counted: "no" },
      "[1]",
    ]);
    const { code, stdout, stderr } = await home.run(["rate", log, "--json"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    const lines = stderr.split("\n").map((line) => line.replace(`error: ${log}, `, ""));
    expect(lines).toEqual([
      "line 2: it is not JSON",
      'line 3: winner has to be "a", "b", "tie" or "both_bad", not "x"',
      'line 4: winner has to be "a", "b", "tie" or "both_bad", not "A "',
      'line 5: winner has to be "a", "b", "tie" or "both_bad", not null',
      'line 6: winner has to be "a", "b", "tie" or "both_bad", not "toString"',
      "line 7: b has to be a name or an id, not missing",
      'line 8: a has to be a name or an id, not ""',
      "line 9: count has to be a whole number from 0 up, not 1.5",
      'line 10: count has to be a whole number from 0 up, not "3"',
      'line 11: counted has to be true or false, not "no"',
      "line 12: it is not a JSON object",
      "Nothing was rated.",
      "",
    ]);
  });

  it("says what is wrong with a file or an option", async () => {
    const missing = await home.run(["rate", join(folder, "none.jsonl")]);
    expect(missing).toMatchObject({
      code: 1,
      stderr: `error: ${folder}/none.jsonl cannot be read: there is no such file.\n`,
    });
    expect(await home.run(["rate", folder])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("it is a folder"),
    });
    expect((await home.run(["rate", join(folder, "empty.jsonl"), "--model", "glicko"])).code).toBe(2);
    expect((await home.run(["rate", join(folder, "empty.jsonl"), "--prior", "-1"])).code).toBe(2);
    expect((await home.run(["rate"])).code).toBe(2);
    expect(await home.run(["rate", join(folder, "empty.jsonl")])).toMatchObject({
      code: 0,
      stdout: "The log holds no battle that counts.\n",
    });
  });

  it("reads names in any script and lines that end like those of Windows, over many chunks", async () => {
    const lines = Array.from({ length: 60_000 }, (_, index) =>
      JSON.stringify({ a: "Änne 😀", b: "名前", winner: index % 3 === 0 ? "b" : "a" }),
    );
    const path = join(folder, "long.jsonl");
    writeFileSync(path, `\ufeff${lines.join("\r\n")}\r\n`);
    const rated = await rateJson(path);
    expect(rated.items).toMatchObject([
      { name: "Änne 😀", games: 60_000, wins: 40_000 },
      { name: "名前", games: 60_000, wins: 20_000 },
    ]);
    expect((rated.rating("Änne 😀") as number) - (rated.rating("名前") as number)).toBeCloseTo(400 * Math.log10(2), 2);
  });
});

describe("agon rate on the export of an arena", () => {
  interface Ranked {
    agent: { id: number };
    elo: number;
    rating: number;
    ci_low: number;
    ci_high: number;
    battles: number;
  }
  const QUESTIONS = 12;

  it("gives the ratings, intervals and Elo of the site, to the last digit", async () => {
    await using arena = await startRealArena({ ratingRefreshSeconds: 0.05, passSeconds: 0.05 });
    // biome-ignore lint/suspicious/noExplicitAny: answers of many calls, each checked by what is done with it
    const call = async (path: string, options: RequestInit = {}): Promise<any> => {
      const answer = await fetch(`${arena.baseUrl}${path}`, options);
      if (!answer.ok) throw new Error(await answer.text());
      return answer.status === 204 ? undefined : answer.json();
    };
    await arena.admin(
      "/api/admin/prompts",
      Array.from({ length: QUESTIONS }, (_, index) => ({
        prompt: `What is ${index} + ${index}?`,
        category: index % 2 === 0 ? "even" : "odd",
        check: { kind: "number", value: 2 * index },
      })),
    );
    // Agents that know every, every second, every third … answer, and one that knows none.
    for (const every of [1, 2, 3, 5, 100]) {
      const { api_key } = await call("/api/register", { method: "POST" });
      const made = await call("/api/agents", {
        method: "POST",
        headers: { authorization: `Bearer ${api_key}` },
        body: JSON.stringify({ name: `knows ${every}`, mode: "pull" }),
      });
      const headers = { "x-arena-secret": made.webhook_secret };
      for (let turn = 0; turn < QUESTIONS; turn += 1) {
        const work = await call(`/api/agents/${made.id}/work/next?wait=5`, { headers });
        const number = Number(/\d+/.exec(work.prompt)?.[0]);
        const response = String(number % every === 0 ? 2 * number : -1);
        const path = `/api/agents/${made.id}/work/${work.work_id}/result`;
        await call(path, { method: "POST", headers, body: JSON.stringify({ response }) });
      }
    }
    // Each answer but the first to a prompt has met the one before it.
    const readVotes = async () => (await (await fetch(`${arena.baseUrl}/api/votes/export`)).text()).trim().split("\n");
    await expect.poll(readVotes).toHaveLength(QUESTIONS * 4);
    const votes = await readVotes();
    await expect
      .poll(async () => (await call("/api/leaderboard/categories")).items[0].ranking?.position)
      .toBe(QUESTIONS * 4);

    const path = join(folder, "export.jsonl");
    for (const category of ["", "odd"]) {
      const lines = votes.filter((line) => category === "" || line.includes(`"${category}"`));
      writeFileSync(path, lines.join("\n"));
      const board: Ranked[] = (await call(`/api/leaderboard?category=${category}`)).items;
      expect(board).toHaveLength(5);
      const byLikelihood = await rateJson(path);
      const byElo = await rateJson(path, "--model", "elo");
      for (const { agent, elo, rating, ci_low, ci_high, battles } of board) {
        const mine = byLikelihood.items.find((item) => item.name === String(agent.id));
        expect(mine).toMatchObject({ rating, ci_low, ci_high, games: battles });
        expect(byElo.rating(String(agent.id))).toBe(elo);
      }
    }
  }, 60_000);
});
