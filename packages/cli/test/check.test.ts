import { defineAgent, serve } from "@agon/agent";
import type { Role } from "@agon/protocol";
import { v7 } from "uuid";
import { describe, expect, it, test } from "vitest";
import type { CheckFinding } from "../src/check/check-finding.ts";
import { checkCommand } from "../src/check/command-checks.ts";
import { checkEdgearena, type EdgearenaTarget } from "../src/check/edgearena-checks.ts";
import { plainFetch } from "../src/check/plain-fetch.ts";
import { checkWebhook } from "../src/check/webhook-checks.ts";
import { type Fault, KEY, startBrokenAgent } from "./broken-agent.ts";
import { freePort } from "./free-port.ts";
import { createHome } from "./run-agon.ts";
import { startStrippingProxy } from "./stripping-proxy.ts";

const ports = { fetch: plainFetch, newId: () => v7(), now: () => Date.now() };
const ROLES: Role[] = ["SCOUT", "BUILDER", "ANALYST"];

async function collect(findings: AsyncIterable<CheckFinding>): Promise<CheckFinding[]> {
  const all: CheckFinding[] = [];
  for await (const finding of findings) all.push(finding);
  return all;
}

function checkAgent(target: Partial<EdgearenaTarget> & { url: string }): Promise<CheckFinding[]> {
  return collect(checkEdgearena(ports, { roles: ["SCOUT"], key: KEY, ...target }));
}

const codesOf = (findings: CheckFinding[]) => findings.flatMap(({ code }) => (code === null ? [] : [code]));

describe("checking an agent of edgearena-v1", () => {
  it("finds nothing in one that works, and asks its model little", async () => {
    await using agent = await startBrokenAgent();
    const findings = await checkAgent({ url: agent.url, roles: ROLES });
    expect(codesOf(findings)).toEqual([]);
    expect(findings.filter(({ skipped }) => skipped)).toEqual([]);
    expect(agent.modelCalls).toBe(8);
  });

  it("finds nothing in one that is made with the kit, whether or not its model fails now and then", async () => {
    const stop = new AbortController();
    const scout = {
      candidate_title: "t",
      target_customer: "c",
      core_problem: "p",
      proposed_solution: "s",
      why_now: "w",
      claims: [],
      evidence: [],
    };
    const agent = await serve(defineAgent({ scout: () => scout }), { key: KEY, port: 0, abortSignal: stop.signal });
    expect(codesOf(await checkAgent({ url: agent.url }))).toEqual([]);
    stop.abort();
    await agent.done;
  });

  test.each<[Fault, string[], Role[]?]>([
    ["no-get", ["liveness/non-2xx"]],
    ["slow-get", ["liveness/slow"]],
    ["array-handshake", ["handshake/non-json"]],
    ["crash-on-bad-json", ["malformed-json/error"]],
    ["small-body-limit", ["large-body/refused"]],
    ["no-body-limit", ["too-large-body/accepted"]],
    ["fenced-simulation", ["simulation/non-json", "signed-simulation/non-json"]],
    ["missing-field", ["simulation/required-fields", "signed-simulation/required-fields", "dispatch/schema"]],
    ["lazy-schema", ["simulation/schema", "dispatch/schema"]],
    ["invented-candidate", ["simulation/schema", "dispatch/schema"], ["BUILDER"]],
    ["enveloped-simulation", ["simulation/required-fields", "signed-simulation/required-fields"]],
    ["no-key", ["dispatch/key-missing"]],
    ["no-envelope", ["dispatch/no-envelope"]],
    [
      "no-verification",
      [
        "tampered-dispatch/tampered-accepted",
        "unsigned-dispatch/accepted",
        "undated-dispatch/accepted",
        "stale-dispatch/accepted",
        "future-dispatch/accepted",
        "wrong-key/accepted",
        "short-signature/accepted",
      ],
    ],
    ["no-window", ["stale-dispatch/accepted", "future-dispatch/accepted"]],
    ["past-window-only", ["future-dispatch/accepted"]],
    ["crash-on-short-signature", ["short-signature/status"]],
    ["reserializes", ["raw-bytes/reserialized"]],
    ["reworks-repeats", ["repeated-task/reworked"]],
  ])("names the fault of one with %s", async (fault, codes, roles = ["SCOUT"]) => {
    await using agent = await startBrokenAgent(fault);
    const findings = await checkAgent({ url: agent.url, roles });
    expect(codesOf(findings)).toEqual(codes);
    for (const { ok, fix } of findings) if (!ok) expect(fix).toMatch(/^[A-Z].*\.$/);
  });

  it("tells one that takes every method", async () => {
    await using agent = await startBrokenAgent("any-method");
    expect(codesOf(await checkAgent({ url: agent.url }))).toContain("wrong-method/accepted");
  });

  it("checks what is signed for the public URL, and tells when it is that which is missing", async () => {
    const publicUrl = "https://agents.example.com/mine";
    await using right = await startBrokenAgent(undefined, publicUrl);
    expect(codesOf(await checkAgent({ url: right.url, publicUrl }))).toEqual([]);
    await using wrong = await startBrokenAgent("forgets-public-url", publicUrl);
    expect(codesOf(await checkAgent({ url: wrong.url, publicUrl }))).toEqual(["public-url/not-used"]);
    await using keyless = await startBrokenAgent("no-key", publicUrl);
    expect(codesOf(await checkAgent({ url: keyless.url, publicUrl }))).toEqual(["dispatch/key-missing"]);
  });

  it("says what it could not check without a key, and stops where nobody is", async () => {
    await using agent = await startBrokenAgent();
    const findings = await checkAgent({ url: agent.url, key: undefined });
    expect(codesOf(findings)).toEqual([]);
    expect(findings.at(-1)).toMatchObject({ check: "signed requests", skipped: true });
    const gone = await checkAgent({ url: "http://127.0.0.1:1/" });
    expect(gone.map(({ code, skipped }) => code ?? skipped)).toEqual(["liveness/network", true]);
  });
});

