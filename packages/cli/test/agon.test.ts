import { readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { API_KEY, SECRET, startArena, WORK } from "./loopback-arena.ts";
import { createHome } from "./run-agon.ts";

const NO_WORK = [204] as const;
const NEXT = "GET /api/agents/7/work/next";

function readConfig(path: string) {
  return JSON.parse(readFileSync(path, "utf8"));
}

describe("agon", () => {
  it("prints its commands, and each its help with an example", async () => {
    using home = createHome();
    const commands = ["demo", "login", "init", "run", "push", "prompts", "doctor", "leaderboard"];
    const all = await home.run(["--help"]);
    expect(all.code).toBe(0);
    for (const command of commands) expect(all.stdout).toContain(`  ${command} `);
    const helps = await Promise.all(commands.map((command) => home.run([command, "--help"])));
    for (const [n, help] of helps.entries()) {
      expect(help).toMatchObject({ code: 0, stderr: "" });
      expect(help.stdout).toMatch(new RegExp(`\nExample:\n  agon ${commands[n]}\\b`));
    }
  });

  it("prints its version", async () => {
    using home = createHome();
    expect(await home.run(["--version"])).toMatchObject({ code: 0, stdout: "0.1.0\n" });
  });

  it.each<[string[], string]>([
    [["dance"], "unknown command 'dance'"],
    [["run"], "Say what answers: a command after --, or --model."],
    [["run", "--wait", "51", "--", "cat"], "from 0 to 50"],
    [["run", "--concurrency", "0", "--", "cat"], "from 1 to 64"],
    [["run", "--", "cat"], "Make one with: agon init"],
    [["run", "--agent", "9", "--", "cat"], "There is no secret for agent 9"],
    [["leaderboard", "--base-url", "arena.example"], "is not a URL"],
    [["leaderboard", "--limit", "none"], "whole number from 1 up"],
    [["init"], "The name is missing"],
    [["login"], "The key is missing"],
  ])("%j is wrong usage: %s", async (args, reason) => {
    using home = createHome();
    const { code, stdout, stderr } = await home.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(reason);
  });

  it("a broken configuration names itself and the way out, and stays as it is", async () => {
    using home = createHome();
    await mkdir(dirname(home.configPath), { recursive: true });
    writeFileSync(home.configPath, '{ "arenas": { "http://a.example": { "agents": [{ "id": 7 }] } } }');
    const { code, stderr } = await home.run(["run", "--", "cat"]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${home.configPath} is broken (arenas.http://a.example.agents.0.id:`);
    expect(stderr).toContain("move it away");
    writeFileSync(home.configPath, "{");
    expect((await home.run(["init", "--name", "x"])).stderr).toContain(`${home.configPath} is broken (it is not JSON)`);
    expect(readFileSync(home.configPath, "utf8")).toBe("{");
  });
});

describe("agon login", () => {
  it("checks the key and stores it for its owner alone", async () => {
    await using arena = await startArena();
    using home = createHome();
    const args = ["login", "--api-key", API_KEY, "--base-url", `${arena.baseUrl}/api/`];
    const { code, stdout } = await home.run(args);
    expect(code).toBe(0);
    expect(stdout).toContain(`Signed in to ${arena.baseUrl} as player-3.`);
    expect(arena.requests[0]).toMatchObject({
      call: "GET /api/account",
      headers: { authorization: `Bearer ${API_KEY}` },
    });
    expect(statSync(home.configPath).mode & 0o777).toBe(0o600);
    expect(readConfig(home.configPath)).toEqual({
      base_url: arena.baseUrl,
      arenas: { [arena.baseUrl]: { agents: [], account: { api_key: API_KEY, username: "player-3" } } },
    });
  });

  it("stores nothing when the arena does not know the key", async () => {
    await using arena = await startArena({ "GET /api/account": [401, { detail: "invalid API key" }] });
    using home = createHome();
    const { code, stderr } = await home.run(["login", "--base-url", arena.baseUrl], { AGON_API_KEY: "wrong" });
    expect({ code, stderr }).toEqual({ code: 1, stderr: "error: invalid API key\n" });
    expect(() => statSync(home.configPath)).toThrow("ENOENT");
  });
});

describe("agon init", () => {
  it("registers an account, makes a pull agent, keeps both secrets and names the next command", async () => {
    await using arena = await startArena();
    using home = createHome();
    const { code, stdout, stderr } = await home.run(["init", "--name", "moon-bot", "--base-url", arena.baseUrl]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Made account player-3");
    expect(stdout).toContain("Made agent 7 moon-bot");
    expect(stdout).toContain("Next: agon run -- ");
    expect(stdout).not.toContain(SECRET);
    const [register, create] = arena.requests;
    expect(register).toMatchObject({ call: "POST /api/register", body: "" });
    expect(register?.headers).not.toHaveProperty("content-type");
    expect(create).toMatchObject({ call: "POST /api/agents", headers: { authorization: `Bearer ${API_KEY}` } });
    expect(JSON.parse(create?.body ?? "")).toEqual({
      name: "moon-bot",
      mode: "pull",
      model_claimed: "",
      description: "",
    });
    expect(statSync(home.configPath).mode & 0o777).toBe(0o600);
    expect(readConfig(home.configPath).arenas[arena.baseUrl].agents).toEqual([
      { id: "7", name: "moon-bot", secret: SECRET },
    ]);
  });

  it("uses the stored account, and tells a program all it needs", async () => {
    await using arena = await startArena({ "POST /api/register": [500, { detail: "not again" }] });
    using home = createHome();
    await home.run(["login", "--api-key", API_KEY, "--base-url", arena.baseUrl]);
    const { code, stdout } = await home.run(["init", "--name", "moon-bot", "--model", "m-7b", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      base_url: arena.baseUrl,
      agent_id: 7,
      name: "moon-bot",
      webhook_secret: SECRET,
      config: home.configPath,
      run_command: `agon run --agent 7 --base-url ${arena.baseUrl} -- COMMAND`,
    });
  });

  it("makes an agent that is called when it is told where, and names the command that serves it", async () => {
    await using arena = await startArena();
    using home = createHome();
    const url = "https://agents.example.com/mine";
    const args = ["init", "--name", "moon-bot", "--url", url, "--base-url", arena.baseUrl];
    const { code, stdout } = await home.run(args);
    expect(code).toBe(0);
    expect(stdout).toContain(`Next, where ${url} leads: agon push -- `);
    expect(JSON.parse(arena.requests.at(-1)?.body ?? "")).toMatchObject({ mode: "push", webhook_url: url });
    expect(readConfig(home.configPath).arenas[arena.baseUrl].agents).toEqual([
      { id: "7", name: "moon-bot", secret: SECRET, mode: "push" },
    ]);
    const again = await home.run([...args, "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({
      webhook_url: url,
      ping_error: null,
      run_command: `agon push --agent 7 --base-url ${arena.baseUrl} -- COMMAND`,
    });
  });

  it("keeps the account when the agent cannot be made", async () => {
    await using arena = await startArena({ "POST /api/agents": [409, { detail: "name taken" }] });
    using home = createHome();
    const { code, stderr } = await home.run(["init", "--name", "moon-bot", "--base-url", arena.baseUrl]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "error: name taken\n" });
    expect(readConfig(home.configPath).arenas[arena.baseUrl].account.api_key).toBe(API_KEY);
  });

  it("says what to do where registration is closed", async () => {
    const closed = [403, { detail: "registration is closed", request_id: "r-1" }] as const;
    await using arena = await startArena({ "POST /api/register": closed });
    using home = createHome();
    const { code, stderr } = await home.run(["init", "--name", "moon-bot", "--base-url", arena.baseUrl]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      "error: Registration is closed. Ask its operator for a key, then run: agon login --api-key KEY (request r-1)\n",
    );
  });
});

describe("agon run", () => {
  const credentials = { AGON_AGENT_ID: "7", AGON_AGENT_SECRET: SECRET };

  it("shows a task's beginning and end in aligned columns, plainly, when piped", async () => {
    await using arena = await startArena({ [NEXT]: [[200, WORK]] });
    using home = createHome();
    const script = 'cat >/dev/null; echo "Io,"; echo Europa';
    const { code, stdout, stderr } = await home.run(
      ["run", "--once", "--base-url", arena.baseUrl, "--", "sh", "-c", script],
      { ...credentials, FORCE_COLOR: "1" },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout.split("\n");
    expect(lines[0]).toContain(`agent 7 at ${arena.baseUrl}, one task at a time`);
    expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d {2}main-42 {5}astronomy {5}running {14}30\.0 s left: Name two moons\.$/);
    expect(lines[2]).toMatch(/^\d\d:\d\d:\d\d {2}main-42 {5}astronomy {5}completed {2}[ \d.]{5} m?s {2}Io, Europa$/);
    expect(lines[3]).toBe("Stopped. 1 completed, 0 failed.");
    expect(arena.requests.at(-1)?.headers).toMatchObject({ "x-arena-secret": SECRET });
  });

  it("runs the agent that init made, and keeps the arena's secrets from its command", async () => {
    await using arena = await startArena({ [NEXT]: [[200, WORK]] });
    using home = createHome();
    await home.run(["init", "--name", "moon-bot", "--base-url", arena.baseUrl]);
    const { code, stdout } = await home.run(["run", "--once", "--json", "env"], {
      MY_KEY: "of the owner",
      COPY: SECRET,
      AGON_API_KEY: API_KEY,
    });
    expect(code).toBe(0);
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ type }) => type)).toEqual(["received", "answered", "reported", "stopped"]);
    expect(events[1]).toMatchObject({ work_id: "main-42", category: "astronomy", latency_ms: expect.any(Number) });
    expect(events[1].response).toContain("MY_KEY=of the owner");
    expect(events[1].response).not.toContain(SECRET);
    expect(events[1].response).not.toContain(API_KEY);
  });

  it("exits 1 after one task that failed, with the reason for its owner and the arena", async () => {
    await using arena = await startArena({ [NEXT]: [[200, WORK]] });
    using home = createHome();
    const args = ["run", "--once", "-v", "--base-url", arena.baseUrl, "--", "sh", "-c", "echo no model >&2; exit 3"];
    const { code, stdout } = await home.run(args, credentials);
    expect(code).toBe(1);
    expect(stdout).toMatch(/ failed {5} *[\d.]+ m?s {2}exit code 3: no model\n/);
    expect(stdout).toContain("          no model\n");
    expect(JSON.parse(arena.requests.at(-1)?.body ?? "").error).toBe("exit code 3: no model");
  });

  it("exits 1 with the arena's words when the secret is wrong", async () => {
    await using arena = await startArena({ [NEXT]: [403, { detail: "wrong agent secret" }] });
    using home = createHome();
    const { code, stderr } = await home.run(["run", "--base-url", arena.baseUrl, "--", "cat"], credentials);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: Wrong agent secret\. The runner needs the agent's own webhook_secret/);
  });

  it("gives options after the command to the command", async () => {
    await using arena = await startArena({ [NEXT]: [[200, WORK]] });
    using home = createHome();
    const args = ["run", "--once", "--json", "--base-url", arena.baseUrl, "echo", "--once", "--json", "-v"];
    const { stdout } = await home.run(args, credentials);
    expect(stdout).toContain('"response":"--once --json -v"');
  });

  it.each(["SIGINT", "SIGTERM"] as const)("finishes what is in hand on %s, and exits 0", async (signal) => {
    await using arena = await startArena({ [NEXT]: [[200, WORK], NO_WORK] });
    using home = createHome();
    const script = "echo begun >&2; sleep 0.5; echo Io";
    const args = ["run", "-v", "--base-url", arena.baseUrl, "--", "sh", "-c", script];
    const run = home.start(args, credentials);
    await run.seen("begun");
    run.child.kill(signal);
    const { code, stdout } = await run.finished;
    expect(code).toBe(0);
    expect(stdout).toContain("Finishing what is in hand.");
    expect(stdout).toContain("Stopped. 1 completed, 0 failed.");
    expect(arena.requests.filter(({ call }) => call.endsWith("/result"))).toHaveLength(1);
  });

  it("gives up what is in hand at a second signal, with exit code 1", async () => {
    await using arena = await startArena({ [NEXT]: [[200, WORK], NO_WORK] });
    using home = createHome();
    const args = ["run", "--base-url", arena.baseUrl, "--", "sleep", "60"];
    const run = home.start(args, credentials);
    await run.seen("running");
    // One Ctrl-C may arrive twice, so signals that come close together count as one.
    for (let once = 0; once < 2; once += 1) run.child.kill("SIGINT");
    await run.seen("Ctrl-C again gives it up.");
    await delay(500);
    run.child.kill("SIGINT");
    const { code, stdout } = await run.finished;
    expect(code).toBe(1);
    expect(stdout).toContain("Ctrl-C again gives it up.");
    expect(stdout).toContain("Stopped. 0 completed, 0 failed.");
  });

  it("ends quietly when nobody reads any more", async () => {
    await using arena = await startArena({ [NEXT]: [[200, WORK]] });
    using home = createHome();
    const run = home.start(["run", "--base-url", arena.baseUrl, "--", "echo", "Io"], credentials);
    await run.seen("completed");
    run.child.stdout.destroy();
    expect(await run.finished).toMatchObject({ code: 0, stderr: "" });
  });

  it("gives up what is in hand when its terminal goes away, with exit code 1 and nothing left running", async () => {
    await using arena = await startArena({ [NEXT]: [[200, WORK], NO_WORK] });
    using home = createHome();
    const args = ["run", "-v", "--base-url", arena.baseUrl, "--", "sh", "-c", "echo pid=$$ >&2; sleep 60"];
    const run = home.start(args, credentials);
    let pid = 0;
    run.child.stdout.on("data", (text: string) => {
      if (pid > 0) return;
      pid = Number(/pid=(\d+)/.exec(text)?.[1] ?? 0);
      if (pid > 0) run.child.kill("SIGHUP");
    });
    const { code, stdout } = await run.finished;
    expect(code).toBe(1);
    expect(stdout).toContain("Stopped. 0 completed, 0 failed.");
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    expect(arena.requests.filter(({ call }) => call.endsWith("/result"))).toEqual([]);
  });
});

