import { describe, expect, it, test } from "vitest";
import { judgeHandshake, judgeLiveness, type LivenessKind, probeHandshake, probeLiveness } from "../src/index.ts";
import { type Reply, scriptedPorts, toExchange, URL_ } from "./scripted-agent.ts";

describe("a liveness probe", () => {
  test.each<[LivenessKind, string, number]>([
    ["health", "EdgeArena-Health/1.0", 4_000],
    ["verify", "EdgeArena-Verify/1.0", 5_000],
    ["ping", "EdgeArena-Ping/1.0", 5_000],
  ])("[EA-LIVE-1] [EA-LIVE-2] [EA-LIVE-5] is a bare GET of the registered URL: %s", async (kind, agent, deadlineMs) => {
    const ports = scriptedPorts(() => ({ status: 200 }));
    const step = await probeLiveness(ports, { url: URL_, kind });
    expect(ports.sent).toEqual([
      {
        url: URL_,
        method: "GET",
        headers: { "user-agent": agent },
        deadlineMs,
        maxResponseBytes: 65_536,
        ignoreBody: true,
        signal: undefined,
      },
    ]);
    expect(step).toMatchObject({ ok: true, errorCode: null, latencyMs: 12, received: { status: 200, excerpt: null } });
  });

  test.each<[Reply, boolean, boolean]>([
    [{ status: 200 }, true, true],
    [{ status: 204 }, true, true],
    [{ status: 299, body: "<html>" }, true, true],
    [{ fails: "encoded", status: 200, cause: "invalid" }, true, true],
    [{ fails: "truncated", status: 200 }, true, true],
    [{ status: 301 }, false, true],
    [{ status: 405 }, false, true],
    [{ status: 404 }, false, true],
    [{ status: 499 }, false, true],
    [{ status: 500 }, false, false],
    [{ status: 503 }, false, false],
    [{ fails: "refused" }, false, false],
    [{ fails: "timeout" }, false, false],
    [{ fails: "timeout", status: 200 }, false, false],
    [{ fails: "reset" }, false, false],
  ])("[EA-LIVE-3] [EA-LIVE-4] judges %j: registered %s, before registration %s", (reply, registered, before) => {
    for (const kind of ["health", "verify"] as const) {
      expect(judgeLiveness(kind, toExchange(reply), 5_000).ok).toBe(registered);
    }
    const finding = judgeLiveness("ping", toExchange(reply), 5_000);
    expect(finding.ok).toBe(before);
    if (before && !registered) expect(finding.notes?.[0]).toContain("has to answer GET with 2xx");
  });

  it("tells an owner without a GET handler to add one", () => {
    for (const status of [404, 405, 501]) {
      expect(judgeLiveness("verify", toExchange({ status }), 5_000)).toMatchObject({
        ok: false,
        errorCode: "non-2xx",
        advice: "Add a GET handler at exactly the registered URL that returns 200.",
      });
    }
  });

  it("blames nobody for a fault of this side", () => {
    expect(judgeLiveness("health", toExchange({ fails: "aborted", cause: "arena" }), 4_000)).toMatchObject({
      ok: false,
      errorCode: "arena",
    });
  });
});

