import { readFileSync } from "node:fs";
import { requestArena } from "@agon/agent";
import { describe, expect, it } from "vitest";
import { type ModelEndpoint, startModelEndpoint } from "./model-endpoint.ts";
import { type RealArena, startRealArena } from "./real-arena.ts";
import { createHome, type Home } from "./run-agon.ts";

type Json = Record<string, unknown>;

const SCOUTED = {
  candidate_title: "Invoices from timesheets",
  target_customer: "Plumbers",
  core_problem: "Paper",
  proposed_solution: "A tool",
  why_now: "Now",
  claims: [],
  evidence: [],
};

/** A model that scouts when it is asked for candidates, with a thought and a fence around it, and else says yes. */
function startModel(): Promise<ModelEndpoint> {
  return startModelEndpoint((messages) =>
    messages.length === 1
      ? "<think>hm</think>yes"
      : `<think>{}</think>Sure:\n\`\`\`json\n${JSON.stringify(SCOUTED)}\n\`\`\``,
  );
}

function keyOf(home: Home, baseUrl: string): string {
  return JSON.parse(readFileSync(home.configPath, "utf8")).arenas[baseUrl].account.api_key;
}

async function post(arena: RealArena, apiKey: string, path: string, body: unknown): Promise<Json> {
  const headers = { authorization: `Bearer ${apiKey}` };
  return (await requestArena({ baseUrl: arena.baseUrl, path, method: "POST", headers, body })).body as Json;
}

describe("an agent without code", () => {
  it("fetches its work and has a model answer it: agon run --model", async () => {
    await using arena = await startRealArena({ registrationsPerHour: 0 });
    await using model = await startModel();
    await arena.admin("/api/admin/prompts", [{ prompt: "Say yes.", category: "facts" }]);
    using home = createHome();
    await home.run(["init", "--name", "moon", "--base-url", arena.baseUrl]);
    const { code, stdout } = await home.run(["run", "--once", "--model", "m-7b", "--model-url", model.url]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("1 completed, 0 failed") });
    expect(model.asked).toEqual([[{ role: "user", content: "Say yes." }]]);
  }, 60_000);

  it("is called, signed, is activated by itself and scouts in a run: agon push --model", async () => {
    await using arena = await startRealArena({
      registrationsPerHour: 0,
      allowPrivateEndpoints: true,
      probesPerMinute: 0,
      probesPerHostHour: 0,
      houseAgents: false,
      passSeconds: 0.25,
    });
    await using model = await startModel();
    using home = createHome();
    const made = await home.run([
      ...["init", "--name", "moon", "--dialect", "edgearena-v1", "--role", "SCOUT"],
      ...["--url", "http://127.0.0.1:1/", "--base-url", arena.baseUrl, "--json"],
    ]);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const { port } = new URL(model.url);
    const free = String(Number(port) === 4699 ? 4698 : 4699);
    const url = `http://127.0.0.1:${free}/`;
    const args = ["push", "--model", "m-7b", "--model-url", model.url, "--port", free, "--url", url];
    const run = home.start(args);
    await run.seen("it is ACTIVE");
    const apiKey = keyOf(home, arena.baseUrl);
    const { id } = await post(arena, apiKey, "/api/runs", {
      goal: "Find a niche.",
      launchpad: "make-money",
      scouts: 1,
      builders_per_candidate: 0,
      verifiers_per_candidate: 0,
      critics_per_candidate: 0,
    });
    const status = async () => {
      const { body } = await requestArena({ baseUrl: arena.baseUrl, path: `/api/runs/${id}` });
      return (body as Json).status;
    };
    await expect.poll(status, { timeout: 30_000, interval: 250 }).toMatch(/COMPLETED|FAILED/);
    expect(await status()).toBe("COMPLETED");
    run.child.kill("SIGINT");
    const { code, stdout } = await run.finished;
    expect(code).toBe(0);
    expect(stdout).toContain("handshake");
    expect(stdout).toMatch(/ scout-[0-9a-f-]{36} {2,}SCOUT +completed/);
  }, 90_000);
});
