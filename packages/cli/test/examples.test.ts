import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { requestArena } from "@agon/agent";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "./free-port.ts";
import { type RealArena, startRealArena } from "./real-arena.ts";
import { createHome, type Home } from "./run-agon.ts";

type Json = Record<string, unknown>;

const EXAMPLES = join(import.meta.dirname, "../../../examples");
const NODE = [process.execPath, "--conditions=@agon/source"];

interface Standing {
  agent: { id: number; name: string };
  battles: number;
  wins: number;
  ties: number;
}

let arena: RealArena;
let folder: string;
const homes: Home[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "agon-examples-"));
  arena = await startRealArena({
    allowPrivateEndpoints: true,
    registrationsPerHour: 0,
    probesPerMinute: 0,
    probesPerHostHour: 0,
    pushGapSeconds: 0,
    passSeconds: 0.25,
    houseAgents: false,
  });
  const prompts = Array.from({ length: 6 }, (_, n) => ({
    prompt: `What is ${31 * (n + 2)} * ${17 + n}? End with the number.`,
    category: "arithmetic",
    check: { kind: "number", value: 31 * (n + 2) * (17 + n) },
  }));
  await arena.admin("/api/admin/prompts", prompts);
});
afterAll(async () => {
  await Promise.all(children.map(end));
  for (const home of homes) home[Symbol.dispose]();
  await arena[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}

function makeHome(): Home {
  const home = createHome();
  homes.push(home);
  return home;
}

async function init(
  home: Home,
  name: string,
  args: string[] = [],
): Promise<{ id: number; secret: string; apiKey: string }> {
  const made = await home.run(["init", "--name", name, "--json", "--base-url", arena.baseUrl, ...args]);
  if (made.code !== 0) throw new Error(made.stderr);
  const { agent_id: id, webhook_secret: secret, config } = JSON.parse(made.stdout);
  const { readFileSync } = await import("node:fs");
  const apiKey = JSON.parse(readFileSync(config, "utf8")).arenas[arena.baseUrl].account.api_key;
  return { id, secret, apiKey };
}

/** Runs a command by `agon run` until the end of the tests. */
async function runPull(name: string, command: string[], args: string[] = []): Promise<void> {
  const home = makeHome();
  await init(home, name, args);
  children.push(home.start(["run", "--", ...command]).child);
}

/** Starts a server of an example; resolves to where it listens. */
async function startServer(command: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const [file = "", ...args] = command;
  const child = spawn(file, args, { env: { PATH: process.env.PATH, ...env }, stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  for await (const chunk of child.stdout) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk))?.[0];
    if (url !== undefined) return `${url}/`;
  }
  throw new Error(`${command.join(" ")} did not say where it listens`);
}

async function call(path: string, apiKey: string, body?: unknown): Promise<Json> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const request = { baseUrl: arena.baseUrl, path, method: "POST" as const, headers, timeoutMs: 70_000 };
  return (await requestArena(body === undefined ? request : { ...request, body })).body as Json;
}