describe("checking an agent behind a proxy that strips a prefix off the path", () => {
  const scout = {
    ...{ candidate_title: "t", target_customer: "c", core_problem: "p", proposed_solution: "s", why_now: "w" },
    ...{ claims: [], evidence: [] },
  };

  /** An agent of the kit behind such a proxy. It learns its public URL when the proxy is there, if it is to. */
  async function startBehindProxy({ keepsHost, isTold }: { keepsHost: boolean; isTold: boolean }) {
    const prefix = "/agents/mine/";
    const port = await freePort();
    const agentUrl = `http://127.0.0.1:${port}/`;
    const proxy = await startStrippingProxy({ prefix, agentUrl, keepsHost });
    const stop = new AbortController();
    const { done } = await serve(defineAgent({ scout: () => scout }), {
      ...{ key: KEY, port, abortSignal: stop.signal },
      ...(isTold ? { publicUrl: proxy.url } : {}),
    });
    return {
      agentUrl,
      proxy,
      async [Symbol.asyncDispose]() {
        await proxy[Symbol.asyncDispose]();
        stop.abort();
        await done;
      },
    };
  }

  it("finds nothing in one that knows its public URL, through the proxy and past it", async () => {
    await using place = await startBehindProxy({ keepsHost: false, isTold: true });
    const { agentUrl, proxy } = place;
    expect(codesOf(await checkAgent({ url: proxy.url }))).toEqual([]);
    expect(new Set(proxy.passed)).toEqual(new Set(["/"]));
    const passed = proxy.passed.length;
    expect(codesOf(await checkAgent({ url: agentUrl, publicUrl: proxy.url }))).toEqual([]);
    expect(proxy.passed).toHaveLength(passed);
  });

  it("says what one lacks that does not, whether the proxy keeps the host or not", async () => {
    await using renamed = await startBehindProxy({ keepsHost: false, isTold: false });
    const past = await checkAgent({ url: renamed.agentUrl, publicUrl: renamed.proxy.url });
    expect(codesOf(past)).toEqual(["public-url/not-used"]);
    await using kept = await startBehindProxy({ keepsHost: true, isTold: false });
    const through = await checkAgent({ url: kept.proxy.url });
    expect(codesOf(through)).toEqual(["public-url/prefix-stripped"]);
    expect(through.find(({ ok }) => !ok)?.detail).toContain(`signed for ${new URL(kept.proxy.url).origin}/,`);
  });

  it("is the same by the command line", async () => {
    using home = createHome();
    await using told = await startBehindProxy({ keepsHost: false, isTold: true });
    const right = await home.run(["check", told.agentUrl, "--key", KEY, "--public-url", told.proxy.url]);
    expect(right).toMatchObject({ code: 0, stderr: "" });
    expect(right.stdout).toContain("Nothing to change.");
    await using untold = await startBehindProxy({ keepsHost: false, isTold: false });
    const args = ["check", untold.agentUrl, "--key", KEY, "--public-url", untold.proxy.url, "--json"];
    const wrong = await home.run(args);
    expect(wrong.code).toBe(1);
    const faults = JSON.parse(wrong.stdout).findings.filter(({ ok }: CheckFinding) => !ok);
    expect(faults).toMatchObject([{ code: "public-url/not-used", fix: expect.stringContaining(untold.proxy.url) }]);
  });
});

