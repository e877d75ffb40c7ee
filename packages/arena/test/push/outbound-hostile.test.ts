import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { createAddressGuard } from "../../src/push/address-guard.ts";
import { expectAnswer, expectFailure, openOutbound, post, stubLookup } from "./support/outbound-fixture.ts";
import { answer, startRawEndpoint } from "./support/raw-endpoint.ts";

const OK = "HTTP/1.1 200 OK\r\n";

/** Repeats a write for as long as the socket lives, at the pace at which the other side takes it. */
function flood(socket: Socket, chunk: string | Buffer, everyMs = 0): void {
  const timer = setInterval(() => {
    if (!socket.writableNeedDrain) socket.write(chunk);
  }, everyMs);
  socket.once("close", () => clearInterval(timer));
  onTestFinished(() => clearInterval(timer));
}

describe("past its deadline an exchange ends as a timeout", () => {
  const deadlineMs = 300;
  const within = { deadlineMs };

  test.each<[string, (socket: Socket) => void, string]>([
    ["sends nothing", () => undefined, "no answer had begun"],
    ["stops in the headers", (socket) => socket.write(`${OK}content-type: appl`), "no answer had begun"],
    [
      "stops in the body",
      (socket) => socket.write(`${OK}content-length: 100\r\n\r\n{"a":`),
      "the answer had begun but not ended, after 5 bytes",
    ],
    [
      "trickles a body without end",
      (socket) => {
        socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
        flood(socket, "1\r\n \r\n", 20);
      },
      "the answer had begun but not ended",
    ],
    [
      "trickles headers without end",
      (socket) => {
        socket.write(OK);
        flood(socket, "x: y\r\n", 20);
      },
      "no answer had begun",
    ],
  ])("when the endpoint %s", async (_what, behave, where) => {
    const endpoint = await startRawEndpoint((socket) => behave(socket));
    const failure = expectFailure(await openOutbound().exchange(post(endpoint.url, within)));
    expect(failure).toMatchObject({ cause: "timeout", code: "timeout" });
    expect(failure.detail).toContain("did not answer within 0.3 s");
    expect(failure.detail).toContain(where);
    expect(failure.timings.total).toBeGreaterThanOrEqual(deadlineMs - 1);
    await endpoint.allClosed();
  });

  test("keeps status and an excerpt of what had come", async () => {
    const endpoint = await startRawEndpoint((socket) =>
      socket.write(`${OK}content-length: 100\r\nx-a: b\r\n\r\n{"a":`),
    );
    const failure = expectFailure(await openOutbound().exchange(post(endpoint.url, within)));
    expect(failure).toMatchObject({ status: 200, headers: { "x-a": "b" }, bodyExcerpt: '{"a":' });
  });

  test("when the name never resolves, and connects nowhere although it resolves later", async () => {
    const endpoint = await startRawEndpoint((socket) => socket.end(answer("{}")));
    const { promise, resolve } = Promise.withResolvers<void>();
    const guard = createAddressGuard({
      allowPrivate: true,
      allowedOrigins: [],
      lookup: async () => {
        await promise;
        return [{ address: "127.0.0.1", family: 4 }];
      },
    });
    const url = `http://slow.example.com:${endpoint.port}/`;
    const failure = expectFailure(await openOutbound({ guard }).exchange(post(url, { deadlineMs: 50 })));
    expect(failure.detail).toContain("the name slow.example.com was still being resolved");
    resolve();
    // A later exchange has been through; had the first connected as well, there would be two.
    expectAnswer(await openOutbound().exchange(post(endpoint.url)));
    expect(endpoint.accepted).toBe(1);
  });

  test("during the TLS handshake", async () => {
    const endpoint = await startRawEndpoint(() => undefined);
    const url = endpoint.url.replace("http:", "https:");
    const failure = expectFailure(await openOutbound().exchange(post(url, { deadlineMs: 100 })));
    expect(failure).toMatchObject({ cause: "timeout", code: "timeout" });
    expect(failure.detail).toContain("the TLS handshake was not finished");
    await endpoint.allClosed();
  });
});

