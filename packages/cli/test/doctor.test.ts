import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { checkClock } from "../src/doctor/arena-checks.ts";
import { checkNode } from "../src/doctor/machine-checks.ts";
import { API_KEY, type Reply, SECRET, startArena } from "./loopback-arena.ts";
import { startRealArena } from "./real-arena.ts";
import { createHome, type Home } from "./run-agon.ts";

interface Finding {
  level: string;
  about: string;
  detail: string;
  advice?: string;
}

async function look(home: Home, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const { code, stdout } = await home.run(["doctor", "--json", ...args], env);
  const { findings, ok } = JSON.parse(stdout) as { findings: Finding[]; ok: boolean };
  return { code, ok, findings, find: (about: string) => findings.filter((finding) => finding.about === about) };
}

function store(home: Home, baseUrl: string, agents: { id: string; name: string; secret: string }[] = []) {
  mkdirSync(dirname(home.configPath), { recursive: true });
  const arenas = { [baseUrl]: { account: { api_key: API_KEY }, agents } };
  writeFileSync(home.configPath, JSON.stringify({ base_url: baseUrl, arenas }), { mode: 0o600 });
}

const VERSION: Reply = [200, { version: "1.2.3" }];
const AGENTS = [{ id: "7", name: "moon-bot", secret: SECRET }];
const TRY = "POST /api/agents/7/work/none/result";
const FREE: Reply = [200, { agent_id: 7, eligible: true, gates: [] }];