describe("checking a webhook", () => {
  const secret = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
  const serveWith = async (options: { secret?: string; answer?: string }) => {
    const stop = new AbortController();
    const agent = defineAgent({ prompt: () => options.answer ?? "yes" });
    const served = await serve(agent, { secret: options.secret ?? secret, port: 0, abortSignal: stop.signal });
    return {
      url: served.url,
      async [Symbol.asyncDispose]() {
        stop.abort();
        await served.done;
      },
    };
  };

  it("finds nothing in one that is made with the kit", async () => {
    await using agent = await serveWith({});
    const findings = await collect(checkWebhook(ports, { url: agent.url, secret }));
    expect(codesOf(findings)).toEqual([]);
    expect(findings).toHaveLength(9);
  });

  it("names a secret that is not installed, an empty answer, and a server that verifies nothing", async () => {
    await using other = await serveWith({ secret: "whsec_b3RoZXI=" });
    expect(codesOf(await collect(checkWebhook(ports, { url: other.url, secret })))).toEqual(["ping/secret-missing"]);
    await using empty = await serveWith({ answer: " " });
    expect(codesOf(await collect(checkWebhook(ports, { url: empty.url, secret })))).toEqual(["prompt/non-2xx"]);
    await using open = await startBrokenAgent("any-method");
    const codes = codesOf(await collect(checkWebhook(ports, { url: open.url, secret })));
    expect(codes).toEqual(["unsigned/accepted", "tampered/accepted", "short-signature/accepted", "prompt/no-response"]);
  });
});

describe("checking a command", () => {
  const check = (script: string, roles: Role[] = []) =>
    collect(checkCommand(ports, { command: ["sh", "-c", script], roles, deadlineSeconds: 2 }));

  test.each<[string, string[]]>([
    ["cat > /dev/null; echo yes", []],
    ["true", ["prompt/empty", "awkward-prompt/empty", "long-prompt/empty"]],
    ["exit 3", ["prompt/exit", "awkward-prompt/exit", "long-prompt/exit"]],
    ["sleep 9", ["prompt/timeout", "awkward-prompt/timeout", "long-prompt/timeout"]],
    ["printf '\\317\\360'", ["prompt/not-utf8", "awkward-prompt/not-utf8", "long-prompt/not-utf8"]],
    ["test $(printenv TESSERAX_PROMPT | wc -c) -lt 100 && echo yes", ["long-prompt/exit"]],
  ])("says what is wrong with %j", async (script, codes) => {
    expect(codesOf(await check(script))).toEqual(codes);
  });

  it("says when there is none, and does not go on", async () => {
    const findings = await collect(
      checkCommand(ports, { command: ["no-such-cmd-xyz"], roles: [], deadlineSeconds: 2 }),
    );
    expect(codesOf(findings)).toEqual(["prompt/not-found"]);
    expect(findings).toHaveLength(1);
  });

  it("holds what it prints for a role to the whole schema", async () => {
    expect(codesOf(await check("echo yes", ["SCOUT"]))).toEqual(["role/output-not-json"]);
    expect(codesOf(await check("echo '{}'", ["ANALYST"]))).toEqual(["role/schema"]);
  });
});

describe("agon check", () => {
  it("ends with 0 and nothing to change, 1 and what to change, or 2 and how to use it", async () => {
    using home = createHome();
    await using good = await startBrokenAgent();
    const clean = await home.run(["check", good.url, "--key", KEY]);
    expect(clean).toMatchObject({ code: 0, stderr: "" });
    expect(clean.stdout).toMatch(/\nNothing to change\.\n$/);
    await using bad = await startBrokenAgent("no-window");
    const faulty = await home.run(["check", bad.url, "--key", KEY, "--json"]);
    expect(faulty).toMatchObject({ code: 1, stderr: "" });
    const report = JSON.parse(faulty.stdout);
    expect(report).toMatchObject({ target: bad.url, ok: false });
    expect(report.findings.find(({ ok }: { ok: boolean }) => !ok)).toMatchObject({
      check: "stale-dispatch",
      code: "stale-dispatch/accepted",
      fix: expect.any(String),
      latency_ms: expect.any(Number),
    });
    for (const args of [
      [],
      ["ftp://x"],
      [good.url, "--role", "JUDGE"],
      [good.url, "--dialect", "tesserax"],
      ["--pull"],
    ]) {
      expect((await home.run(["check", ...args])).code).toBe(2);
    }
  }, 60_000);
});