describe("a handshake", () => {
  it("[EA-HAND-1] [EA-HAND-2] [EA-HAND-4] posts its three fields without credentials, an id new each time, for 5 s", async () => {
    const ports = scriptedPorts(() => ({ status: 200, body: "{}" }));
    await probeHandshake(ports, { url: URL_ });
    await probeHandshake(ports, { url: URL_ });
    expect(ports.sent[0]).toMatchObject({ url: URL_, method: "POST", deadlineMs: 5_000 });
    expect(ports.sent[0]?.headers).toEqual({
      "content-type": "application/json",
      "user-agent": "EdgeArena-Handshake/1.0",
    });
    expect(ports.sent[0]?.body).toBe(
      '{"type":"handshake","protocol":"edgearena-v1","request_id":"0192f4a9-1be4-7123-b21d-000000000001"}',
    );
    expect(ports.sent[1]?.body).toContain("000000000002");
  });

  test.each(["{}", '{"ok":true,"protocol":"edgearena-v1"}', "\ufeff{}", ' {"a":[1]}\n'])(
    "[EA-HAND-3] passes with %j",
    (body) => {
      expect(judgeHandshake(toExchange({ status: 201, body }), 5_000)).toMatchObject({ ok: true });
    },
  );

  test.each<[Reply, string, string]>([
    [{ fails: "dns" }, "dns", "host name"],
    [{ fails: "timeout" }, "timeout", "Answer faster"],
    [{ fails: "timeout", status: 200 }, "timeout", "Answer faster"],
    [{ status: 300, body: "{}" }, "non-2xx", "redirects are not followed"],
    [{ status: 307, body: "{}" }, "non-2xx", "redirects are not followed"],
    [{ status: 404, body: "{}" }, "non-2xx", "Check the path"],
    [{ status: 405 }, "non-2xx", "POST"],
    [{ status: 502 }, "non-2xx", "proxy"],
    [{ status: 500 }, "non-2xx", "log"],
    [{ fails: "truncated", status: 500 }, "non-2xx", "log"],
    [{ status: 200, body: "" }, "non-json", "{}"],
    [{ status: 204 }, "non-json", "{}"],
    [{ status: 200, body: "[]" }, "non-json", "object"],
    [{ status: 200, body: "null" }, "non-json", "object"],
    [{ status: 200, body: '"ok"' }, "non-json", "object"],
    [{ status: 200, body: "42" }, "non-json", "object"],
    [{ status: 200, body: "```json\n{}\n```" }, "non-json", "fences"],
    [{ status: 200, body: "<!doctype html><title>Sign in</title>" }, "non-json", "login"],
    [{ status: 200, body: new Uint8Array([0x7b, 0xff, 0x7d]) }, "non-json", "UTF-8"],
    [{ fails: "encoded", status: 200, cause: "invalid" }, "non-json", "uncompressed"],
    [{ fails: "refused" }, "network", "Start the agent"],
    [{ fails: "tls" }, "network", "certificate"],
    [{ fails: "reset" }, "network", "crash"],
    [{ fails: "truncated", status: 200 }, "network", "crash"],
    [{ fails: "protocol" }, "network", "HTTP server"],
    [{ fails: "too_large", status: 200, cause: "invalid" }, "network", "less"],
    [{ fails: "address_refused" }, "network", "may call"],
    [{ fails: "network" }, "network", "firewall"],
  ])("[EA-HAND-3] [EA-HAND-5] ends %j with %s and one sentence that helps", (reply, errorCode, words) => {
    const finding = judgeHandshake(toExchange(reply), 5_000);
    expect(finding).toMatchObject({ ok: false, errorCode });
    expect(finding.advice).toContain(words);
    expect(finding.advice).toMatch(/^[A-Z].*\.$/);
  });

  it("shows excerpts of JSON objects and of nothing else, and few headers", async () => {
    const headers = { "content-type": "text/html", "set-cookie": "session=1", "x-internal": "1" };
    const page = await probeHandshake(
      scriptedPorts(() => ({ status: 200, body: "<h1>admin</h1>", headers })),
      { url: URL_ },
    );
    expect(page.received).toEqual({ status: 200, headers: { "content-type": "text/html" }, excerpt: null });
    const object = await probeHandshake(
      scriptedPorts(() => ({ status: 400, body: `{"error":"${"é".repeat(5_000)}"}` })),
      { url: URL_ },
    );
    expect(object.received?.excerpt).toMatch(/^\{"error":"é+ …$/);
    expect(Buffer.byteLength(object.received?.excerpt ?? "")).toBeLessThanOrEqual(2_000);
  });
});