/** The example for platforms that call a fetch handler, and what such a platform does, done by hand. */
async function startFetchPlatform(): Promise<AsyncDisposable & { url: string }> {
  const { handler } = (await import(join(EXAMPLES, "fetch-runtime/agent.ts"))) as {
    handler: (request: Request) => Promise<Response>;
  };
  const platform = createServer(async (request, response) => {
    const { method = "GET", headers } = request;
    const body = method === "GET" || method === "HEAD" ? undefined : await buffer(request);
    const answer = await handler(
      new Request(`http://${headers.host}${request.url}`, {
        method,
        headers: headers as Record<string, string>,
        ...(body === undefined ? {} : { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  }).listen(0, "127.0.0.1");
  await once(platform, "listening");
  return {
    url: `http://127.0.0.1:${(platform.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      platform.closeAllConnections();
      platform.close();
      await once(platform, "close");
    },
  };
}

describe("the examples", () => {
  it("compete in an arena, and all of them score", async () => {
    await runPull("shell", ["sh", join(EXAMPLES, "shell/agent.sh")]);
    await runPull("python-pull", ["python3", join(EXAMPLES, "python-pull/agent.py")]);
    await runPull("tool-user", [...NODE, join(EXAMPLES, "tool-user/agent.ts")]);

    const port = await freePort();
    const python = await init(makeHome(), "python-webhook", ["--url", `http://127.0.0.1:${port}/`]);
    await startServer(["python3", join(EXAMPLES, "python-webhook/webhook.py"), String(port)], {
      AGENT_SECRET: python.secret,
    });
    await call(`/api/agents/${python.id}/retest`, python.apiKey);

    await using platform = await startFetchPlatform();
    const { url } = platform;
    const fetching = await init(makeHome(), "fetch-runtime", ["--url", url]);
    process.env.AGENT_SECRET = fetching.secret;
    try {
      await call(`/api/agents/${fetching.id}/retest`, fetching.apiKey);
      const load = async () => {
        const { body } = await requestArena({ baseUrl: arena.baseUrl, path: "/api/leaderboard?limit=50" });
        return (body as { items: Standing[] }).items;
      };
      const names = ["fetch-runtime", "python-pull", "python-webhook", "shell", "tool-user"];
      const scored = async () =>
        (await load())
          .filter(({ wins, ties }) => wins + ties > 0)
          .map(({ agent }) => agent.name)
          .toSorted();
      await expect.poll(scored, { timeout: 60_000, interval: 500 }).toEqual(names);
      // Everybody is right each time, so nobody lost.
      for (const { battles, wins, ties } of await load()) expect(wins + ties).toBe(battles);
    } finally {
      delete process.env.AGENT_SECRET;
    }
  }, 120_000);

  it("serve all phases of a run: the TypeScript server by signed dispatches, the Python command by pull", async () => {
    const port = await freePort();
    const signed = await init(makeHome(), "typescript-server", [
      ...["--url", `http://127.0.0.1:${port}/`, "--dialect", "edgearena-v1", "--role", "SCOUT,BUILDER,ANALYST"],
    ]);
    const url = await startServer([...NODE, join(EXAMPLES, "typescript-server/agent.ts")], {
      AGENT_KEY: signed.secret,
      PORT: String(port),
    });
    expect(await call(`/api/agents/${signed.id}/activate?wait=50`, signed.apiKey)).toMatchObject({ status: "ACTIVE" });
    const checked = await makeHome().run([
      ...["check", url, "--role", "SCOUT,BUILDER,ANALYST", "--key", signed.secret, "--json"],
    ]);
    expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true });

    await runPull(
      "python-roles",
      ["python3", join(EXAMPLES, "python-pull/agent.py")],
      ["--role", "SCOUT,BUILDER,ANALYST"],
    );
    const { id } = await call("/api/runs", signed.apiKey, {
      goal: "Find a niche.",
      launchpad: "make-money",
      scouts: 2,
    });
    const load = async () => (await requestArena({ baseUrl: arena.baseUrl, path: `/api/runs/${id}` })).body as Json;
    await expect
      .poll(async () => (await load()).status, { timeout: 60_000, interval: 500 })
      .toMatch(/COMPLETED|FAILED/);
    expect((await load()).status).toBe("COMPLETED");
  }, 120_000);

  it("are found to be well by agon check", async () => {
    const commands: string[][] = [
      ["sh", join(EXAMPLES, "shell/agent.sh")],
      ["python3", join(EXAMPLES, "python-pull/agent.py")],
      [...NODE, join(EXAMPLES, "tool-user/agent.ts")],
    ];
    for (const command of commands) {
      const { stdout } = await makeHome().run(["check", "--pull", "--json", "--", ...command]);
      expect(JSON.parse(stdout)).toMatchObject({ ok: true });
    }
    const secret = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
    const env = { AGENT_SECRET: secret, PORT: "0" };
    for (const command of [
      ["python3", join(EXAMPLES, "python-webhook/webhook.py"), "0"],
      [...NODE, join(EXAMPLES, "typescript-server/agent.ts")],
    ]) {
      const url = await startServer(command, env);
      const { stdout } = await makeHome().run(["check", url, "--dialect", "tesserax", "--secret", secret, "--json"]);
      expect(JSON.parse(stdout)).toMatchObject({ ok: true });
    }
  }, 120_000);

  it("are found to be well as a fetch handler, too, in both dialects", async () => {
    const secret = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
    Object.assign(process.env, { AGENT_KEY: "sa_example-0001", AGENT_SECRET: secret });
    try {
      await using platform = await startFetchPlatform();
      const home = makeHome();
      for (const args of [
        ["--role", "SCOUT", "--key", "sa_example-0001"],
        ["--dialect", "tesserax", "--secret", secret],
      ]) {
        const { code, stdout } = await home.run(["check", platform.url, ...args, "--json"]);
        const { ok, findings } = JSON.parse(stdout);
        expect(findings.filter((finding: { ok: boolean }) => !finding.ok)).toEqual([]);
        expect({ code, ok }).toEqual({ code: 0, ok: true });
      }
    } finally {
      delete process.env.AGENT_KEY;
      delete process.env.AGENT_SECRET;
    }
  }, 60_000);
});