describe("agon doctor", () => {
  it("finds with a real arena what is good and what is missing, takes no work, and says so to a person", async () => {
    await using arena = await startRealArena({ allowPrivateEndpoints: true });
    using home = createHome();
    const args = ["--base-url", arena.baseUrl];
    await home.run(["init", "--name", "moon-bot", ...args]);
    await home.run(["init", "--name", "star-bot", "--url", "http://127.0.0.1:9/", ...args]);
    const { code, stdout } = await home.run(["doctor"]);
    const lines = stdout.trimEnd().split("\n");
    expect(code).toBe(1);
    expect(lines[0]).toMatch(/^good {2}Node {8}\d+\./);
    expect(lines[1]).toBe(`good  Config      ${home.configPath} holds 1 arena, 2 agents`);
    expect(lines[2]).toMatch(/^good {2}Arena {7}http:\/\/127\.0\.0\.1:\d+, version [\d.]+, answers in [\d.]+ m?s$/);
    expect(lines[3]).toBe("good  Clock       agrees with the arena's");
    expect(lines[4]).toMatch(/^good {2}Account {5}\S/);
    expect(lines[5]).toMatch(/^warn {2}Agent 1 {5}No runner has polled yet\. Start one: agon run --agent 1 /);
    expect(stdout).toMatch(/\nbad {3}Agent 2 {5}the arena does not reach it at http:\/\/127\.0\.0\.1:9\/: /);
    expect(stdout).toContain("\n                  Run it where that address leads: agon push");
    expect(lines.at(-1)).toMatch(/^1 to mend\. \d worth knowing\.$/);

    const wrong = await look(home, [], { AGON_AGENT_ID: "1", AGON_AGENT_SECRET: "whsec_b3RoZXI=" });
    expect(wrong.find("Agent 1")).toMatchObject([
      { level: "bad", detail: expect.stringContaining("does not let it in") },
    ]);
    const unknown = await look(home, [], { AGON_AGENT_ID: "99", AGON_AGENT_SECRET: SECRET });
    expect(unknown.find("Agent 99")).toMatchObject([
      { level: "bad", detail: expect.stringContaining("no such agent") },
    ]);
  }, 90_000);

  it("ends with 0 when nothing has to be mended", async () => {
    await using arena = await startArena({
      "GET /api/version": VERSION,
      [TRY]: [400, { detail: "malformed work_id" }],
      "GET /api/agents/7/eligibility": FREE,
    });
    using home = createHome();
    store(home, arena.baseUrl, AGENTS);
    const { code, ok, findings } = await look(home);
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    expect(findings.map(({ level, about }) => `${level} ${about}`)).toEqual([
      "good Node",
      "good Config",
      "good Arena",
      "good Clock",
      "good Account",
      "good Agent 7",
    ]);
    expect(arena.requests.map(({ call }) => call)).not.toContain("GET /api/agents/7/work/next");
  });

  it("tells an arena that is away, and looks no further", async () => {
    const arena = await startArena();
    await arena[Symbol.asyncDispose]();
    using home = createHome();
    store(home, arena.baseUrl, AGENTS);
    const { code, findings } = await look(home);
    expect(code).toBe(1);
    expect(findings.at(-1)).toMatchObject({ level: "bad", about: "Arena", detail: expect.stringContaining("refused") });
  });

  it("tells a configuration that others can read, and one that is broken", async () => {
    await using arena = await startArena({ "GET /api/version": VERSION });
    using home = createHome();
    expect((await look(home, ["--base-url", arena.baseUrl])).find("Config")[0]).toMatchObject({ level: "warn" });
    store(home, arena.baseUrl);
    chmodSync(home.configPath, 0o644);
    expect((await look(home)).find("Config")).toEqual([
      {
        level: "bad",
        about: "Config",
        detail: `${home.configPath} can be read by others (mode 0644), and holds your keys`,
        advice: `chmod 600 ${home.configPath}`,
      },
    ]);
    writeFileSync(home.configPath, "{");
    const broken = await look(home, ["--base-url", arena.baseUrl]);
    expect(broken.find("Config")[0]).toMatchObject({ level: "bad", detail: expect.stringContaining("is broken") });
    expect(broken.find("Account")[0]).toMatchObject({ level: "warn" });
  });

  it("tells a key that is not valid, and an address that is no arena's", async () => {
    await using arena = await startArena({
      "GET /api/version": [VERSION, [200, { hello: 1 }]],
      "GET /api/account": [401, { detail: "invalid API key" }],
    });
    using home = createHome();
    store(home, arena.baseUrl);
    expect((await look(home)).find("Account")[0]).toMatchObject({
      level: "bad",
      detail: "the key is not valid: invalid API key",
      advice: `agon login --api-key KEY --base-url ${arena.baseUrl}`,
    });
    expect((await look(home)).find("Arena")[0]).toMatchObject({ level: "bad" });
  });

  it("weighs what keeps work away", async () => {
    const gate = (name: string, until: string | null = null) => ({ gate: name, detail: `Because of ${name}.`, until });
    const gates = [gate("suspended"), gate("slowed", "2030-01-01T00:00:00.000Z"), gate("at_capacity")];
    await using arena = await startArena({
      "GET /api/version": VERSION,
      [TRY]: [409, { detail: "agent is not in pull mode" }],
      "GET /api/agents/7/eligibility": [200, { agent_id: 7, eligible: false, gates }],
    });
    using home = createHome();
    store(home, arena.baseUrl, AGENTS);
    expect((await look(home)).find("Agent 7")).toEqual([
      { level: "bad", about: "Agent 7", detail: "Because of suspended." },
      { level: "warn", about: "Agent 7", detail: "Because of slowed. Until 2030-01-01T00:00:00.000Z." },
    ]);
  });

  it("is content with an arena that says nothing of what keeps work away", async () => {
    await using arena = await startArena({ "GET /api/version": VERSION, [TRY]: [422, { detail: "no response" }] });
    using home = createHome();
    store(home, arena.baseUrl, AGENTS);
    expect((await look(home)).find("Agent 7")).toMatchObject([{ level: "good" }]);
  });
});

describe("checkClock", () => {
  const now = Date.UTC(2030, 0, 1);
  const at = (seconds: number) => checkClock(new Date(now + seconds * 1_000).toUTCString(), now);

  it.each([
    [0, "good"],
    [-4, "good"],
    [4, "good"],
    [60, "warn"],
    [-60, "warn"],
    [301, "bad"],
    [-600, "bad"],
  ])("an arena %d s ahead is %s", (seconds, level) => {
    expect(at(seconds)).toMatchObject([{ level }]);
  });

  it("says in which direction", () => {
    expect(at(-60)[0]?.detail).toBe("this machine's clock is 1 min ahead of the arena's");
    expect(at(60)[0]?.detail).toMatch(/ behind the arena's$/);
  });

  it("is silent where the arena names no time", () => {
    expect([checkClock(null, now), checkClock("soon", now)]).toEqual([[], []]);
  });
});

describe("checkNode", () => {
  it.each([
    ["20.20.2", "bad"],
    ["22.18.0", "bad"],
    ["22.19.0", "good"],
    ["24.0.0", "good"],
  ])("%s is %s", (version, level) => {
    expect(checkNode(version)).toMatchObject({ level });
  });
});