describe("an answer that breaks off is a failure of transport", () => {
  test.each<[string, string]>([
    ["before the length that was declared, although the part parses", `${OK}content-length: 100\r\n\r\n{"a":1}`],
    ["before the last chunk", `${OK}transfer-encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n`],
    ["inside a chunk", `${OK}transfer-encoding: chunked\r\n\r\n70\r\n{"a":1}`],
    ["inside a chunk that said close", `${OK}connection: close\r\ntransfer-encoding: chunked\r\n\r\n70\r\n{"a":1}`],
    [
      "before the declared length of an answer that said close",
      `${OK}connection: close\r\ncontent-length: 9\r\n\r\n{"a":1}`,
    ],
  ])("%s", async (_when, bytes) => {
    const endpoint = await startRawEndpoint((socket) => socket.end(bytes));
    const failure = expectFailure(await openOutbound().exchange(post(endpoint.url)));
    expect(failure).toMatchObject({ cause: "unreachable", code: "truncated", status: 200, bodyExcerpt: '{"a":1}' });
    expect(failure.detail).toContain("after 7 bytes of an unfinished answer");
  });

  test("by a reset in the body", async () => {
    const endpoint = await startRawEndpoint((socket) => {
      socket.write(`${OK}content-length: 100\r\n\r\n{"a":1}`, () => socket.resetAndDestroy());
    });
    expect(expectFailure(await openOutbound().exchange(post(endpoint.url))).code).toMatch(/^(truncated|reset)$/);
  });

  test.each<[string, (socket: Socket) => void]>([
    ["at once", (socket) => socket.destroy()],
    ["with a reset", (socket) => socket.resetAndDestroy()],
    ["in the headers", (socket) => socket.end(`${OK}content-le`)],
  ])("as a reset when the connection ends %s", async (_how, behave) => {
    const endpoint = await startRawEndpoint((socket) => behave(socket));
    const failure = expectFailure(await openOutbound().exchange(post(endpoint.url)));
    expect(failure).toMatchObject({ cause: "unreachable", code: "reset", reusedSocket: false });
    expect(endpoint.requests).toHaveLength(1);
  });

  test("when the server closes before it has read a request, which is then not sent again", async () => {
    const endpoint = await startRawEndpoint(() => undefined, { onConnection: (socket) => socket.resetAndDestroy() });
    const failure = expectFailure(await openOutbound().exchange(post(endpoint.url)));
    expect(failure).toMatchObject({ cause: "unreachable", code: "reset" });
    expect(endpoint.accepted).toBe(1);
  });

  test("as refused where nobody listens", async () => {
    // Port 1 is nobody's.
    const failure = expectFailure(await openOutbound().exchange(post("http://127.0.0.1:1/")));
    expect(failure).toMatchObject({ cause: "unreachable", code: "refused" });
    expect(failure.detail).toContain("ECONNREFUSED at 127.0.0.1 port 1");
  });

  test.each(["ENOTFOUND", "EAI_AGAIN"])("as dns for %s", async (code) => {
    const lookup = () =>
      Promise.reject(Object.assign(new Error(`getaddrinfo ${code}`), { code, syscall: "getaddrinfo" }));
    const failure = expectFailure(await openOutbound({ lookup }).exchange(post("https://nowhere.example.com/")));
    expect(failure).toMatchObject({ cause: "unreachable", code: "dns" });
    expect(failure.detail).toBe(`The name nowhere.example.com could not be resolved (${code}).`);
  });
});

