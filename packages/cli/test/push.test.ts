import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { signTesserax } from "@agon/protocol";
import { describe, expect, it } from "vitest";
import { API_KEY, SECRET, startArena, WORK } from "./loopback-arena.ts";
import { startRealArena } from "./real-arena.ts";
import { createHome, type Started } from "./run-agon.ts";

const { kind: _kind, work_id: _id, ...PROMPT } = WORK;
const BODY = JSON.stringify(PROMPT);
const DETAIL = {
  id: 7,
  name: "moon-bot",
  mode: "push",
  active: true,
  ping_error: null,
  webhook_url: "https://agents.example.com/mine",
};

/** Where a started server listens, from what it printed. */
async function urlOf(run: Started): Promise<string> {
  await run.seen("127.0.0.1:");
  await run.seen("\n");
  return /http:\/\/127\.0\.0\.1:\d+/.exec(run.text())?.[0] ?? "";
}

function post(url: string, body = BODY, secret = SECRET) {
  return fetch(url, { method: "POST", body, headers: { "x-arena-signature": signTesserax({ secret, body }) } });
}

describe("agon push", () => {
  it("answers what the arena sends, in aligned columns, and finishes at a signal", async () => {
    using home = createHome();
    const run = home.start(["push", "--secret", SECRET, "--port", "0", "--", "sh", "-c", "cat >/dev/null; echo Io"]);
    const url = await urlOf(run);
    const answer = await post(url);
    expect([answer.status, await answer.json()]).toEqual([200, { response: "Io" }]);
    const refused = await post(url, BODY, "whsec_b3RoZXI=");
    expect(refused.status).toBe(401);
    await run.seen("refused");
    run.child.kill("SIGINT");
    const { code, stdout, stderr } = await run.finished;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`agent listens at ${url}, one task at a time`);
    expect(stdout).toContain("The agent's webhook_url has to lead here.");
    expect(stdout).toMatch(/ push-42 {5}astronomy {5}running {14}30\.0 s left: Name two moons\.\n/);
    expect(stdout).toMatch(/ push-42 {5}astronomy {5}completed {2}[ \d.]{5} m?s {2}Io\n/);
    expect(stdout).toMatch(/ refused {14}401 to a request: the signature does not match/);
    expect(stdout).toMatch(/Stopped\. 1 completed, 0 failed\.\n$/);
  });

  it("brings a new address to the arena, and keeps the secrets from the command", async () => {
    const url = "https://tunnel.example.com/";
    await using arena = await startArena({ "PATCH /api/agents/7": [200, { ...DETAIL, webhook_url: url }] });
    using home = createHome();
    await home.run(["init", "--name", "moon-bot", "--url", DETAIL.webhook_url, "--base-url", arena.baseUrl]);
    const run = home.start(["push", "--json", "--port", "0", "--url", "https://tunnel.example.com", "--", "env"]);
    await run.seen("announced");
    expect(arena.requests.slice(-2)).toMatchObject([
      { call: "GET /api/agents/7", headers: { authorization: `Bearer ${API_KEY}` } },
      { call: "PATCH /api/agents/7", body: '{"webhook_url":"https://tunnel.example.com"}' },
    ]);
    const answer = (await (await post(await urlOf(run))).json()) as { response: string };
    expect(answer.response).toContain("TESSERAX_PROMPT_ID=42");
    expect(answer.response).not.toContain(SECRET);
    expect(answer.response).not.toContain(API_KEY);
    run.child.kill("SIGTERM");
    const { code, stdout } = await run.finished;
    expect(code).toBe(0);
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ type }) => type)).toEqual([
      "listening",
      "announced",
      "received",
      "answered",
      "replied",
      "stopped",
    ]);
    expect(events[1]).toMatchObject({ webhook_url: url, ping_error: null });
  });

  it("has the arena look again where it found nobody before, and says what came of it", async () => {
    await using arena = await startArena({
      "GET /api/agents/7": [200, { ...DETAIL, ping_error: "The endpoint answered 401." }],
      "POST /api/agents/7/retest": [
        [200, DETAIL],
        [200, { ...DETAIL, ping_error: "Nobody is there." }],
      ],
    });
    using home = createHome();
    await home.run(["init", "--name", "moon-bot", "--url", DETAIL.webhook_url, "--base-url", arena.baseUrl]);
    for (const said of [
      `good  ${arena.baseUrl} calls this agent at ${DETAIL.webhook_url}`,
      "success: Nobody is there.",
    ]) {
      const run = home.start(["push", "--port", "0", "--", "cat"]);
      await run.seen(said);
      run.child.kill("SIGINT");
      expect(await run.finished).toMatchObject({ code: 0 });
    }
  });

  it("competes in a real arena, from the ping to a recorded answer", async () => {
    await using arena = await startRealArena({ allowPrivateEndpoints: true, pushGapSeconds: 0 });
    await arena.admin("/api/admin/prompts?kind=gym", [{ prompt: "Name a moon.", category: "gym" }]);
    using home = createHome();
    const init = ["init", "--name", "moon-bot", "--url", "http://127.0.0.1:9/", "--base-url", arena.baseUrl, "--json"];
    const made = JSON.parse((await home.run(init)).stdout);
    expect(made.ping_error).toEqual(expect.any(String));
    const run = home.start(["push", "--json", "--port", "0", "--", "sh", "-c", 'echo "$TESSERAX_PROMPT Io."']);
    await run.seen('"announced"');
    const config = JSON.parse(readFileSync(home.configPath, "utf8"));
    const changed = await fetch(`${arena.baseUrl}/api/agents/${made.agent_id}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${config.arenas[arena.baseUrl].account.api_key}` },
      body: JSON.stringify({ webhook_url: await urlOf(run) }),
    });
    expect(await changed.json()).toMatchObject({ ping_error: null, active: true });
    await run.seen('"replied"');
    run.child.kill("SIGINT");
    const { code, stdout } = await run.finished;
    expect(code).toBe(0);
    const events = stdout.trim().split("\n");
    const types = events.map((line) => JSON.parse(line).type);
    expect(types).toEqual(["listening", "announced", "ping", "received", "answered", "replied", "stopped"]);
    expect(JSON.parse(events[4] ?? "")).toMatchObject({ kind: "gym", response: "Name a moon. Io." });
  }, 90_000);

  it("serves on when the arena is away", async () => {
    const arena = await startArena();
    using home = createHome();
    await home.run(["init", "--name", "moon-bot", "--url", DETAIL.webhook_url, "--base-url", arena.baseUrl]);
    await arena[Symbol.asyncDispose]();
    const run = home.start(["push", "--port", "0", "--", "echo", "Io"]);
    await run.seen("warn  Cannot reach");
    expect((await post(await urlOf(run))).status).toBe(200);
    run.child.kill("SIGINT");
    expect(await run.finished).toMatchObject({ code: 0 });
  });

  it.each<[string[], string]>([
    [["push", "--", "cat"], "agon init --name my-agent --url"],
    [["push"], "Say what answers: a command after --, or --model."],
    [["push", "--secret", SECRET, "--port", "70000", "--", "cat"], "from 0 to 65535"],
    [["push", "--secret", SECRET, "--url", "https://a.example", "--", "cat"], "the account's key"],
    [["push", "--secret", SECRET, "--host", "no-such-host.invalid", "--", "cat"], "is no address of this machine"],
  ])("%j is wrong usage: %s", async (args, reason) => {
    using home = createHome();
    const { code, stdout, stderr } = await home.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(reason);
  });

  it("names a port that is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    using home = createHome();
    const { code, stderr } = await home.run(["push", "--secret", SECRET, "--port", String(port), "--", "cat"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `error: 127.0.0.1:${port} is taken by another program; choose another port with --port\n`,
    });
    other.close();
  });
});