describe("agon leaderboard", () => {
  const item = (rank: number | null, name: string, elo: number, tier: string, rating: number | null) => ({
    rank,
    rank_low: rank,
    rank_high: rank,
    agent: { id: 1, name },
    elo,
    tier,
    rating,
    ci_low: rating === null ? null : rating - 40.2,
    ci_high: rating === null ? null : rating + 40.2,
    battles: 12,
    wins: 10,
    losses: 1,
    ties: 1,
    both_bad: 0,
  });
  const page = {
    total: 3,
    limit: 2,
    offset: 0,
    has_more: true,
    items: [item(1, "月-bot", 1612.4, "Expert", 1644.6), item(null, "new\u001b[2J\n-bot", 1500, "Specialist", null)],
  };

  it("prints a table with aligned figures, and what a foreign name may not do it does not", async () => {
    await using arena = await startArena({ "GET /api/leaderboard": [200, page] });
    using home = createHome();
    const args = ["leaderboard", "--category", "math & more", "--limit", "2", "--base-url", arena.baseUrl];
    const { code, stdout } = await home.run(args);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        "Rank  Name       Elo  Tier         W  L  T  Both bad  Rating  95 %",
        "   1  月-bot    1612  Expert      10  1  1         0    1645  1604–1685",
        "   –  new -bot  1500  Specialist  10  1  1         0       –  –",
        "2 of 3; --limit shows more",
        "",
      ].join("\n"),
    );
    expect(arena.requests[0]?.call).toBe("GET /api/leaderboard?limit=2&category=math+%26+more");
  });

  it("prints the page as it came for a program", async () => {
    await using arena = await startArena({ "GET /api/leaderboard": [200, page] });
    using home = createHome();
    const { stdout } = await home.run(["leaderboard", "--json"], { AGON_BASE_URL: `${arena.baseUrl}/api` });
    expect(JSON.parse(stdout)).toEqual(page);
  });

  it("says how to fill it while it is empty", async () => {
    const empty = { total: 0, limit: 25, offset: 0, has_more: false, items: [] };
    await using arena = await startArena({ "GET /api/leaderboard": [200, empty] });
    using home = createHome();
    const { code, stdout } = await home.run(["leaderboard", "--base-url", arena.baseUrl]);
    expect(code).toBe(0);
    expect(stdout).toContain("Be the first: agon init --name my-agent");
  });

  it("names the arena that is not there", async () => {
    const arena = await startArena();
    await arena[Symbol.asyncDispose]();
    using home = createHome();
    const { code, stderr } = await home.run(["leaderboard", "--base-url", arena.baseUrl]);
    expect(code).toBe(1);
    expect(stderr).toContain(`Cannot reach ${arena.baseUrl}: connection refused`);
  });
});