describe("what is no HTTP answer fails as protocol", () => {
  test.each<[string, string]>([
    ["another protocol", "220 mail.example.com ESMTP\r\n"],
    ["a chunk without a size", `${OK}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`],
    ["two lengths that differ", `${OK}content-length: 2\r\ncontent-length: 3\r\n\r\n{} `],
    ["a length that is no number", `${OK}content-length: two\r\n\r\n{}`],
    ["a header without a name", `${OK}: 2\r\n\r\n{}`],
    ["a length and chunks", `${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ["100 Continue that nobody asked for", `HTTP/1.1 100 Continue\r\n\r\n${OK}content-length: 2\r\n\r\n{}`],
    ["a switch of protocols", "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
    ["interim answers without end", "HTTP/1.1 102 Processing\r\n\r\n".repeat(50)],
  ])("%s", async (_what, bytes) => {
    const endpoint = await startRawEndpoint((socket) => socket.write(bytes));
    const failure = expectFailure(await openOutbound().exchange(post(endpoint.url)));
    expect(failure).toMatchObject({ cause: "unreachable", code: "protocol" });
    expect(endpoint.requests).toHaveLength(1);
    await endpoint.allClosed();
  });
});

describe("what is more than is read fails as invalid", () => {
  test("a declared length of 5 MB, without reading it", async () => {
    const endpoint = await startRawEndpoint((socket) => socket.write(`${OK}content-length: 5000000\r\n\r\n`));
    const failure = expectFailure(await openOutbound().exchange(post(endpoint.url)));
    expect(failure).toMatchObject({ cause: "invalid", code: "too_large", status: 200 });
    expect(failure.detail).toContain("more than the 100000 bytes");
    await endpoint.allClosed();
  });

  test("5 MB in chunks, as soon as the limit is passed", async () => {
    const endpoint = await startRawEndpoint((socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
      flood(socket, `1000\r\n${"x".repeat(4_096)}\r\n`);
    });
    const failure = expectFailure(await openOutbound().exchange(post(endpoint.url)));
    expect(failure).toMatchObject({ cause: "invalid", code: "too_large" });
    expect(failure.bodyExcerpt).toHaveLength(2_000);
    await endpoint.allClosed();
  });

  test("a body without end in chunks of one byte", async () => {
    const endpoint = await startRawEndpoint((socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
      flood(socket, "1\r\n \r\n".repeat(5_000));
    });
    expect(expectFailure(await openOutbound().exchange(post(endpoint.url))).code).toBe("too_large");
  });

  test.each<[string, string]>([
    ["many headers", Array.from({ length: 5_000 }, (_, index) => `x-${index}: y\r\n`).join("")],
    ["one long header", `x: ${"y".repeat(100_000)}`],
  ])("%s", async (_what, headers) => {
    const endpoint = await startRawEndpoint((socket) => socket.write(OK + headers));
    expect(expectFailure(await openOutbound().exchange(post(endpoint.url)))).toMatchObject({
      cause: "invalid",
      code: "too_large",
    });
    await endpoint.allClosed();
  });

  test.each(["gzip", "br", "GZIP", "identity, gzip", "x-unknown"])(
    "a body encoded as %s, without inflating any of it",
    async (encoding) => {
      const bomb = gzipSync(Buffer.alloc(20_000_000));
      expect(bomb.length).toBeLessThan(30_000);
      const headers = ["content-type: application/json", `content-encoding: ${encoding}`];
      const endpoint = await startRawEndpoint((socket) => socket.end(answer(bomb, { headers })));
      const failure = expectFailure(await openOutbound().exchange(post(endpoint.url)));
      expect(failure).toMatchObject({ cause: "invalid", code: "encoded", status: 200 });
      expect(failure.detail).toContain("compression");
    },
  );

  test("but not a body that is declared to be encoded as identity", async () => {
    const endpoint = await startRawEndpoint((socket) =>
      socket.end(answer("{}", { headers: ["content-encoding: Identity"] })),
    );
    expectAnswer(await openOutbound().exchange(post(endpoint.url)));
  });
});

describe("an exchange that is called off", () => {
  test("is nobody's fault, and its connection is closed", async () => {
    const endpoint = await startRawEndpoint(() => controller.abort());
    const controller = new AbortController();
    const failure = expectFailure(await openOutbound().exchange(post(endpoint.url, { signal: controller.signal })));
    expect(failure).toMatchObject({ cause: "arena", code: "aborted" });
    await endpoint.allClosed();
  });

  test("makes no connection when that happens beforehand", async () => {
    const endpoint = await startRawEndpoint(() => undefined);
    const signal = AbortSignal.abort();
    expect(expectFailure(await openOutbound().exchange(post(endpoint.url, { signal }))).code).toBe("aborted");
    expect(endpoint.accepted).toBe(0);
  });

  test("ends with the arena", async () => {
    const outbound = openOutbound();
    const endpoint = await startRawEndpoint(() => outbound.close());
    expect(expectFailure(await outbound.exchange(post(endpoint.url))).code).toBe("aborted");
    expect(expectFailure(await outbound.exchange(post(endpoint.url))).code).toBe("aborted");
    expect(endpoint.accepted).toBe(1);
    await endpoint.allClosed();
  });

  test("makes no connection when it happens while the name is resolved", async () => {
    const endpoint = await startRawEndpoint(() => undefined);
    const controller = new AbortController();
    const lookup = stubLookup(["127.0.0.1"]);
    const guard = createAddressGuard({
      allowPrivate: true,
      allowedOrigins: [],
      lookup: async (name) => {
        controller.abort();
        return lookup(name);
      },
    });
    const request = post(`http://off.example.com:${endpoint.port}/`, { signal: controller.signal });
    expect(expectFailure(await openOutbound({ guard }).exchange(request)).code).toBe("aborted");
    const probe = await startRawEndpoint((socket) => socket.end(answer("{}")));
    expectAnswer(await openOutbound().exchange(post(probe.url)));
    expect(endpoint.accepted).toBe(0);
  });
});

test("many endpoints that hang leave no socket behind", async () => {
  const endpoint = await startRawEndpoint((socket) => socket.write(`${OK}content-length: 9\r\n\r\n{`));
  const outbound = openOutbound();
  const results = await Promise.all(
    Array.from({ length: 100 }, () => outbound.exchange(post(endpoint.url, { deadlineMs: 500 }))),
  );
  expect(new Set(results.map((result) => expectFailure(result).code))).toEqual(new Set(["timeout"]));
  await endpoint.allClosed();
});
